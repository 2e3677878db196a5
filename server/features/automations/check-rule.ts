import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { AppError, InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import {
  RULE_COUNTERS,
  RULE_OPERATORS_WITHOUT_VALUE,
  ruleOperatorsOf,
  ruleParameterOf,
} from '../../../schemas/kit/form/rule-parameters.ts';
import { costOfPatterns, faultOfPattern, unreadablePattern } from './rule-patterns.ts';
import { assertFits } from '../../kernel/body-rules.ts';
import { conditionsOf } from './branches.ts';
import { takesTolerance } from './hysteresis.ts';
import { findRuleForm } from './device-actions.ts';
import { readArea } from '../../../schemas/kit/form/area.ts';
import type { PatternReason } from '../../../schemas/kit/patterns/pattern-fault.ts';
import type { Action, Branch, Condition } from './types.ts';

export const MOST_LEVELS = 3;
const MOST_BRANCHES = 50;
/** Over all branches: each report of a device, and each moment of a test, evaluates all of them. */
export const MAX_CONDITIONS = 200;
/** Each report of each device may try all expressions of a rule. */
const MAX_PATTERNS_SIZE = 2000;

interface Fault {
  source: string;
  message: string;
  params: Record<string, string> & { key: string };
}

/** What is said in English; consoles have the same under `forms.automations.fault.<key>`. */
const SENTENCES = {
  value: 'Enter a value.',
  time: 'Enter a time of day like 22:00-06:00.',
  area: 'Enter latitude, longitude and a radius in metres, like 59.91,10.75,500.',
  range: 'Enter two numbers like -100..-80.',
  number: 'Enter a number.',
  choice: 'Enter one of {values}.',
  parameter: 'There is no parameter named "{name}".',
  operator: 'This cannot be compared so. Use one of {values}.',
  no_address: 'Enter at least one address.',
  nobody: 'Choose at least one person.',
  no_list: 'Choose a task list.',
  no_tag: 'Choose a tag.',
  no_webhook: 'Enter the name of a webhook.',
  no_title: 'Enter a title.',
  no_form: 'Choose what is done.',
  unknown_form: 'This form does not exist, or you do not have permission to send it.',
  unknown_webhook: 'This installation has no webhook with this name.',
  no_message: 'Enter a message.',
  levels: 'A rule has at most 3 levels.',
  branches: 'A rule has at most 50 branches.',
  conditions: 'A rule has at most {max} conditions, over all its branches.',
  otherwise: '"Otherwise" follows a "when".',
  begin: 'A rule begins with a "when".',
  no_condition: 'Enter at least one condition.',
  no_action: 'Choose at least one action.',
  minutes: 'Enter a number of minutes from 1 to 10080.',
  counter: 'This only grows: no value of it is usual.',
  pattern: 'This is no regular expression.',
  pattern_look_around: 'An expression cannot look ahead or behind. Write what is matched itself.',
  pattern_reference: 'An expression cannot refer back to a group.',
  pattern_flags: 'An expression cannot change its flags. Name both cases, as in [Aa].',
  pattern_property: 'This property of characters is not known. Use a short name such as \\p{L}, or a script such as \\p{Greek}.',
  pattern_size: 'This expression is too large: it is too long, or repeats too much.',
  patterns: 'The expressions of this rule are too large together.',
  tolerance: 'A tolerance is for comparisons of numbers with the newest report.',
  times: 'Enter how many of how many reports, like 3 of 5.',
} as const;
type Sentence = keyof typeof SENTENCES;

function faultAt(source: string, key: Sentence, params: Record<string, string> = {}): Fault {
  const message = SENTENCES[key].replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  return { source, message, params: { ...params, key: `forms.automations.fault.${key}` } };
}

const MINUTES = /^[1-9]\d{0,4}$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
const NUMBER_RANGE = /^\s*-?[\d.]+\s*(?:-|\.\.)\s*-?[\d.]+\s*$/;
// `22:00-06:00`
const TIME_RANGE = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

const PATTERN_SENTENCES = {
  syntax: 'pattern',
  'look-around': 'pattern_look_around',
  'back-reference': 'pattern_reference',
  flags: 'pattern_flags',
  property: 'pattern_property',
  size: 'pattern_size',
} as const satisfies Record<PatternReason, Sentence>;

function faultOfValue({ parameter, operator, value = '' }: Condition, source: string): Fault | undefined {
  const known = ruleParameterOf(parameter);
  if (!known || RULE_OPERATORS_WITHOUT_VALUE.has(operator)) return undefined;
  const { type, values } = known;
  if (value.trim() === '') return faultAt(source, 'value');
  if (operator === 'matches') {
    const fault = faultOfPattern(value);
    return fault && faultAt(source, PATTERN_SENTENCES[fault.reason]);
  }
  if (operator === 'missing') return MINUTES.test(value.trim()) && Number(value) <= 10_080 ? undefined : faultAt(source, 'minutes');
  if (type === 'time') return TIME_RANGE.test(value.trim()) ? undefined : faultAt(source, 'time');
  if (type === 'place') return readArea(value) ? undefined : faultAt(source, 'area');
  if (type === 'number' && operator === 'between') return NUMBER_RANGE.test(value) ? undefined : faultAt(source, 'range');
  if (type === 'number') return NUMBER.test(value.trim()) ? undefined : faultAt(source, 'number');
  const isOneOf = (part: string): boolean => values?.some((one) => one.toLowerCase() === part.trim().toLowerCase()) ?? true;
  return (operator === 'in' ? value.split(',') : [value]).every(isOneOf)
    ? undefined
    : faultAt(source, 'choice', { values: values?.join(', ') ?? '' });
}

function faultsOfCondition(condition: Condition, source: string): Fault[] {
  const known = ruleParameterOf(condition.parameter);
  if (!known) return [faultAt(`${source}.parameter`, 'parameter', { name: condition.parameter })];
  const operators = ruleOperatorsOf(known.type);
  if (!operators.includes(condition.operator)) return [faultAt(`${source}.operator`, 'operator', { values: operators.join(', ') })];
  const { operator, parameter, times = 1, of = 1 } = condition;
  if (operator === 'unusual' && RULE_COUNTERS.has(parameter)) return [faultAt(`${source}.operator`, 'counter')];
  if (times > of) return [faultAt(`${source}.times`, 'times')];
  if (condition.tolerance !== undefined && (known.type !== 'number' || !takesTolerance(condition)))
    return [faultAt(`${source}.tolerance`, 'tolerance')];
  return [faultOfValue(condition, `${source}.value`) ?? []].flat();
}

const MISSING: Partial<Record<Action['name'], { option: keyof NonNullable<Action['options']>; key: Sentence }>> = {
  SendEmail: { option: 'receiving_emails', key: 'no_address' },
  SendNotification: { option: 'receiving_users', key: 'nobody' },
  TaskManagerAction: { option: 'task_group_id', key: 'no_list' },
  AddTag: { option: 'tag_id', key: 'no_tag' },
  RemoveTag: { option: 'tag_id', key: 'no_tag' },
  Webhook: { option: 'url', key: 'no_webhook' },
  RunForm: { option: 'form', key: 'no_form' },
  OpenIncident: { option: 'title', key: 'no_title' },
  CloseIncident: { option: 'title', key: 'no_title' },
};

function faultsOfAction({ name, options = {} }: Action, source: string, webhooks: ReadonlySet<string>): Fault[] {
  const missing = MISSING[name];
  const value = missing && options[missing.option];
  if (missing && (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)))
    return [faultAt(`${source}.options.${missing.option}`, missing.key)];
  if (name === 'SendNotification' && !options.message) return [faultAt(`${source}.options.message`, 'no_message')];
  if (name === 'Webhook' && !webhooks.has(options.url ?? '')) return [faultAt(`${source}.options.url`, 'unknown_webhook')];
  return [];
}

function faultsOfBranches(branches: readonly Branch[], source: string, depth: number, webhooks: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  for (const [index, branch] of branches.entries()) {
    const place = `${source}.${index}`;
    const { expression = [], actions = [], conditions = [] } = branch;
    if (depth > MOST_LEVELS) return [faultAt(place, 'levels')];
    if (branch.type === 'else' && branches[index - 1]?.type !== 'if') faults.push(faultAt(`${place}.type`, 'otherwise'));
    if (branch.type === 'if' && expression.length === 0) faults.push(faultAt(`${place}.expression`, 'no_condition'));
    if (actions.length === 0 && conditions.length === 0) faults.push(faultAt(`${place}.actions`, 'no_action'));
    faults.push(
      ...expression.flatMap((condition, at) => faultsOfCondition(condition, `${place}.expression.${at}`)),
      ...actions.flatMap((action, at) => faultsOfAction(action, `${place}.actions.${at}`, webhooks)),
      ...faultsOfBranches(conditions, `${place}.conditions`, depth + 1, webhooks),
    );
  }
  return faults;
}

const countOf = (branches: readonly Branch[]): number => branches.reduce((sum, branch) => sum + 1 + countOf(branch.conditions ?? []), 0);

/** Every action of a rule with the place where it is in a body. */
function placedActions(branches: readonly Branch[], source: string): { action: Action; source: string }[] {
  return branches.flatMap((branch, index) => [
    ...(branch.actions ?? []).map((action, at) => ({ action, source: `${source}.${index}.actions.${at}` })),
    ...placedActions(branch.conditions ?? [], `${source}.${index}.conditions`),
  ]);
}

async function seen(
  db: Db,
  actor: Actor,
  table: 'tags' | 'task_groups' | 'users' | 'email_configurations',
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom(table)
    .select(`${table}.id as id`)
    .where(`${table}.id`, 'in', ids)
    .where(isVisible(actor, table))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** In place of the device that the form will be sent over: its rules ask for one. */
const ANY_DEVICE = 1;

/** Throws INVALID_FIELD where a form is unknown to the actor, or refuses its fields. */
function assertForms(ctx: Context, actor: Actor, actions: readonly { action: Action; source: string }[]): void {
  for (const { action, source } of actions) {
    if (action.name !== 'RunForm') continue;
    const form = findRuleForm(ctx, actor, action.options?.form ?? '');
    if (!form) throw new InvalidFields([faultAt(`${source}.options.form`, 'unknown_form')]);
    const items = form.check(structuredClone({ ...action.options?.form_data, device_id: [ANY_DEVICE] }));
    assertFits(items.map((item) => ({ ...item, source: `${source}.options.form_data.${item.source ?? ''}` })));
  }
}

/** Throws INVALID_FIELD for a stored rule with an expression that cannot be used. */
export function assertPatterns(branches: readonly Branch[], source: string): void {
  const unreadable = unreadablePattern(branches);
  if (unreadable) throw new InvalidFields([faultAt(source, PATTERN_SENTENCES[unreadable.fault.reason])]);
}

const byPlace = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Throws INVALID_FIELD at each place of a rule that cannot be evaluated or done, NOT_FOUND for each of its tags, lists and people that the actor does not see. */
export async function assertRule(ctx: Context, db: Db, actor: Actor, branches: readonly Branch[]): Promise<void> {
  const source = 'conditions_body';
  const faults = faultsOfBranches(branches, source, 1, new Set(ctx.config.webhooks.keys()));
  if (countOf(branches) > MOST_BRANCHES) faults.push(faultAt(source, 'branches'));
  if (conditionsOf(branches).length > MAX_CONDITIONS) faults.push(faultAt(source, 'conditions', { max: String(MAX_CONDITIONS) }));
  if (faults.length === 0 && costOfPatterns(branches) > MAX_PATTERNS_SIZE) faults.push(faultAt(source, 'patterns'));
  if (faults.length > 0) throw new InvalidFields(faults);
  const actions = placedActions(branches, source);
  assertForms(ctx, actor, actions);
  const missing: string[] = [];
  for (const [table, option] of [
    ['tags', 'tag_id'],
    ['task_groups', 'task_group_id'],
    ['users', 'receiving_users'],
    ['email_configurations', 'smtp_config_id'],
  ] as const) {
    const wanted = actions.flatMap(({ action, source: at }) => {
      const value = action.options?.[option];
      const ids = Array.isArray(value) ? value : value === undefined ? [] : [value];
      return ids.map((id) => ({ id, at: `${at}.options.${option}` }));
    });
    if (wanted.length === 0) continue;
    const known = await seen(
      db,
      actor,
      table,
      wanted.map(({ id }) => id),
    );
    missing.push(...wanted.flatMap(({ id, at }) => (known.has(id) ? [] : [at])));
  }
  const [first, ...rest] = [...new Set(missing)].toSorted(byPlace).map((at) => new NotFound({}, { source: at }).items[0]);
  if (first) throw new AppError([{ ...first, code: 'NOT_FOUND' }, ...rest.flatMap((item) => item ?? [])]);
}

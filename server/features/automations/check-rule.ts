import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { InvalidFields, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { ruleOperatorsOf, ruleParameterOf } from '../../../schemas/kit/rule-parameters.ts';
import { readArea } from './places.ts';
import type { Action, Branch, Condition } from './types.ts';

export const MOST_LEVELS = 3;
const MOST_BRANCHES = 50;

interface Fault {
  source: string;
  message: string;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
const NUMBER_RANGE = /^\s*-?[\d.]+\s*(?:-|\.\.)\s*-?[\d.]+\s*$/;
// `22:00-06:00`
const TIME_RANGE = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;

function faultOfValue({ parameter, operator, value = '' }: Condition): string | undefined {
  const known = ruleParameterOf(parameter);
  if (!known || operator === 'changed') return undefined;
  if (value.trim() === '') return 'Enter a value.';
  if (known.type === 'time') return TIME_RANGE.test(value.trim()) ? undefined : 'Enter a time of day like 22:00-06:00.';
  if (known.type === 'place')
    return readArea(value) ? undefined : 'Enter latitude, longitude and a radius in metres, like 59.91,10.75,500.';
  if (known.type === 'number' && operator === 'between') return NUMBER_RANGE.test(value) ? undefined : 'Enter two numbers like -100..-80.';
  if (known.type === 'number') return NUMBER.test(value.trim()) ? undefined : 'Enter a number.';
  const unknown =
    known.values && value.split(',').find((part) => !known.values?.some((one) => one.toLowerCase() === part.trim().toLowerCase()));
  return unknown === undefined ? undefined : `Enter one of ${known.values?.join(', ')}.`;
}

function faultsOfCondition(condition: Condition, source: string): Fault[] {
  const known = ruleParameterOf(condition.parameter);
  if (!known) return [{ source: `${source}.parameter`, message: `There is no parameter named "${condition.parameter}".` }];
  if (!ruleOperatorsOf(known.type).includes(condition.operator))
    return [
      {
        source: `${source}.operator`,
        message: `"${condition.parameter}" cannot be compared so. Use ${ruleOperatorsOf(known.type).join(', ')}.`,
      },
    ];
  const fault = faultOfValue(condition);
  return fault === undefined ? [] : [{ source: `${source}.value`, message: fault }];
}

const MISSING: Partial<Record<Action['name'], { option: keyof NonNullable<Action['options']>; message: string }>> = {
  SendEmail: { option: 'receiving_emails', message: 'Enter at least one address.' },
  SendNotification: { option: 'receiving_users', message: 'Choose at least one person.' },
  TaskManagerAction: { option: 'task_group_id', message: 'Choose a task list.' },
  AddTag: { option: 'tag_id', message: 'Choose a tag.' },
  RemoveTag: { option: 'tag_id', message: 'Choose a tag.' },
  Webhook: { option: 'url', message: 'Enter the name of a webhook.' },
};

function faultsOfAction({ name, options = {} }: Action, source: string, webhooks: ReadonlySet<string>): Fault[] {
  const missing = MISSING[name];
  const value = missing && options[missing.option];
  if (missing && (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)))
    return [{ source: `${source}.options.${missing.option}`, message: missing.message }];
  if (name === 'SendNotification' && !options.message) return [{ source: `${source}.options.message`, message: 'Enter a message.' }];
  if (name === 'Webhook' && !webhooks.has(options.url ?? ''))
    return [{ source: `${source}.options.url`, message: 'There is no webhook of this name on this installation.' }];
  return [];
}

function faultsOfBranches(branches: readonly Branch[], source: string, depth: number, webhooks: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  for (const [index, branch] of branches.entries()) {
    const place = `${source}.${index}`;
    if (depth > MOST_LEVELS) return [{ source: place, message: `A rule has at most ${MOST_LEVELS} levels.` }];
    if (branch.type === 'else' && branches[index - 1]?.type !== 'if')
      faults.push({ source: `${place}.type`, message: '"Otherwise" follows an "if".' });
    if (branch.type === 'if' && (branch.expression ?? []).length === 0)
      faults.push({ source: `${place}.expression`, message: 'Enter at least one condition.' });
    if ((branch.actions ?? []).length === 0 && (branch.conditions ?? []).length === 0)
      faults.push({ source: `${place}.actions`, message: 'Choose at least one action.' });
    for (const [at, condition] of (branch.expression ?? []).entries())
      faults.push(...faultsOfCondition(condition, `${place}.expression.${at}`));
    for (const [at, action] of (branch.actions ?? []).entries()) faults.push(...faultsOfAction(action, `${place}.actions.${at}`, webhooks));
    faults.push(...faultsOfBranches(branch.conditions ?? [], `${place}.conditions`, depth + 1, webhooks));
  }
  return faults;
}

const countOf = (branches: readonly Branch[]): number => branches.reduce((sum, branch) => sum + 1 + countOf(branch.conditions ?? []), 0);

/** Every action of a rule with the place where it stands in a body. */
function placedActions(branches: readonly Branch[], source: string): { action: Action; source: string }[] {
  return branches.flatMap((branch, index) => [
    ...(branch.actions ?? []).map((action, at) => ({ action, source: `${source}.${index}.actions.${at}` })),
    ...placedActions(branch.conditions ?? [], `${source}.${index}.conditions`),
  ]);
}

async function seen(db: Db, actor: Actor, table: 'tags' | 'task_groups' | 'users', ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom(table)
    .select(`${table}.id as id`)
    .where(`${table}.id`, 'in', [0, ...ids])
    .where(isVisible(actor, table))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Throws INVALID_FIELD at each place of a rule that cannot be evaluated or done, NOT_FOUND for tags, lists and people that the actor does not see. */
export async function assertRule(ctx: Context, db: Db, actor: Actor, branches: readonly Branch[]): Promise<void> {
  const source = 'conditions_body';
  const faults = faultsOfBranches(branches, source, 1, new Set(ctx.config.webhooks.keys()));
  if (branches[0]?.type === 'else') faults.push({ source: `${source}.0.type`, message: 'A rule begins with an "if".' });
  if (countOf(branches) > MOST_BRANCHES) faults.push({ source, message: `A rule has at most ${MOST_BRANCHES} branches.` });
  if (faults.length > 0) throw new InvalidFields(faults);
  const actions = placedActions(branches, source);
  for (const [table, option] of [
    ['tags', 'tag_id'],
    ['task_groups', 'task_group_id'],
    ['users', 'receiving_users'],
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
    const missing = wanted.find(({ id }) => !known.has(id));
    if (missing) throw new NotFound({}, { source: missing.at });
  }
}

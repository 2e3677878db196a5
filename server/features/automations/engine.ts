import { RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../kernel/clock.ts';
import { hasChanged, isBetween, keyOf, lineMeets, meets, numberOf } from './compare.ts';
import type { Branch, BranchState, Condition, Evaluated, Outcome, Report, Rule, State, Value, Values } from './types.ts';

const PERIOD_MS = { hour: HOUR, day: DAY, week: 7 * DAY } as const;
/** No rule acts on a device more often than this, whatever it says: a loop between rules ends here. */
const MOST_PER_HOUR = 30;

/** Under this name a parameter's usual band is among the values, as `-95..-70`. */
export const bandOf = (parameter: string): string => `${parameter} band`;

export const emptyState = (): State => ({ branches: {}, references: {} });

/** true, false, or null where a value that it depends on is not known. */
type Truth = boolean | null;

function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

function or(a: Truth, b: Truth): Truth {
  if (a === true || b === true) return true;
  return a === null || b === null ? null : false;
}

interface Walk {
  at: number;
  values: Values;
  before: State;
  references: Record<string, Value>;
  seen: Record<string, [Value | null, number]>;
  windows: Record<string, string>;
  /** Parameters that this report was about. */
  fresh: ReadonlySet<string>;
  /** Times at which a condition may turn without a report. */
  wakeAt: number[];
  evaluated: Evaluated[];
  /** Whether each branch holds. */
  holds: Map<string, boolean>;
  /** Branches with their keys, in the order of the rule. */
  branches: Map<string, Branch>;
  armed: Set<string>;
}

/** Whether nothing was reported of a parameter for so many minutes. */
function isMissing({ parameter, value }: Condition, walk: Walk): boolean {
  const goesMissingAt = (walk.seen[parameter]?.[1] ?? walk.at) + numberOf(value) * MINUTE;
  if (walk.at >= goesMissingAt) return true;
  walk.wakeAt.push(goesMissingAt);
  return false;
}

const DAY_MINUTES = DAY / MINUTE;
// `22:00`
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** When the clock of the device next reaches a bound of this condition; a change of daylight saving time in between is met by looking again. */
function wakeByClock({ parameter, value = '' }: Condition, walk: Walk): void {
  const now = minutesOf(String(walk.values['time'] ?? '00:00'));
  const bounds = parameter === 'weekday' ? [0] : value.split('-').map((part) => minutesOf(part.trim()));
  const minutes = Math.min(...bounds.map((bound) => (bound - now + DAY_MINUTES - 1) % DAY_MINUTES)) + 1;
  walk.wakeAt.push(walk.at - (walk.at % MINUTE) + minutes * MINUTE);
}

function truthNow(condition: Condition, value: Value | undefined, walk: Walk): Truth {
  const { operator, parameter } = condition;
  if (operator === 'missing') return isMissing(condition, walk);
  if (value === undefined) return null;
  if (parameter === 'time' || parameter === 'weekday') wakeByClock(condition, walk);
  if (RULE_MOMENTS.has(parameter)) {
    // It is over as soon as somebody looks again.
    if (value !== '') walk.wakeAt.push(walk.at + 1);
    return lineMeets(String(value), condition);
  }
  if (operator === 'changed' || operator === 'changed_by') return hasChanged(condition, value, walk.references);
  if (operator === 'unusual') {
    const band = walk.values[bandOf(parameter)];
    return band === undefined ? null : !isBetween(value, String(band));
  }
  return meets(value, condition);
}

/** Counts a comparison in the last reports of its parameter; null before the first. */
function overReports(condition: Condition, truth: Truth, walk: Walk): Truth {
  const { times = 1, of = 1 } = condition;
  const key = `${keyOf(condition)} ${times}/${of}`;
  let window = walk.windows[key] ?? walk.before.windows?.[key] ?? '';
  if (truth !== null && walk.windows[key] === undefined && walk.fresh.has(condition.parameter))
    window = `${window}${truth ? 1 : 0}`.slice(-of);
  walk.windows[key] = window;
  return window === '' ? null : window.replaceAll('0', '').length >= times;
}

function truthOf(expression: readonly Condition[], walk: Walk): Truth {
  let any: Truth = false;
  let all: Truth = true;
  for (const [index, condition] of expression.entries()) {
    const value = walk.values[condition.parameter];
    const now = truthNow(condition, value, walk);
    const truth = condition.of === undefined ? now : overReports(condition, now, walk);
    walk.evaluated.push({
      key: `cond_${walk.evaluated.length}`,
      parameter: condition.parameter,
      operator: condition.operator,
      expected: condition.operator === 'unusual' ? String(walk.values[bandOf(condition.parameter)] ?? '') : (condition.value ?? ''),
      actual: value ?? null,
      value: truth,
    });
    all = and(all, truth);
    const isLast = index === expression.length - 1;
    if (condition.joins_with === '||' || isLast) {
      any = or(any, all);
      all = true;
    }
  }
  return expression.length === 0 ? false : any;
}

/** What is known of the readings of a device after a report; `late`: those of it that are older than what was known. */
function takeReadings(rule: Rule, before: State, at: number, { readings = new Map(), readAt, fresh }: Report) {
  const seen = { ...before.seen };
  const late = new Set<string>();
  for (const { parameter, operator } of conditionsOf(rule.branches)) {
    const reading = readings.get(parameter);
    const when = readAt?.get(parameter) ?? at;
    if (reading !== undefined) {
      const [known, knownAt] = before.seen?.[parameter] ?? [null, 0];
      if (known !== null && when < knownAt) late.add(parameter);
      else seen[parameter] = [reading, when];
    } else if (operator === 'missing' && fresh?.has(parameter)) seen[parameter] = [seen[parameter]?.[0] ?? null, at];
    // It has been watched since now.
    if (operator === 'missing' && seen[parameter] === undefined) seen[parameter] = [null, at];
  }
  return { seen, late };
}

function walkBranches(branches: readonly Branch[], parentHolds: boolean, prefix: string, walk: Walk): void {
  let ifKey: string | undefined;
  for (const [index, branch] of branches.entries()) {
    const key = `${prefix}${index}`;
    walk.branches.set(key, branch);
    let holds: boolean;
    if (branch.type === 'else') {
      holds = parentHolds && ifKey !== undefined && walk.holds.get(ifKey) !== true;
      if (ifKey !== undefined && walk.holds.get(ifKey) === true) walk.armed.add(key);
    } else {
      ifKey = key;
      const truth = truthOf(branch.expression ?? [], walk);
      // What is not known stays as it was.
      holds = parentHolds && (truth ?? walk.before.branches[key]?.since !== undefined);
    }
    walk.holds.set(key, holds);
    walkBranches(branch.conditions ?? [], holds, `${key}.`, walk);
  }
}

interface Limits {
  lastFiredAt: number | undefined;
  periodStart: number;
  periodCount: number;
}

function limitsOf(rule: Rule, before: State, at: number): Limits {
  const length = rule.limit === null ? HOUR : PERIOD_MS[rule.period];
  const isOver = before.periodStart === undefined || at >= before.periodStart + length;
  return {
    lastFiredAt: before.lastFiredAt,
    periodStart: isOver ? at : (before.periodStart ?? at),
    periodCount: isOver ? 0 : (before.periodCount ?? 0),
  };
}

/** When a branch that waits may be acted on at the earliest; undefined when only another report can bring it about. */
function readyAt(rule: Rule, { since = 0, count = 0 }: BranchState, limits: Limits, at: number): number | undefined {
  if (count < rule.delayCount) return undefined;
  const held = since + rule.delaySeconds * SECOND;
  const rested = limits.lastFiredAt === undefined ? 0 : limits.lastFiredAt + rule.cooldownSeconds * SECOND;
  const most = rule.limit ?? MOST_PER_HOUR;
  const free = limits.periodCount < most ? 0 : limits.periodStart + (rule.limit === null ? HOUR : PERIOD_MS[rule.period]);
  return Math.max(held, rested, free, at);
}

/**
 * Evaluates a rule with the values that a device's record has now and the readings of its report; the same function live, in a back-test and when
 * somebody asks why. A branch is acted on once each time it begins to hold, when it has held for the delay and the quiet time is over; an `else` only
 * after its `if` has held. A reading is compared until the next one of its parameter.
 */
export function evaluate(rule: Rule, before: State, record: Values, at: number, report: Report = {}): Outcome {
  const { isReport = true, readings } = report;
  const { seen, late } = takeReadings(rule, before, at, report);
  const values: Record<string, Value | undefined> = { ...record };
  for (const [parameter, [value]] of Object.entries(seen)) if (value !== null) values[parameter] ??= value;
  const fresh = new Set([...(report.fresh ?? readings?.keys() ?? [])].filter((name) => !late.has(name)));
  const references = { ...before.references };
  const walk: Walk = {
    ...{ at, values, before, references, seen, fresh, windows: {}, wakeAt: [] },
    ...{ evaluated: [], holds: new Map(), branches: new Map(), armed: new Set() },
  };
  walkBranches(rule.branches, true, '', walk);
  const limits = limitsOf(rule, before, at);
  const branches: Record<string, BranchState> = {};
  const fired: string[] = [];
  const held: string[] = [];
  const ended: string[] = [];
  let dueAt = walk.wakeAt.length === 0 ? undefined : Math.min(...walk.wakeAt);
  for (const [key, branch] of walk.branches) {
    const known = before.branches[key] ?? {};
    const isArmed = walk.armed.has(key) || (known.armed ?? false);
    if (walk.holds.get(key) !== true) {
      if (known.fired) ended.push(key);
      if (isArmed) branches[key] = { armed: true };
      continue;
    }
    const state: BranchState = {
      ...known,
      since: known.since ?? at,
      count: (known.count ?? 0) + (isReport || known.since === undefined ? 1 : 0),
    };
    branches[key] = state;
    if (state.fired || (branch.actions ?? []).length === 0 || (branch.type === 'else' && !isArmed)) continue;
    const ready = readyAt(rule, state, limits, at);
    if (ready === at) {
      fired.push(key);
      branches[key] = { since: state.since ?? at, count: state.count ?? 1, fired: true };
      limits.lastFiredAt = at;
      limits.periodCount += 1;
    } else if (ready !== undefined && (dueAt === undefined || ready < dueAt)) dueAt = ready;
    if (ready !== at && rule.limit === null && limits.periodCount >= MOST_PER_HOUR && !state.held) {
      held.push(key);
      state.held = true;
    }
  }
  const state: State = { branches, references };
  if (Object.keys(seen).length > 0) state.seen = seen;
  if (Object.keys(walk.windows).length > 0) state.windows = walk.windows;
  if (limits.lastFiredAt !== undefined) {
    state.lastFiredAt = limits.lastFiredAt;
    state.periodStart = limits.periodStart;
    state.periodCount = limits.periodCount;
  }
  return { state, fired, held, ended, evaluated: walk.evaluated, dueAt };
}

/** The branch with a key, `0.1`. */
export function branchAt(branches: readonly Branch[], key: string): Branch | undefined {
  const [first, ...rest] = key.split('.').map(Number);
  return rest.reduce<Branch | undefined>((branch, index) => branch?.conditions?.[index], branches[first ?? -1]);
}

/** Every branch of a rule with its key, in order. */
export function allBranches(branches: readonly Branch[], prefix = ''): { key: string; branch: Branch; depth: number }[] {
  return branches.flatMap((branch, index) => {
    const key = `${prefix}${index}`;
    return [{ key, branch, depth: key.split('.').length }, ...allBranches(branch.conditions ?? [], `${key}.`)];
  });
}

/** Whether a branch, or one that it is inside of, waits for an event. */
export function isMoment(branches: readonly Branch[], key: string): boolean {
  const parts = key.split('.');
  return parts.some((_part, index) => {
    const expression = branchAt(branches, parts.slice(0, index + 1).join('.'))?.expression ?? [];
    return expression.some(({ parameter }) => RULE_MOMENTS.has(parameter));
  });
}

const conditionsByRule = new WeakMap<readonly Branch[], readonly Condition[]>();

/** Every condition of a rule. */
export function conditionsOf(branches: readonly Branch[]): readonly Condition[] {
  const known = conditionsByRule.get(branches) ?? allBranches(branches).flatMap(({ branch }) => branch.expression ?? []);
  conditionsByRule.set(branches, known);
  return known;
}

import { RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import { DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { hasChanged, isBetween, keyOf, lineMeets, meets, numberOf } from './compare.ts';
import { CALM_SECONDS, FLAPS, isEvent, isMeasured, isWithin, recentOf, RECOVERY_SECONDS, toleranceOf } from './hysteresis.ts';
import { takeReadings, withoutFuture } from './known-state.ts';
import { limitsOf, MOST_PER_HOUR, readyAt } from './limits.ts';
import type { Branch, BranchState, Condition, Evaluated, Outcome, Report, Rule, State, Value, Values } from './types.ts';

/** How often an offline device is looked at for what it does not report. */
const OFFLINE_LOOK_MS = 5 * MINUTE;
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
  heardSince: number;
  onlineSince: number;
  isKnownOffline: boolean;
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
  recoverySeconds: number | undefined;
  /** Branches that were acted on and do not hold at the moment, with since when. */
  lostAt: Map<string, number>;
  /** Branches that were acted on, did not hold, and do again before they were over. */
  cameBack: Set<string>;
}

/** Whether nothing was reported of a parameter for so many minutes. */
function isMissing({ parameter, value }: Condition, walk: Walk): Truth {
  if (walk.isKnownOffline) {
    walk.wakeAt.push(walk.at + OFFLINE_LOOK_MS);
    return null;
  }
  const goesMissingAt = Math.max(walk.seen[parameter]?.[1] ?? walk.at, walk.heardSince, walk.onlineSince) + numberOf(value) * MINUTE;
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

/** Joins what each condition of an expression is; `&&` binds before `||`. */
function joined(expression: readonly Condition[], read: (condition: Condition) => Truth): Truth {
  let any: Truth = false;
  let all: Truth = true;
  for (const [index, condition] of expression.entries()) {
    all = and(all, read(condition));
    if (condition.joins_with === '||' || index === expression.length - 1) {
      any = or(any, all);
      all = true;
    }
  }
  return expression.length === 0 ? false : any;
}

function truthOfCondition(condition: Condition, walk: Walk): Truth {
  const now = truthNow(condition, walk.values[condition.parameter], walk);
  return condition.of === undefined ? now : overReports(condition, now, walk);
}

/** Whether a branch that was acted on has not come back far enough: a measured value is still within the tolerance of its condition. */
function holdsWithin(expression: readonly Condition[], walk: Walk): boolean {
  const truth = joined(expression, (condition) => {
    const value = walk.values[condition.parameter];
    const tolerance = toleranceOf(condition, value, walk.recoverySeconds);
    return tolerance === 0 || value === undefined ? truthOfCondition(condition, walk) : isWithin(Number(value), condition, tolerance);
  });
  return truth === true;
}

function truthOf(expression: readonly Condition[], walk: Walk): Truth {
  return joined(expression, (condition) => {
    const value = walk.values[condition.parameter];
    const truth = truthOfCondition(condition, walk);
    walk.evaluated.push({
      key: `cond_${walk.evaluated.length}`,
      parameter: condition.parameter,
      operator: condition.operator,
      expected: condition.operator === 'unusual' ? String(walk.values[bandOf(condition.parameter)] ?? '') : (condition.value ?? ''),
      actual: value ?? null,
      value: truth,
    });
    return truth;
  });
}

/** Whether a branch that was acted on and does not hold counts as one that holds, because the time to recover is not over. */
function isRecovering(
  key: string,
  { expression = [] }: Branch,
  { holds: parentHolds, conditions }: { holds: boolean; conditions: readonly Condition[] },
  walk: Walk,
): boolean {
  const known = walk.before.branches[key];
  // An event is over at once.
  if (!known?.fired || conditions.some(isEvent)) return false;
  if (parentHolds && holdsWithin(expression, walk)) return true;
  const comparesNumbers = conditions.some((condition) => isMeasured(condition, walk.values[condition.parameter]));
  const seconds = walk.recoverySeconds ?? (comparesNumbers ? RECOVERY_SECONDS : 0);
  const lostAt = known.lostAt ?? walk.at;
  const overAt = lostAt + (recentOf(walk.before, key, walk.at).length >= FLAPS ? Math.max(seconds, CALM_SECONDS) : seconds) * SECOND;
  if (walk.at >= overAt) return false;
  walk.lostAt.set(key, lostAt);
  walk.wakeAt.push(overAt);
  return true;
}

function walkBranches(
  branches: readonly Branch[],
  parent: { holds: boolean; conditions: readonly Condition[] },
  prefix: string,
  walk: Walk,
): void {
  let ifKey: string | undefined;
  for (const [index, branch] of branches.entries()) {
    const key = `${prefix}${index}`;
    walk.branches.set(key, branch);
    const conditions = [...parent.conditions, ...(branch.expression ?? [])];
    let holds: boolean;
    if (branch.type === 'else') {
      holds = parent.holds && ifKey !== undefined && walk.holds.get(ifKey) !== true;
      if (ifKey !== undefined && walk.holds.get(ifKey) === true) walk.armed.add(key);
    } else {
      ifKey = key;
      const truth = truthOf(branch.expression ?? [], walk);
      // What is not known stays as it was.
      const isMet = parent.holds && (truth ?? walk.before.branches[key]?.since !== undefined);
      holds = isMet || isRecovering(key, branch, { holds: parent.holds, conditions }, walk);
      if (isMet && walk.before.branches[key]?.lostAt !== undefined) walk.cameBack.add(key);
    }
    walk.holds.set(key, holds);
    walkBranches(branch.conditions ?? [], { holds, conditions }, `${key}.`, walk);
  }
}

/**
 * Evaluates a rule with the values that a device's record has now and the readings of its report; the same function live, in a back-test and when
 * somebody asks why. A branch is acted on once each time it begins to hold, when it has held for the delay and the quiet time is over; an `else` only
 * after its `if` has held. A reading is compared until the next one of its parameter.
 */
export function evaluate(rule: Rule, stored: State, record: Values, at: number, report: Report = {}): Outcome {
  const {
    isReport = true,
    readings,
    heardSince = Number.NEGATIVE_INFINITY,
    onlineSince = Number.NEGATIVE_INFINITY,
    isKnownOffline = false,
  } = report;
  const before = withoutFuture(stored, at);
  const { seen, late } = takeReadings(rule, before, at, report);
  const values: Record<string, Value | undefined> = { ...record };
  for (const [parameter, [value]] of Object.entries(seen)) if (value !== null) values[parameter] ??= value;
  const fresh = new Set([...(report.fresh ?? readings?.keys() ?? [])].filter((name) => !late.has(name)));
  const references = { ...before.references };
  const walk: Walk = {
    ...{ at, heardSince, onlineSince, isKnownOffline, values, before, references, seen, fresh, windows: {}, wakeAt: [] },
    ...{ evaluated: [], holds: new Map(), branches: new Map(), armed: new Set() },
    ...{ recoverySeconds: rule.recoverySeconds, lostAt: new Map(), cameBack: new Set() },
  };
  walkBranches(rule.branches, { holds: true, conditions: [] }, '', walk);
  const limits = limitsOf(rule, before, at, heardSince);
  const branches: Record<string, BranchState> = {};
  const fired: string[] = [];
  const held: string[] = [];
  const crossings = new Map<string, number>();
  const recent: Record<string, number[]> = {};
  for (const key of Object.keys(before.recent ?? {})) {
    const times = recentOf(before, key, at);
    if (times.length > 0) recent[key] = times;
  }
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
    const { lostAt: _former, ...kept } = known;
    const lostAt = walk.lostAt.get(key);
    const state: BranchState = {
      ...kept,
      ...(lostAt === undefined ? {} : { lostAt }),
      since: known.since ?? at,
      count: (known.count ?? 0) + (isReport || known.since === undefined ? 1 : 0),
    };
    branches[key] = state;
    if (walk.cameBack.has(key)) {
      state.crossings = (known.crossings ?? 1) + 1;
      crossings.set(key, state.crossings);
    }
    if (state.fired || (branch.actions ?? []).length === 0 || (branch.type === 'else' && !isArmed)) continue;
    const ready = readyAt(rule, state, limits, at);
    if (ready === at) {
      fired.push(key);
      const times =
        (branch.expression ?? []).some(isEvent) || rule.recoverySeconds === 0 ? [] : [...recentOf(before, key, at), at].slice(-FLAPS);
      if (times.length > 0) recent[key] = times;
      branches[key] = { since: state.since ?? at, count: state.count ?? 1, fired: true, crossings: times.length };
      limits.lastFiredAt = at;
      limits.periodCount += 1;
    } else if (ready !== undefined && (dueAt === undefined || ready < dueAt)) dueAt = ready;
    if (ready !== at && rule.limit === null && limits.periodCount >= MOST_PER_HOUR && !state.held) {
      held.push(key);
      state.held = true;
    }
  }
  const state: State = { branches, references };
  if (Object.keys(recent).length > 0) state.recent = recent;
  if (Object.keys(seen).length > 0) state.seen = seen;
  if (Object.keys(walk.windows).length > 0) state.windows = walk.windows;
  if (limits.lastFiredAt !== undefined) {
    state.lastFiredAt = limits.lastFiredAt;
    state.periodStart = limits.periodStart;
    state.periodCount = limits.periodCount;
  }
  return { state, fired, held, ended, crossings, evaluated: walk.evaluated, dueAt };
}

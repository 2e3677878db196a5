import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { isInside } from './places.ts';
import type { Branch, BranchState, Condition, Evaluated, Outcome, Rule, State, Value, Values } from './types.ts';

const PERIOD_MS = { hour: HOUR, day: DAY, week: 7 * DAY } as const;
/** No rule acts on a device more often than this, whatever it says: a loop between rules ends here. */
const MOST_PER_HOUR = 30;

export const emptyState = (): State => ({ branches: {}, references: {} });

const numberOf = (text: string | undefined): number => (text === undefined || text.trim() === '' ? Number.NaN : Number(text));

// `-100..-80`, `22:00-06:00`
const NUMBER_RANGE = /^\s*(-?[\d.]+)\s*(?:-|\.\.)\s*(-?[\d.]+)\s*$/;

/** Whether a number is within `-100..-80`, or a time of day within `22:00-06:00`, over midnight too. */
function isBetween(value: Value, expected: string): boolean {
  if (typeof value === 'number') {
    const [, from, to] = NUMBER_RANGE.exec(expected) ?? [];
    return value >= numberOf(from) && value <= numberOf(to);
  }
  const [from = '', to = ''] = expected.split('-').map((part) => part.trim());
  return from <= to ? value >= from && value < to : value >= from || value < to;
}

function compare(value: Value, { operator, value: expected = '' }: Condition): boolean {
  const wanted = typeof value === 'number' ? numberOf(expected) : expected;
  switch (operator) {
    case '==':
      return typeof value === 'number' ? value === wanted : value.toLowerCase() === expected.toLowerCase();
    case '!=':
      return typeof value === 'number' ? value !== wanted : value.toLowerCase() !== expected.toLowerCase();
    case '>':
      return value > wanted;
    case '>=':
      return value >= wanted;
    case '<':
      return value < wanted;
    case '<=':
      return value <= wanted;
    case 'contains':
      return String(value).toLowerCase().includes(expected.toLowerCase());
    case 'in':
      return expected.split(',').some((part) => part.trim().toLowerCase() === String(value).toLowerCase());
    case 'between':
      return isBetween(value, expected);
    case 'inside':
      return isInside(String(value), expected);
    case 'outside':
      return !isInside(String(value), expected);
    default:
      return false;
  }
}

/** Whether a value differs from the one that was kept, which it then takes the place of. The first value is only kept. */
function hasChanged(condition: Condition, value: Value, references: Record<string, Value>): boolean {
  const key = `${condition.parameter} ${condition.operator} ${condition.value ?? ''}`;
  const before = references[key];
  const least = condition.operator === 'changed_by' ? numberOf(condition.value) : 0;
  const isOther =
    before !== undefined && (condition.operator === 'changed' ? before !== value : Math.abs(Number(value) - Number(before)) >= least);
  if (before === undefined || isOther) references[key] = value;
  return isOther;
}

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
  values: Values;
  before: State;
  references: Record<string, Value>;
  evaluated: Evaluated[];
  /** Whether each branch holds. */
  holds: Map<string, boolean>;
  /** Branches with their keys, in the order of the rule. */
  branches: Map<string, Branch>;
  armed: Set<string>;
}

function truthOf(expression: readonly Condition[], walk: Walk): Truth {
  let any: Truth = false;
  let all: Truth = true;
  for (const [index, condition] of expression.entries()) {
    const value = walk.values[condition.parameter];
    const isChange = condition.operator === 'changed' || condition.operator === 'changed_by';
    const truth = value === undefined ? null : isChange ? hasChanged(condition, value, walk.references) : compare(value, condition);
    walk.evaluated.push({
      key: `cond_${walk.evaluated.length}`,
      parameter: condition.parameter,
      operator: condition.operator,
      expected: condition.value ?? '',
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
 * Evaluates a rule with the values that a device has now; the same function live, in a back-test and when somebody asks why. A branch is acted on once
 * each time it begins to hold, when it has held for the delay and the quiet time is over; an `else` only after its `if` has held. `isReport`: the
 * device said something, which counts for `delayCount`.
 */
export function evaluate(rule: Rule, before: State, values: Values, at: number, { isReport = true } = {}): Outcome {
  const references = { ...before.references };
  const walk: Walk = { values, before, references, evaluated: [], holds: new Map(), branches: new Map(), armed: new Set() };
  walkBranches(rule.branches, true, '', walk);
  const limits = limitsOf(rule, before, at);
  const branches: Record<string, BranchState> = {};
  const fired: string[] = [];
  const ended: string[] = [];
  let dueAt: number | undefined;
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
  }
  const state: State = { branches, references };
  if (limits.lastFiredAt !== undefined) {
    state.lastFiredAt = limits.lastFiredAt;
    state.periodStart = limits.periodStart;
    state.periodCount = limits.periodCount;
  }
  return { state, fired, ended, evaluated: walk.evaluated, dueAt };
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

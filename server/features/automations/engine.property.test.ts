import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE } from '../../kernel/clock.ts';
import { replay } from './replay.ts';
import { emptyState, evaluate } from './engine.ts';
import type { Branch, Condition, Rule, Value } from './types.ts';

/** A report of a device: what it measured, when it measured it, and when it came. */
interface Arrival {
  minute: number;
  name: string;
  value: number;
  /** Minutes by which the measurement is older than its arrival. */
  age: number;
}

const NAMES = ['pin_a', 'pin_b', 'pin_c'];
const valueOf = (operator: string, limit: number): string =>
  operator === 'missing' ? String(limit * 5 + 1) : operator === 'matches' ? `^[0-${limit}]$` : String(limit);
const condition: fc.Arbitrary<Condition> = fc
  .record({
    parameter: fc.constantFrom(...NAMES),
    operator: fc.constantFrom('<' as const, '>=' as const, '==' as const, '!=' as const, 'matches' as const, 'missing' as const),
    limit: fc.integer({ min: 0, max: 4 }),
    joins_with: fc.constantFrom('&&' as const, '||' as const),
    window: fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 3, max: 5 })), { nil: undefined, freq: 3 }),
  })
  .map(({ parameter, operator, limit, joins_with, window }) => ({
    ...{ parameter, operator, joins_with, value: valueOf(operator, limit) },
    ...(window && operator !== 'missing' ? { times: window[0], of: window[1] } : {}),
  }));
const actions = [{ name: 'RaiseAlert' as const }];
const branchOf = (inner: fc.Arbitrary<Branch[]>): fc.Arbitrary<Branch> =>
  fc
    .record({ expression: fc.array(condition, { minLength: 1, maxLength: 4 }), inner })
    .map(({ expression, inner: conditions }) => ({ type: 'if', expression, actions, conditions }));
const branches = fc.array(branchOf(fc.array(branchOf(fc.constant([])), { maxLength: 2 })), { minLength: 1, maxLength: 3 });
const arrivals = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 12 }),
      name: fc.constantFrom(...NAMES),
      value: fc.integer({ min: 0, max: 4 }),
      age: fc.constantFrom(0, 0, 0, 5, 20),
    }),
    { maxLength: 40 },
  )
  .map((list) => {
    let minute = 0;
    return list.map(({ gap, ...one }): Arrival => ({ ...one, minute: (minute += gap) }));
  });
const rule = (some: Branch[], delayMinutes: number): Rule => ({
  branches: some,
  delaySeconds: delayMinutes * 60,
  delayCount: 1,
  cooldownSeconds: 0,
  recoverySeconds: 0,
  limit: 10_000,
  period: 'week',
});

/** Everything that had come by a minute, without what was older than something of the same name that had come before. */
function inOrder(all: readonly Arrival[], until: number): Arrival[] {
  const newest = new Map<string, number>();
  return all.filter(({ minute, name, age }) => {
    if (minute > until) return false;
    const measured = minute - age;
    if (measured < (newest.get(name) ?? Number.NEGATIVE_INFINITY)) return false;
    newest.set(name, measured);
    return true;
  });
}

/** A condition at a minute, read from the whole history without any memory. */
function plainTruth({ parameter, operator, value, times, of }: Condition, history: readonly Arrival[], minute: number): boolean | null {
  const own = history.filter(({ name }) => name === parameter);
  if (operator === 'missing') return minute - (own.length === 0 ? 0 : Math.max(...own.map((one) => one.minute - one.age))) >= Number(value);
  const limit = operator === 'matches' ? Number(value?.at(4)) : Number(value);
  const compare: Partial<Record<Condition['operator'], (reading: number) => boolean>> = {
    '<': (reading) => reading < limit,
    '>=': (reading) => reading >= limit,
    '==': (reading) => reading === limit,
    '!=': (reading) => reading !== limit,
    matches: (reading) => reading <= limit,
  };
  const met = own.map((one) => compare[operator]?.(one.value) ?? false);
  if (met.length === 0) return null;
  return of === undefined ? (met.at(-1) ?? null) : met.slice(-of).filter(Boolean).length >= (times ?? 1);
}

/** Three-valued logic by trying what the unknown could be: known only if it makes no difference. */
function plainExpression(expression: readonly Condition[], truths: readonly (boolean | null)[]): boolean | null {
  const open = truths.findIndex((truth) => truth === null);
  if (open >= 0) {
    const [yes, no] = [true, false].map((guess) =>
      plainExpression(
        expression,
        truths.map((truth, index) => (index === open ? guess : truth)),
      ),
    );
    return yes === no ? (yes ?? null) : null;
  }
  const groups: boolean[][] = [[]];
  for (const [index, truth] of truths.entries()) {
    groups.at(-1)?.push(truth === true);
    if (expression[index]?.joins_with === '||') groups.push([]);
  }
  return groups.some((group) => group.length > 0 && group.every(Boolean));
}

/** What a rule does by a plain evaluation of the whole history at each minute at which something came or time alone can turn it. */
function plainRun(some: readonly Branch[], all: readonly Arrival[], last: number, delay: number): string[] {
  const since = new Map<string, number>();
  const acted = new Set<string>();
  const found: string[] = [];
  for (let minute = 0; minute <= last; minute += 1) {
    const history = inOrder(all, minute);
    const look = (list: readonly Branch[], isOpen: boolean, prefix: string): void => {
      for (const [index, { expression = [], conditions = [] }] of list.entries()) {
        const key = `${prefix}${index}`;
        const truth = plainExpression(
          expression,
          expression.map((one) => plainTruth(one, history, minute)),
        );
        const holds = isOpen && (truth ?? since.has(key));
        if (!holds) {
          since.delete(key);
          acted.delete(key);
        } else {
          if (!since.has(key)) since.set(key, minute);
          if (!acted.has(key) && minute >= (since.get(key) ?? 0) + delay) {
            acted.add(key);
            found.push(`${minute} ${key}`);
          }
        }
        look(conditions, holds, `${key}.`);
      }
    };
    look(some, true, '');
  }
  return found.toSorted();
}

/** The same by the engine, report after report and whenever it asks to be looked at again. */
function engineRun(given: Rule, all: readonly Arrival[], last: number): string[] {
  let state = emptyState();
  let dueAt: number | undefined = 0;
  const found: string[] = [];
  for (let minute = 0; minute <= last; minute += 1) {
    const at = minute * MINUTE;
    const report = all.find((one) => one.minute === minute);
    if (!report && (dueAt ?? Number.POSITIVE_INFINITY) > at) continue;
    const readings = new Map<string, Value>(report ? [[report.name, report.value]] : []);
    const readAt = new Map(report ? [[report.name, (report.minute - report.age) * MINUTE]] : []);
    // What is kept between two evaluations is text in the database.
    const outcome = evaluate(given, JSON.parse(JSON.stringify(state)), {}, at, { isReport: report !== undefined, readings, readAt });
    ({ state, dueAt } = outcome);
    for (const key of outcome.fired) found.push(`${minute} ${key}`);
  }
  return found.toSorted();
}

test('for any rule and any order of reports, the engine does what a plain evaluation of the whole history says', () => {
  fc.assert(
    fc.property(branches, arrivals, fc.integer({ min: 0, max: 10 }), (some, all, delay) => {
      const last = (all.at(-1)?.minute ?? 0) + 40;
      expect(engineRun(rule(some, delay), all, last)).toEqual(plainRun(some, all, last, delay));
    }),
    { numRuns: 400 },
  );
});

test('a back-test finds what happens live, for any rule', () => {
  fc.assert(
    fc.property(branches, arrivals, fc.integer({ min: 0, max: 10 }), (some, reports, delay) => {
      const all = reports.map((one) => ({ ...one, age: 0 }));
      const last = (all.at(-1)?.minute ?? 0) + 40;
      const points = all.map(({ minute, name, value }) => ({ at: minute * MINUTE, name, value }));
      const device = { id: 1, name: 'router', timezone: null };
      const found = points.length === 0 ? [] : [...replay(rule(some, delay), device, points, { start: 0, end: last * MINUTE })];
      const live = points.length === 0 ? [] : engineRun(rule(some, delay), all, last);
      expect(found.map(({ at, branch }) => `${Date.parse(`${at.replace(' ', 'T')}Z`) / MINUTE} ${branch}`).toSorted()).toEqual(live);
    }),
    { numRuns: 400 },
  );
});

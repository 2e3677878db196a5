import { isKnownByServer, RULE_COUNTERS, RULE_MOMENTS } from '../../../schemas/kit/form/rule-parameters.ts';
import { HOUR } from '../../kernel/clock.ts';
import { meets, numberOf, readRange } from './compare.ts';
import type { Condition, State, Value } from './types.ts';

/** Readings around a threshold are one event: what compares measured numbers is over when it has not held for so long, unless its rule says another time. */
export const RECOVERY_SECONDS = 300;
/** What flaps is over when it has not held for so long. */
export const CALM_SECONDS = 900;
/** Acted on so often within an hour, a branch flaps: it stays open until it is calm. */
export const FLAPS = 4;
/** A value is back when it is beyond its threshold by so much of it, unless its condition says another tolerance. */
const USUAL_TOLERANCE = 0.02;
const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'between']);
const CHANGES: ReadonlySet<string> = new Set(['changed', 'changed_by']);

/** Whether a condition is about a moment, which is over at once. */
export const isEvent = ({ parameter, operator }: Condition): boolean => RULE_MOMENTS.has(parameter) || CHANGES.has(operator);

/** Whether a condition compares a number that the device measures. */
export const isMeasured = ({ parameter, operator }: Condition, value: Value | undefined): boolean =>
  (COMPARISONS.has(operator) || operator === 'unusual') && typeof value === 'number' && !isKnownByServer(parameter);

/** Whether a tolerance can be set for a condition of numbers. */
export const takesTolerance = ({ operator, of }: Condition): boolean => COMPARISONS.has(operator) && of === undefined;

/** How far a value has to come back until its condition is over, in its unit; 0: not at all. A rule that acts on every crossing has none unless it is set. */
export function toleranceOf(condition: Condition, value: Value | undefined, recoverySeconds: number | undefined): number {
  const { parameter, operator, value: expected = '', tolerance } = condition;
  if (typeof value !== 'number' || !takesTolerance(condition)) return 0;
  if (tolerance !== undefined) return tolerance;
  if (recoverySeconds === 0 || isKnownByServer(parameter) || RULE_COUNTERS.has(parameter)) return 0;
  const [from, to] = operator === 'between' ? readRange(expected) : [0, numberOf(expected)];
  return Math.abs(to - from) * USUAL_TOLERANCE;
}

/** Whether a value is beyond its threshold, or no more than the tolerance on the other side of it. */
export function isWithin(value: number, condition: Condition, tolerance: number): boolean {
  const { operator, value: expected = '' } = condition;
  if (operator === 'between') {
    const [from, to] = readRange(expected);
    return value > from - tolerance && value < to + tolerance;
  }
  const threshold = numberOf(expected);
  return meets(value, condition) || (operator.startsWith('<') ? value < threshold + tolerance : value > threshold - tolerance);
}

/** When a branch was acted on within the hour before a time. */
export const recentOf = (before: State, key: string, at: number): number[] =>
  (before.recent?.[key] ?? []).filter((time) => time <= at && time > at - HOUR).slice(-FLAPS);

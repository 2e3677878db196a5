import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import type { BranchState, Rule, State } from './types.ts';

const PERIOD_MS = { hour: HOUR, day: DAY, week: 7 * DAY } as const;
/** No rule acts on a device more often than this, whatever it says: a loop between rules ends here. */
export const MOST_PER_HOUR = 30;

export interface Limits {
  lastFiredAt: number | undefined;
  periodStart: number;
  periodCount: number;
  heardSince: number;
}

/** How often a rule has acted on a device, and when last. */
export function limitsOf(rule: Rule, before: State, at: number, heardSince: number): Limits {
  const length = rule.limit === null ? HOUR : PERIOD_MS[rule.period];
  const isOver = before.periodStart === undefined || at >= before.periodStart + length;
  return {
    lastFiredAt: before.lastFiredAt,
    periodStart: isOver ? at : (before.periodStart ?? at),
    periodCount: isOver ? 0 : (before.periodCount ?? 0),
    heardSince,
  };
}

/** When a branch that waits may be acted on at the earliest; undefined when only another report can bring it about. */
export function readyAt(rule: Rule, { since = 0, count = 0 }: BranchState, limits: Limits, at: number): number | undefined {
  if (count < rule.delayCount) return undefined;
  // Nobody knows whether it held while no device could be heard.
  const held = rule.delaySeconds === 0 ? since : Math.max(since, limits.heardSince) + rule.delaySeconds * SECOND;
  const rested = limits.lastFiredAt === undefined ? 0 : limits.lastFiredAt + rule.cooldownSeconds * SECOND;
  const most = rule.limit ?? MOST_PER_HOUR;
  const free = limits.periodCount < most ? 0 : limits.periodStart + (rule.limit === null ? HOUR : PERIOD_MS[rule.period]);
  return Math.max(held, rested, free, at);
}

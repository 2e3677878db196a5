import { conditionsOf } from './branches.ts';
import type { Report, Rule, State } from './types.ts';

/** What is known of the readings of a device after a report; `late`: those of it that are older than what was known. */
export function takeReadings(rule: Rule, before: State, at: number, { readings = new Map(), readAt, fresh }: Report) {
  const seen = { ...before.seen };
  const late = new Set<string>();
  for (const { parameter, operator } of conditionsOf(rule.branches)) {
    const reading = readings.get(parameter);
    const when = Math.min(readAt?.get(parameter) ?? at, at);
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

/** A state in which nothing is later than now: it was kept by a clock that was ahead, and would hold the rule back until that time comes. */
export function withoutFuture(state: State, at: number): State {
  const seen = Object.entries(state.seen ?? {});
  const branches = Object.entries(state.branches);
  const times = [
    state.lastFiredAt,
    state.periodStart,
    ...seen.map(([, [, time]]) => time),
    ...Object.values(state.recent ?? {}).flat(),
    ...branches.flatMap(([, { since, lostAt }]) => [since, lostAt]),
  ];
  if (times.every((time = at) => time <= at)) return state;
  const past = (time: number | undefined): number | undefined => (time === undefined ? undefined : Math.min(time, at));
  return {
    ...state,
    branches: Object.fromEntries(
      branches.map(([key, branch]) => [key, { ...branch, since: past(branch.since), lostAt: past(branch.lostAt) }]),
    ),
    seen: Object.fromEntries(seen.map(([parameter, [value, time]]) => [parameter, [value, Math.min(time, at)]])),
    ...(state.recent === undefined ? {} : { recent: {} }),
    lastFiredAt: past(state.lastFiredAt),
    periodStart: past(state.periodStart),
  };
}

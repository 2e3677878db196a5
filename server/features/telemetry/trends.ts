import { changedSince } from '../../domain/devices/changed-since.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { HOUR } from '../../kernel/clock.ts';
import { deafPeriods, withoutDeafness } from '../../domain/devices/hearing.ts';
import { isVisible } from '../../kernel/tenancy.ts';

const HOURS = 24;
const ONLINE = '1';

/** The last 24 hours of a device, oldest first: the signal (dBm, average) and the share of the time online (0 to 100) of each; null where nothing is known. */
export interface Trend {
  id: number;
  signal: (number | null)[];
  online: (number | null)[];
}

interface Span {
  from: number;
  to: number;
  isOnline: boolean;
}

/** The share of each hour that the spans are online in. */
export function shareByHour(spans: readonly Span[], start: number): (number | null)[] {
  return Array.from({ length: HOURS }, (_, index) => {
    const [from, to] = [start + index * HOUR, start + (index + 1) * HOUR];
    let known = 0;
    let online = 0;
    for (const span of spans) {
      const length = Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
      known += length;
      if (span.isOnline) online += length;
    }
    return known === 0 ? null : Math.round((online * 100) / known);
  });
}

/** The last day of these devices, for a page of a list: two reads for all of them. Devices that the actor does not see are left out. */
export async function readTrends(ctx: Context, actor: Actor, ids: readonly number[]): Promise<Trend[]> {
  const now = ctx.clock.now();
  const start = now - (now % HOUR) - (HOURS - 1) * HOUR;
  const { idList } = ctx.database.tools;
  const devices = await ctx.reads
    .selectFrom('devices')
    .select(['id', 'status', 'status_changed_at'])
    .where('id', 'in', idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  const seen = devices.map(({ id }) => id);
  if (seen.length === 0) return [];
  const signals = await ctx.reads
    .selectFrom('device_hours')
    .select(['device_id', 'at', 'total', 'readings'])
    .where('device_id', 'in', idList(seen))
    .where('metric', '=', 'signal')
    .where('at', '>=', start)
    .execute();
  const states = await ctx.reads
    .selectFrom('device_states')
    .select(['device_id', 'at', 'value'])
    .where('device_id', 'in', idList(seen))
    .where('name', '=', 'status')
    .where(changedSince(start))
    .orderBy('at')
    .execute();
  const deaf = await deafPeriods(ctx.reads, { start, end: now }, now);
  const [signalOf, stateOf] = [Map.groupBy(signals, (row) => row.device_id), Map.groupBy(states, (row) => row.device_id)];
  return devices.map(({ id, status, status_changed_at }) => {
    const averages = new Map((signalOf.get(id) ?? []).map(({ at, total, readings }) => [at, Math.round(total / readings)]));
    const changes = stateOf.get(id) ?? [];
    const spans = changes.map(({ at, value }, index) => ({ from: at, to: changes[index + 1]?.at ?? now, isOnline: value === ONLINE }));
    // Before the first change that is kept, the status is as it was changed last.
    if (spans.length === 0 && status !== null) spans.push({ from: status_changed_at ?? start, to: now, isOnline: status === 1 });
    return {
      id,
      signal: Array.from({ length: HOURS }, (_, index) => averages.get(start + index * HOUR) ?? null),
      online: shareByHour(withoutDeafness(spans, deaf), start),
    };
  });
}

import { sql } from 'kysely';
import { changedSince } from '../../domain/devices/changed-since.ts';
import { deafPeriods, withoutDeafness } from '../../domain/devices/hearing.ts';
import type { Context } from '../../context.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../kernel/clock.ts';
import type { Period } from './period.ts';

/** The widths that points are drawn in. */
const STEPS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY, 7 * DAY];
/** From so many points on the hours serve instead of each reading. */
const RAW_PERIOD_MS = 3 * DAY;
const HOURS_PERIOD_MS = 90 * DAY;

const UNITS: Readonly<Record<string, string>> = {
  signal: 'dBm',
  rsrp: 'dBm',
  signal_2: 'dBm',
  rsrq: 'dB',
  sinr: 'dB',
  temperature: 'tenths of °C',
  sent: 'B',
  received: 'B',
  speed: 'km/h',
  router_uptime: 's',
  disk_total_kb: 'KiB',
  disk_used_kb: 'KiB',
  mem_available_kb: 'KiB',
  voltage_mv: 'mV',
  current_ma: 'mA',
};
/** They only grow, until they begin again. */
const COUNTERS: ReadonlySet<string> = new Set(['sent', 'received', 'router_uptime']);

/** The unit of a metric; empty for a number without one. */
export const unitOf = (metric: string): string => UNITS[metric] ?? '';
export const isCounter = (metric: string): boolean => COUNTERS.has(metric);

type Resolution = 'raw' | 'hour' | 'day';

/** The finest that is kept for the whole period and is not too much of it. */
function resolutionOf(ctx: Context, { start, end }: Period): Resolution {
  const { telemetryRawMs, telemetryHoursMs } = ctx.config;
  const now = ctx.clock.now();
  if (end - start <= RAW_PERIOD_MS && start >= now - telemetryRawMs) return 'raw';
  if (end - start <= HOURS_PERIOD_MS && start >= now - telemetryHoursMs - HOUR) return 'hour';
  return 'day';
}

const SOURCES = {
  raw: sql`(select device_id, metric, at, value as lowest, value as highest, value as total, 1 as readings from device_samples)`,
  hour: sql`device_hours`,
  day: sql`device_days`,
};
const WIDTHS = { raw: 5 * MINUTE, hour: HOUR, day: DAY };

interface PointRow {
  metric: string;
  step: number;
  average: number;
  lowest: number;
  highest: number;
}

/** A metric over a period: points of `[Unix seconds, average, lowest, highest]`, none where nothing was read. */
export interface Series {
  metric: string;
  unit: string;
  points: [number, number, number, number][];
}

/** Metrics of a device over a period in at most `points` steps. The caller has checked that the actor sees the device. */
export async function readSeries(
  ctx: Context,
  deviceId: number,
  { metrics, period, points }: { metrics: readonly string[]; period: Period; points: number },
): Promise<{ resolution: Resolution; step_seconds: number; series: Series[] }> {
  const resolution = resolutionOf(ctx, period);
  const finest = WIDTHS[resolution];
  const width = STEPS.find((step) => step >= finest && (period.end - period.start) / step <= points) ?? 7 * DAY;
  const read = sql<PointRow>`select r.metric as metric, r.at / cast(${width} as bigint) as step, sum(r.total) / sum(r.readings) as average,
      min(r.lowest) as lowest, max(r.highest) as highest
    from ${SOURCES[resolution]} as r where r.device_id = ${deviceId} and r.metric in (${sql.join(metrics)})
      and r.at >= ${period.start - (period.start % finest)} and r.at < ${period.end}
    group by 1, 2 order by 2`;
  const rows = metrics.length === 0 ? [] : await ctx.database.longReads.rows(read.compile(ctx.reads));
  const byMetric = Map.groupBy(rows, (row) => row.metric);
  return {
    resolution,
    step_seconds: width / SECOND,
    series: metrics.map((metric) => ({
      metric,
      unit: unitOf(metric),
      points: (byMetric.get(metric) ?? []).map((row) => [(Number(row.step) * width) / SECOND, row.average, row.lowest, row.highest]),
    })),
  };
}

/** A text over a period: spans of `[from, to, value]` in Unix seconds. */
export interface States {
  metric: string;
  spans: [number, number, string][];
}

/** Reads the value of a text at moments (Unix seconds) that only go forward; null where nothing is known. */
export function walkSpans({ spans }: States): (at: number) => string | null {
  let index = 0;
  return (at) => {
    for (let span = spans[index]; span && span[1] <= at; span = spans[index]) index += 1;
    const [from, , value] = spans[index] ?? [Number.POSITIVE_INFINITY, 0, null];
    return from <= at ? value : null;
  };
}

/** What texts of a device were in a period, from what they were before it on. The caller has checked that the actor sees the device. */
export async function readStates(ctx: Context, deviceId: number, names: readonly string[], { start, end }: Period): Promise<States[]> {
  if (names.length === 0) return [];
  const last = Math.min(end, ctx.clock.now());
  const read = ctx.reads
    .selectFrom('device_states')
    .select(['name', 'at', 'value'])
    .where('device_id', '=', deviceId)
    .where('name', 'in', names)
    .where('at', '<', end)
    .where(changedSince(start))
    .orderBy('at');
  const rows = await ctx.database.longReads.rows(read.compile());
  const byName = Map.groupBy(rows, (row) => row.name);
  // What else a device said last stays known while nobody can hear it; whether it is online does not.
  const deaf = names.includes('status') ? await deafPeriods(ctx.reads, { start, end }, ctx.clock.now()) : [];
  return names.map((metric) => {
    const changes = byName.get(metric) ?? [];
    const spans = changes.map(({ at, value }, index) => ({ from: Math.max(at, start), to: changes[index + 1]?.at ?? last, value }));
    const known = metric === 'status' ? withoutDeafness(spans, deaf) : spans;
    return { metric, spans: known.map(({ from, to, value }): [number, number, string] => [from / SECOND, to / SECOND, value]) };
  });
}

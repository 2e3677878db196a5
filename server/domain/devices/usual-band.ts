import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { DAY, HOUR } from '../../kernel/clock.ts';

const DAYS = 28;
/** Fewer days say nothing of what is usual. */
const LEAST_DAYS = 7;
/** Of a normal distribution the median absolute deviation is so much less than the standard deviation. */
const MAD_TO_SIGMA = 1.4826;
const SIGMAS = 3;
/** A value that hardly ever moves has a band of at least this share of itself on each side. */
const LEAST_SHARE = 0.02;
const MOST_KEPT = 200_000;

/** Between what a metric usually is at an hour of the day. */
export interface Band {
  low: number;
  high: number;
}

function medianOf(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The hours that say what is usual in the hour that begins at `hour`: the same hour of the day and those beside it, in the 28 days before. */
export function hoursBefore(hour: number): number[] {
  return Array.from({ length: DAYS }, (_, day) => [-HOUR, 0, HOUR].map((beside) => hour - (day + 1) * DAY + beside)).flat();
}

/**
 * The usual band of a metric in the hour that begins at `hour`: the median of its hourly averages at this time of the day, with three standard
 * deviations (by the median absolute deviation, so that outliers do not widen it) on each side. undefined with less than seven days of readings.
 */
export function bandAt(averages: ReadonlyMap<number, number>, hour: number): Band | undefined {
  const known = hoursBefore(hour).flatMap((at) => (averages.has(at) ? { at, value: averages.get(at) ?? 0 } : []));
  if (new Set(known.map(({ at }) => Math.floor((hour + HOUR - at) / DAY))).size < LEAST_DAYS) return undefined;
  const median = medianOf(known.map(({ value }) => value).toSorted((a, b) => a - b));
  const deviations = known.map(({ value }) => Math.abs(value - median)).toSorted((a, b) => a - b);
  const half = Math.max(SIGMAS * MAD_TO_SIGMA * medianOf(deviations), Math.abs(median) * LEAST_SHARE);
  return { low: median - half, high: median + half };
}

const keyOf = (deviceId: number, metric: string): string => `${deviceId} ${metric}`;

/** Usual bands of devices, read from their hours at most once an hour for each device and metric. */
export function createBands(ctx: Pick<Context, 'clock' | 'database'>) {
  let hour = 0;
  let kept = new Map<string, Band | null>();
  return {
    /** The bands in the hour of now, by `keyOf`; without an entry where too little is known. */
    async read(
      db: Db,
      deviceIds: readonly number[],
      metrics: readonly string[],
    ): Promise<(deviceId: number, metric: string) => Band | undefined> {
      const now = ctx.clock.now();
      const begun = now - (now % HOUR);
      if (begun !== hour || kept.size > MOST_KEPT) [hour, kept] = [begun, new Map()];
      const wanted = deviceIds.filter((id) => metrics.some((metric) => !kept.has(keyOf(id, metric))));
      if (wanted.length > 0 && metrics.length > 0) {
        const rows = await db
          .selectFrom('device_hours')
          .select(['device_id', 'metric', 'at', 'total', 'readings'])
          .where('device_id', 'in', ctx.database.tools.idList(wanted))
          .where('metric', 'in', metrics)
          .where('at', 'in', ctx.database.tools.idList(hoursBefore(begun)))
          .execute();
        const byKey = Map.groupBy(rows, ({ device_id, metric }) => keyOf(device_id, metric));
        for (const id of wanted)
          for (const metric of metrics) {
            const own = byKey.get(keyOf(id, metric)) ?? [];
            const averages = new Map(own.map(({ at, total, readings }) => [Number(at), total / readings]));
            kept.set(keyOf(id, metric), bandAt(averages, begun) ?? null);
          }
      }
      return (deviceId, metric) => kept.get(keyOf(deviceId, metric)) ?? undefined;
    },
  };
}

import type { Context } from '../../context.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { bandAt } from '../../domain/devices/usual-band.ts';
import { takeTurns } from '../../kernel/turns.ts';
import type { Period } from './period.ts';
import { isCounter } from './series.ts';

/** Of a longer period a band by the hour is a blur. */
const MOST_MS = 31 * DAY;
/** The hours of so many days before a moment say what is usual. */
const BEFORE_MS = 29 * DAY;

/** What a metric usually is, by the hour: `[Unix seconds, low, high]`, none where too little is known. */
export interface UsualBand {
  metric: string;
  band: [number, number, number][];
}

/** The usual bands of metrics of a device over a period of at most 31 days. The caller has checked that the actor sees the device. */
export async function readUsual(ctx: Context, deviceId: number, metrics: readonly string[], { start, end }: Period): Promise<UsualBand[]> {
  const asked = metrics.filter((metric) => !isCounter(metric));
  if (asked.length === 0 || end - start > MOST_MS) return [];
  const read = ctx.reads
    .selectFrom('device_hours')
    .select(['metric', 'at', 'total', 'readings'])
    .where('device_id', '=', deviceId)
    .where('metric', 'in', asked)
    .where('at', '>=', start - BEFORE_MS)
    .where('at', '<', end);
  const rows = await ctx.database.longReads.rows(read.compile());
  const turns = takeTurns();
  const byMetric = Map.groupBy(rows, (row) => row.metric);
  const hours = Array.from({ length: Math.ceil((end - start) / HOUR) + 1 }, (_none, index) => start - (start % HOUR) + index * HOUR);
  const bands: UsualBand[] = [];
  for (const metric of asked) {
    const averages = new Map((byMetric.get(metric) ?? []).map(({ at, total, readings }) => [Number(at), total / readings]));
    const band: UsualBand['band'] = [];
    for (const at of hours) {
      const known = bandAt(averages, at);
      if (known) band.push([at / SECOND, known.low, known.high]);
      if (turns.isOver()) await turns.next();
    }
    bands.push({ metric, band });
  }
  return bands;
}

import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY, HOUR, MINUTE, SECOND, wireTime } from '../../kernel/clock.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { getTag } from './service.ts';

/** The readings that are asked for; a device sends those that it has. */
export const PARAMETERS = ['temperature', 'signal', 'sent', 'received', 'analog_input', 'satellites', 'speed'] as const;

export interface ValuesQuery {
  /** The temperature unless told. */
  parameter?: (typeof PARAMETERS)[number];
  /** `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, UTC; a day before the end unless told. */
  start_date?: string;
  /** The same; a day alone is included. Now unless told. */
  end_date?: string;
}

const STEPS = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY];
const MAX_POINTS = 120;

const momentOf = (text: string): number => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);

function periodOf(now: number, { start_date, end_date }: ValuesQuery): { start: number; end: number } {
  const end = end_date === undefined ? now : momentOf(end_date) + (end_date.length === 10 ? DAY : 0);
  return { start: start_date === undefined ? end - DAY : momentOf(start_date), end };
}

/** Readings of the devices that carry a tag and that the actor sees, for `from … where`. */
function readingsOf(
  actor: Actor,
  tagId: number,
  { parameter = 'temperature' }: ValuesQuery,
  { start, end }: { start: number; end: number },
): RawBuilder<unknown> {
  return sql`device_tags inner join devices on devices.id = device_tags.device_id
    inner join device_samples on device_samples.device_id = devices.id and device_samples.metric = ${parameter}
      and device_samples.at >= ${start} and device_samples.at < ${end}
    where device_tags.tag_id = ${tagId} and ${isVisible(actor, 'devices')}`;
}

interface ReadingRow {
  device_id: number;
  serial: string;
  value: number;
  at: number;
}

/** The highest and the lowest reading of a tag's devices in a period, with the device that has each; null without readings. Throws NOT_FOUND. */
export async function findExtremes(ctx: Context, actor: Actor, tagId: number, query: ValuesQuery) {
  await getTag(ctx, actor, tagId);
  const period = periodOf(ctx.clock.now(), query);
  const first = async (direction: 'asc' | 'desc') => {
    const read = sql<ReadingRow>`select devices.id as device_id, devices.serial as serial, device_samples.value as value, device_samples.at as at
      from ${readingsOf(actor, tagId, query, period)} order by device_samples.value ${sql.raw(direction)}, device_samples.at limit 1`;
    const [row] = await ctx.database.longReads.rows(read.compile(ctx.reads));
    return row ? { serial: row.serial, device_id: row.device_id, value: row.value, created_at: wireTime(row.at) } : null;
  };
  return { Maximum: await first('desc'), Minimum: await first('asc') };
}

interface PointRow {
  step: number;
  minimum: number;
  maximum: number;
  average: number;
  devices_count: number;
}

/** The readings of a tag's devices over a period in at most 120 steps; steps without readings are left out. Throws NOT_FOUND. */
export async function readSeries(ctx: Context, actor: Actor, tagId: number, query: ValuesQuery) {
  await getTag(ctx, actor, tagId);
  const { start, end } = periodOf(ctx.clock.now(), query);
  const width = STEPS.find((step) => (end - start) / step <= MAX_POINTS) ?? DAY;
  const firstStep = Math.floor(start / width);
  const read = sql<PointRow>`select device_samples.at / cast(${width} as bigint) as step, min(device_samples.value) as minimum,
    max(device_samples.value) as maximum, avg(device_samples.value) as average, count(distinct devices.id) as devices_count
    from ${readingsOf(actor, tagId, query, { start, end })} group by 1 order by 1`;
  const rows = await ctx.database.longReads.rows(read.compile(ctx.reads));
  return {
    parameter: query.parameter ?? 'temperature',
    start_date: wireTime(Math.max(firstStep * width, 0)),
    end_date: wireTime(end),
    step_seconds: width / SECOND,
    points: rows.map(({ step, ...row }) => ({ created_at: wireTime(step * width), ...row })),
  };
}

import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { DAY, HOUR, MINUTE, SECOND, wireTime } from '../../kernel/clock.ts';
import { moment, momentAfter, momentOf } from '../../kernel/moments.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { Type, type Static } from '../../kernel/type.ts';

/** The readings that are asked for; a device sends those that it has. */
const PARAMETERS = ['temperature', 'signal', 'sent', 'received', 'analog_input', 'satellites', 'speed'] as const;

/** How readings are asked for: `parameter` (the temperature by default), `start_date` and `end_date` in UTC (the last day by default; a day alone is included). */
export const readingsQuery = Type.Object({
  // Or what monitoring templates collect: `mt12_load`.
  parameter: Type.Optional(Type.String({ pattern: `^(${PARAMETERS.join('|')}|mt[1-9]\\d{0,9}_[a-z0-9_]{1,40})$` })),
  start_date: moment,
  end_date: moment,
});
type ReadingsQuery = Static<typeof readingsQuery>;

/** Devices whose readings are asked for, as `from … where …` with `devices` among the tables; of what the actor sees only its devices count. */
export interface Source {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
}

const STEPS = [5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY];
const MAX_POINTS = 120;

function periodOf(now: number, { start_date, end_date }: ReadingsQuery): { start: number; end: number } {
  const end = end_date === undefined ? now : momentAfter(end_date);
  return { start: start_date === undefined ? end - DAY : momentOf(start_date), end };
}

interface Period {
  start: number;
  end: number;
}

/** Readings of a period as rows of `device_id, at, lowest, highest, total, readings`: each one while they are kept, else those of an hour together. */
function readingsTable(ctx: Context, { start }: Period): RawBuilder<unknown> {
  if (start < ctx.clock.now() - ctx.config.telemetryRawMs) return sql`device_hours`;
  return sql`(select device_id, metric, at, value as lowest, value as highest, value as total, 1 as readings from device_samples)`;
}

function readingsOf(
  ctx: Context,
  actor: Actor,
  { from, where }: Source,
  { parameter = 'temperature' }: ReadingsQuery,
  period: Period,
): RawBuilder<unknown> {
  return sql`${from} inner join ${readingsTable(ctx, period)} as r on r.device_id = devices.id and r.metric = ${parameter}
      and r.at >= ${period.start} and r.at < ${period.end}
    where ${where} and ${isVisible(actor, 'devices')}`;
}

interface ReadingRow {
  device_id: number;
  serial: string;
  value: number;
  at: number;
}

/** The highest and the lowest reading of these devices in a period, with the device that has each; null without readings. */
export async function findExtremes(ctx: Context, actor: Actor, source: Source, query: ReadingsQuery) {
  const period = periodOf(ctx.clock.now(), query);
  const first = async (column: 'lowest' | 'highest') => {
    const order = sql.raw(column === 'highest' ? 'desc' : 'asc');
    const read = sql<ReadingRow>`select devices.id as device_id, devices.serial as serial, r.${sql.ref(column)} as value, r.at as at
      from ${readingsOf(ctx, actor, source, query, period)} order by r.${sql.ref(column)} ${order}, r.at limit 1`;
    const [row] = await ctx.database.longReads.rows(read.compile(ctx.reads));
    return row ? { serial: row.serial, device_id: row.device_id, value: row.value, created_at: wireTime(row.at) } : null;
  };
  return { Maximum: await first('highest'), Minimum: await first('lowest') };
}

interface PointRow {
  step: number;
  minimum: number;
  maximum: number;
  average: number;
  devices_count: number;
}

/** The readings of these devices over a period in at most 120 steps; steps without readings are left out. */
export async function readSeries(ctx: Context, actor: Actor, source: Source, query: ReadingsQuery) {
  const { start, end } = periodOf(ctx.clock.now(), query);
  const width = STEPS.find((step) => (end - start) / step <= MAX_POINTS) ?? DAY;
  const firstStep = Math.floor(start / width);
  const read = sql<PointRow>`select r.at / cast(${width} as bigint) as step, min(r.lowest) as minimum,
    max(r.highest) as maximum, sum(r.total) / sum(r.readings) as average, count(distinct devices.id) as devices_count
    from ${readingsOf(ctx, actor, source, query, { start, end })} group by 1 order by 1`;
  const rows = await ctx.database.longReads.rows(read.compile(ctx.reads));
  return {
    parameter: query.parameter ?? 'temperature',
    start_date: wireTime(Math.max(firstStep * width, 0)),
    end_date: wireTime(end),
    step_seconds: width / SECOND,
    points: rows.map(({ step, ...row }) => ({ created_at: wireTime(step * width), ...row })),
  };
}

import { sql } from 'kysely';
import {
  forecastMonth,
  monthEnd,
  SAME_WEEKDAYS_DAYS,
  type BytesByDay,
  type MonthForecast,
} from '../../../schemas/kit/devices/usage-forecast.ts';
import type { Sim } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import { monthStart } from '../../domain/devices/month-start.ts';
import { simMonthUse } from '../../domain/devices/month-use.ts';
import type { Actor } from '../../kernel/actor.ts';
import {
  applyListQuery,
  byText,
  containsAny,
  containsText,
  inOrderOf,
  integers,
  isOneOf,
  type ListColumns,
} from '../../kernel/apply-list-query.ts';
import { DAY, wireTime } from '../../kernel/clock.ts';
import { NotFound } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isVisible, isWithin } from '../../kernel/tenancy.ts';

const GIGABYTE = 1024 ** 3;
/** Percent of the limit. */
const NEAR = 80;
const ALL = 100;

type Found = Row<'sims'> & {
  company_name: string;
  held_by: number | null;
  device_name: string | null;
  device_seen_at: number | null;
  state: Sim['state'];
  used: number;
};

// A device in the bin, or of a company that the actor does not see, holds nothing for them.
const state = sql<Sim['state']>`case when devices.id is null then 'removed'
  when substr(devices.iccid, 1, length(sims.iccid)) = sims.iccid or substr(devices.iccid_2, 1, length(sims.iccid)) = sims.iccid then 'active'
  else 'standby' end`;
const seenAt = sql<number>`case when ${state} = 'active' and devices.last_update_at > sims.last_seen_at then devices.last_update_at else sims.last_seen_at end`;

function limitState(now: number) {
  const used = simMonthUse(now);
  return sql<Sim['limit_state']>`case when sims.limit_bytes is null then 'none' when ${used} >= sims.limit_bytes then 'over'
    when ${used} * ${sql.lit(ALL)} >= sims.limit_bytes * ${sql.lit(NEAR)} then 'near' else 'within' end`;
}

function columnsOf(now: number): ListColumns {
  const used = simMonthUse(now);
  return {
    id: sql.ref('sims.id'),
    sorts: {
      id: { by: sql.ref('sims.id') },
      iccid: { by: sql.ref('sims.iccid') },
      state: { by: state },
      operator: { ...byText('sims.operator'), isNullable: true },
      phone_number: { by: sql`nullif(sims.phone_number, '')`, isNullable: true },
      device_name: { by: sql.ref('devices.name_key'), isNullable: true },
      company_name: byText('companies.name'),
      used_bytes: { by: used },
      limit_bytes: { by: sql.ref('sims.limit_bytes'), isNullable: true },
      used_percent: { by: sql`${used} * 1.0 / sims.limit_bytes`, isNullable: true },
      first_seen_at: { by: sql.ref('sims.first_seen_at') },
      last_seen_at: { by: seenAt },
    },
    filters: {
      state: (values) => isOneOf(state, values),
      limit_state: (values) => isOneOf(limitState(now), values),
      company_id: (values) => isWithin(sql.ref('sims.company_id'), integers(values)),
      device_id: (values) => isOneOf(sql.ref('devices.id'), integers(values)),
      operator: (values) => containsAny(sql.ref('sims.operator'), values),
    },
    search: (text) =>
      containsText(
        [sql.ref('sims.iccid'), sql.ref('sims.imsi'), sql.ref('sims.phone_number'), sql.ref('sims.note'), sql.ref('devices.name')],
        text,
      ),
  };
}

const visibleSims = (db: Db, actor: Actor) =>
  db
    .selectFrom('sims')
    .innerJoin('companies', 'companies.id', 'sims.company_id')
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sims.device_id').on(isVisible(actor, 'devices')))
    .where(isVisible(actor, 'sims'));

const findSims = (db: Db, actor: Actor, ids: readonly number[], now: number): Promise<Found[]> =>
  visibleSims(db, actor)
    .selectAll('sims')
    .select([
      'companies.name as company_name',
      'devices.id as held_by',
      'devices.name as device_name',
      seenAt.as('device_seen_at'),
      state.as('state'),
      simMonthUse(now).as('used'),
    ])
    .where('sims.id', 'in', ids)
    .execute();

/** Bytes by day of SIMs, since the beginning of their month and as far back as a forecast looks. */
async function readDays(ctx: Context, ids: readonly number[], now: number): Promise<Map<number, BytesByDay>> {
  const rows = await ctx.reads
    .selectFrom('sim_traffic')
    .selectAll()
    .where('sim_id', 'in', ids)
    .where('day', '>=', now - (SAME_WEEKDAYS_DAYS + 4) * DAY - (now % DAY))
    .execute();
  return new Map([...Map.groupBy(rows, (row) => row.sim_id)].map(([id, own]) => [id, new Map(own.map(({ day, sent, received }) => [day, sent + received]))])); // prettier-ignore
}

function present(row: Found, bytes: BytesByDay, now: number): Sim {
  const since = monthStart(now, row.starts_on);
  const used = Number(row.used);
  const forecast: MonthForecast = forecastMonth({ bytes, now, since, until: monthEnd(since), limit: row.limit_bytes });
  const isHeld = row.held_by !== null;
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    iccid: row.iccid,
    imsi: row.imsi,
    operator: row.operator,
    phone_number: row.phone_number || null,
    note: row.note || null,
    state: row.state,
    device_id: row.held_by,
    device_name: row.device_name,
    modem: isHeld ? row.modem : null,
    slot: isHeld ? row.slot : null,
    used_bytes: used,
    limit_bytes: row.limit_bytes,
    limit_gb: row.limit_bytes === null ? null : Math.round((row.limit_bytes / GIGABYTE) * 100) / 100,
    used_percent: row.limit_bytes === null ? null : Math.floor((used / row.limit_bytes) * ALL),
    limit_state:
      row.limit_bytes === null ? 'none' : used >= row.limit_bytes ? 'over' : used * ALL >= row.limit_bytes * NEAR ? 'near' : 'within',
    starts_on: row.starts_on,
    month_since: wireTime(since),
    forecast_bytes: forecast.total,
    reached_on: forecast.reachedOn === null ? null : wireTime(forecast.reachedOn).slice(0, 10),
    first_seen_at: wireTime(row.first_seen_at),
    last_seen_at: wireTime(Number(row.device_seen_at)),
  };
}

/** One page of the SIMs of companies that the actor sees. */
export async function listSims(ctx: Context, actor: Actor, query: ListQuery): Promise<{ rows: Sim[]; total: number }> {
  const now = ctx.clock.now();
  const { rows, total } = await applyListQuery(visibleSims(ctx.reads, actor).select('sims.id'), query, columnsOf(now));
  const ids = rows.map((row) => row.id);
  const [found, days] = await Promise.all([findSims(ctx.reads, actor, ids, now), readDays(ctx, ids, now)]);
  return { rows: inOrderOf(ids, found).map((row) => present(row, days.get(row.id) ?? new Map(), now)), total };
}

/** A SIM with where it has been, newest first, and its bytes by day (UTC) of the last weeks. */
export interface SimDetails extends Sim {
  places: { device_id: number | null; device_name: string; modem: number; slot: number; from_at: string; until_at: string | null }[];
  days: { date: string; bytes: number }[];
}

/**
 * One SIM. Its places are those of all records of its number that the actor sees: a SIM that went to a device of another company has one there too.
 * Throws NOT_FOUND.
 */
export async function getSim(ctx: Context, actor: Actor, id: number): Promise<SimDetails> {
  const now = ctx.clock.now();
  const [row] = await findSims(ctx.reads, actor, [id], now);
  if (!row) throw new NotFound({});
  const bytes = (await readDays(ctx, [id], now)).get(id) ?? new Map<number, number>();
  const places = await ctx.reads
    .selectFrom('sim_places')
    .innerJoin('sims', 'sims.id', 'sim_places.sim_id')
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sim_places.device_id').on(isVisible(actor, 'devices')))
    .select(['devices.id as held_by', 'sim_places.device_name', 'sim_places.modem', 'sim_places.slot', 'from_at', 'until_at'])
    .where('sims.iccid', '=', row.iccid)
    .where(isVisible(actor, 'sims'))
    .orderBy('from_at', 'desc')
    .limit(200)
    .execute();
  return {
    ...present(row, bytes, now),
    places: places.map(({ held_by, from_at, until_at, ...place }) => ({
      device_id: held_by,
      ...place,
      from_at: wireTime(from_at),
      until_at: wireTime(until_at),
    })),
    days: [...bytes].toSorted(([a], [b]) => a - b).map(([day, sum]) => ({ date: wireTime(day).slice(0, 10), bytes: sum })),
  };
}

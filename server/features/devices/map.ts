import { sql } from 'kysely';
import type { Device } from '../../../schemas/_generated/contract.ts';
import { positionOf } from '../../../schemas/kit/resources/mercator.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { isInArea, parseArea } from '../../domain/places/area.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { allOf, matchDevices } from './match.ts';

// docs/behaviour.md, Map: marks lie in a grid of 60 px, two or more in a square are one mark, and an answer has 2000 at most.
const SQUARE_PX = 60;
const MOST_MARKS = 2000;
/** A pixel is this many units of the map at zoom 0: 2^30 over 256 px. */
const UNITS_PER_PX = 2 ** 22;
export const HIGHEST_ZOOM = 19;

interface Mark {
  /** The middle of its devices, degrees. */
  latitude: number;
  longitude: number;
  count: number;
  online: number;
  offline: number;
  pending: number;
  /** The device of a mark of one. */
  device: Pick<Device, 'id' | 'name' | 'status' | 'model'> | null;
}

interface MarkRow {
  count: number;
  online: number;
  offline: number;
  pending: number;
  x: number;
  y: number;
  first: number;
}

async function findDevices(ctx: Context, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, NonNullable<Mark['device']>>();
  const rows = await ctx.reads
    .selectFrom('devices')
    .select(['id', 'name', 'status', 'model', 'quarantine'])
    .where('id', 'in', ctx.database.tools.idList(ids))
    .execute();
  return new Map(
    rows.map(({ quarantine, status, model, ...row }) => [
      row.id,
      { ...row, model: model || null, status: quarantine === null ? status : 2 } satisfies Mark['device'],
    ]),
  );
}

/** The devices that match, as marks of a map at a zoom of 0 to 19: those that lie together are one mark. The largest marks first. */
export async function readMap(
  ctx: Context,
  actor: Actor,
  query: Pick<ListQuery, 'filters' | 'ids' | 'q'>,
  zoom: number,
): Promise<{ marks: Mark[]; total: number }> {
  const { areas = [], others = [] } = Object.groupBy(query.filters, ({ key, isNegated }) =>
    key === 'area' && !isNegated ? 'areas' : 'others',
  );
  const match = await matchDevices(ctx, actor, { ...query, filters: others });
  // The places themselves are asked, not the devices that have one there.
  const conditions = [...match.conditions, ...areas.map(({ values }) => isInArea(parseArea(values, 'area')))];
  const square = sql.lit(Math.max(1, Math.floor((SQUARE_PX * UNITS_PER_PX) / 2 ** zoom)));
  const isStatus = (status: number) =>
    sql`sum(case when devices.quarantine is null and devices.status = ${sql.lit(status)} then 1 else 0 end)`;
  const marks = sql<MarkRow>`select count(*) as count, ${isStatus(1)} as online, ${isStatus(0)} as offline,
      sum(case when devices.quarantine is not null or devices.status = 2 then 1 else 0 end) as pending,
      avg(p.x) as x, avg(p.y) as y, min(devices.id) as first
    from device_places as p inner join devices on devices.id = p.device_id
    where ${allOf(conditions)} group by p.x / ${square}, p.y / ${square} order by 1 desc limit ${sql.lit(MOST_MARKS)}`;
  const rows = await ctx.database.longReads.rows(marks.compile(ctx.reads));
  const single = rows.filter(({ count }) => Number(count) === 1).map(({ first }) => Number(first));
  const devices = await findDevices(ctx, single);
  const present = rows.map(({ x, y, first, ...numbers }): Mark => {
    const [count, online, offline, pending] = [numbers.count, numbers.online, numbers.offline, numbers.pending].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return {
      ...positionOf(Number(x), Number(y)),
      count,
      online,
      offline,
      pending,
      device: (count === 1 && devices.get(Number(first))) || null,
    };
  });
  return { marks: present, total: present.reduce((sum, { count }) => sum + count, 0) };
}

/** Where a device is; all null where nobody knows. Throws NOT_FOUND. */
export async function readLocation(ctx: Context, actor: Actor, id: number) {
  const device = await requireDevice(ctx.reads, actor, id);
  const place = await ctx.reads.selectFrom('device_places').selectAll().where('device_id', '=', device.id).executeTakeFirst();
  return {
    id: device.id,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    source: place?.source ?? null,
    updated_at: wireTime(place?.at ?? null),
  };
}

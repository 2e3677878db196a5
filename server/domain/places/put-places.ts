import type { Context } from '../../context.ts';
import type { NewRow, Trx } from '../../db/schema.ts';
import { pointOf } from '../../../schemas/kit/resources/mercator.ts';

const ROWS_PER_WRITE = 200;

type DevicePlace = NewRow<'device_places'>;
type PlaceContext = Pick<Context, 'database' | 'cells'>;

async function findPlaces(
  trx: Trx,
  { database: { tools }, cells }: PlaceContext,
  ids: readonly number[],
  at: number,
): Promise<DevicePlace[]> {
  const devices = await trx
    .selectFrom('devices')
    .leftJoin('device_positions as reported', (join) =>
      join.onRef('reported.device_id', '=', 'devices.id').on('reported.at', '=', (query) =>
        query
          .selectFrom('device_positions as newest')
          .select((select) => select.fn.max('newest.at').as('at'))
          .whereRef('newest.device_id', '=', 'devices.id'),
      ),
    )
    .leftJoin('device_sites', 'device_sites.device_id', 'devices.id')
    .leftJoin('sites', 'sites.id', 'device_sites.site_id')
    .select([
      'sites.latitude as site_latitude',
      'sites.longitude as site_longitude',
      'devices.id',
      'devices.operator_number',
      'devices.lac',
      'devices.cell_id',
      'devices.user_set_latitude',
      'devices.user_set_longitude',
      'reported.latitude',
      'reported.longitude',
      'reported.at as reported_at',
    ])
    .where('devices.id', 'in', tools.idList(ids))
    .execute();
  return devices.flatMap((device): DevicePlace[] => {
    const { id: device_id, user_set_latitude: byHand, user_set_longitude: byHandX } = device;
    if (byHand !== null && byHandX !== null)
      return [{ device_id, latitude: byHand, longitude: byHandX, ...pointOf(byHand, byHandX), source: 'user', at }];
    const { latitude, longitude, reported_at } = device;
    if (latitude !== null && longitude !== null && reported_at !== null)
      return [{ device_id, latitude, longitude, ...pointOf(latitude, longitude), source: 'gps', at: reported_at }];
    const { site_latitude: siteY, site_longitude: siteX } = device;
    if (siteY !== null && siteX !== null)
      return [{ device_id, latitude: siteY, longitude: siteX, ...pointOf(siteY, siteX), source: 'site', at }];
    const cell = cells.find(device.operator_number, device.lac, device.cell_id);
    return cell ? [{ device_id, ...cell, ...pointOf(cell.latitude, cell.longitude), source: 'cell', at }] : [];
  });
}

/**
 * Writes again where these devices are, after what they said, or what people said of them, has changed: a position that people set goes before
 * the one that the device reported last, that before the one of its site, and that before the one of the cell that it is in.
 */
export async function putPlaces(trx: Trx, ctx: PlaceContext, ids: readonly number[], at: number): Promise<void> {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b);
  for (let start = 0; start < sorted.length; start += ROWS_PER_WRITE) {
    const chunk = sorted.slice(start, start + ROWS_PER_WRITE);
    const places = await findPlaces(trx, ctx, chunk, at);
    const placed = new Set(places.map((place) => place.device_id));
    const without = chunk.filter((id) => !placed.has(id));
    if (without.length > 0) await trx.deleteFrom('device_places').where('device_id', 'in', ctx.database.tools.idList(without)).execute();
    if (places.length === 0) continue;
    await trx
      .insertInto('device_places')
      .values(places)
      .onConflict((conflict) =>
        conflict.column('device_id').doUpdateSet((row) => ({
          latitude: row.ref('excluded.latitude'),
          longitude: row.ref('excluded.longitude'),
          x: row.ref('excluded.x'),
          y: row.ref('excluded.y'),
          source: row.ref('excluded.source'),
          at: row.ref('excluded.at'),
        })),
      )
      .execute();
  }
}

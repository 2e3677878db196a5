import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';

/** For those of these devices that are behind the router of their site while it is offline: that router. */
export async function silentRouters(ctx: Pick<Context, 'database'>, db: Db, deviceIds: readonly number[]): Promise<Map<number, number>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('device_sites')
    .innerJoin('sites', 'sites.id', 'device_sites.site_id')
    .innerJoin('devices as router', 'router.id', 'sites.router_id')
    .select(['device_sites.device_id', 'router.id as router_id'])
    .where('device_sites.device_id', 'in', ctx.database.tools.idList(deviceIds))
    .whereRef('device_sites.device_id', '<>', 'router.id')
    .where('router.status', '=', 0)
    .execute();
  return new Map(rows.map(({ device_id, router_id }) => [device_id, router_id]));
}

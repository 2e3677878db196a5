import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { SILENT_AFTER_PERIODS } from '../devices/hearing.ts';

/** So long it takes at least until the router of a site is known to be silent as well. */
const SETTLE_MS = 20 * SECOND;
/** So long people wait at most for a sign of life of the router. */
const SETTLE_MOST_MS = 2 * MINUTE;
/** A router that is online again for so long is no reason for anything any more. */
const BACK_MS = 5 * MINUTE;
const SILENCE_MS = SILENT_AFTER_PERIODS * SECOND;

type SiteContext = Pick<Context, 'database' | 'clock'>;

/** Whether a device is a reason for the silence of those behind it: it is offline, or was until some minutes ago. */
export function isReason(now: number, device: 'router' | 'devices'): RawBuilder<boolean> {
  const [status, changedAt] = [sql.ref(`${device}.status`), sql.ref(`${device}.status_changed_at`)];
  return sql<boolean>`(${status} = 0 or (${status} = 1 and ${changedAt} > ${now - BACK_MS}))`;
}

const selectRouters = ({ database }: Pick<Context, 'database'>, db: Db, deviceIds: readonly number[]) =>
  db
    .selectFrom('device_sites')
    .innerJoin('sites', 'sites.id', 'device_sites.site_id')
    .innerJoin('devices as router', 'router.id', 'sites.router_id')
    .select(['device_sites.device_id', 'router.id as router_id'])
    .where('device_sites.device_id', 'in', database.tools.idList(deviceIds))
    .whereRef('device_sites.device_id', '<>', 'router.id');

/** For those of these devices that are behind the router of their site while it is a reason for their silence: that router. */
export async function silentRouters(ctx: SiteContext, db: Db, deviceIds: readonly number[]): Promise<Map<number, number>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await selectRouters(ctx, db, deviceIds).where(isReason(ctx.clock.now(), 'router')).execute();
  return new Map(rows.map(({ device_id, router_id }) => [device_id, router_id]));
}

/** Those of these devices that are behind the router of their site. */
export async function findBehindRouters(ctx: Pick<Context, 'database'>, db: Db, deviceIds: readonly number[]): Promise<Set<number>> {
  if (deviceIds.length === 0) return new Set();
  const rows = await selectRouters(ctx, db, deviceIds).execute();
  return new Set(rows.map(({ device_id }) => device_id));
}

const routerOf = (deviceId: RawBuilder<unknown>) => sql`device_sites
      inner join sites on sites.id = device_sites.site_id
      inner join devices as router on router.id = sites.router_id
      where device_sites.device_id = ${deviceId} and router.id <> ${deviceId}`;

/**
 * Whether it is known of a silence that was noticed at a time what became of the router of its device's site, if it has one: some seconds have gone, and the
 * router is offline, or was heard since, or has had its time to be heard.
 */
export function isSettled(now: number, { device, since }: { device: string; since: string }): RawBuilder<boolean> {
  const [deviceId, noticedAt] = [sql.ref(device), sql.ref(since)];
  return sql<boolean>`(${noticedAt} <= ${now - SETTLE_MOST_MS} or not exists (select 1 from ${routerOf(deviceId)}
    and (${noticedAt} > ${now - SETTLE_MS} or (router.status = 1
      and coalesce(router.silent_at, 0) - router.report_seconds * ${sql.lit(SILENCE_MS)} < ${noticedAt}))))`;
}

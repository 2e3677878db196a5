import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { queueAlertNotices } from '../../domain/alert-notices.ts';
import { isAboutSilence } from '../../domain/devices/silence.ts';
import { FLAPS } from './hysteresis.ts';
import { findBehindRouters, silentRouters } from '../../domain/places/site-routers.ts';

interface AlertSite {
  automationId: number;
  deviceId: number;
  branch: string;
}

/** Notifies consoles of alerts that began, ended or changed, after the commit. */
export async function announceAlerts(
  ctx: Context,
  trx: Trx,
  event: 'AlertRaised' | 'AlertEnded' | 'AlertChanged',
  rows: readonly Row<'alerts'>[],
): Promise<void> {
  const ids = [...new Set(rows.map(({ company_id }) => company_id))];
  if (ids.length === 0) return;
  const companies = await trx.selectFrom('companies').select(['id', 'path']).where('id', 'in', ids).execute();
  const pathOf = new Map(companies.map(({ id, path }) => [id, path]));
  afterCommit(trx, () => {
    for (const { id, company_id, device_id } of rows) {
      const path = pathOf.get(company_id);
      if (path !== undefined) ctx.live.publishBelow(path, 'alerts', event, { id, company_id, device_id });
    }
  });
}

/** Ends the alerts of branches that hold no more. */
export async function closeAlerts(ctx: Context, trx: Trx, places: readonly AlertSite[]): Promise<void> {
  const at = ctx.clock.now();
  const ended: Row<'alerts'>[] = [];
  for (const [automationId, own] of Map.groupBy(places, (place) => place.automationId))
    for (const [branch, devices] of Map.groupBy(own, (place) => place.branch))
      ended.push(
        ...(await trx
          .updateTable('alerts')
          .set({ ended_at: at })
          .where('automation_id', '=', automationId)
          .where('branch', '=', branch)
          .where('device_id', 'in', ctx.database.tools.idList(devices.map(({ deviceId }) => deviceId)))
          .where('ended_at', 'is', null)
          .returningAll()
          .execute()),
      );
  await announceAlerts(ctx, trx, 'AlertEnded', ended);
}

/** Notes in open alerts how often their condition began, once that is flapping. */
export async function noteFlapping(ctx: Context, trx: Trx, crossings: readonly (AlertSite & { count: number })[]): Promise<void> {
  const flapped: Row<'alerts'>[] = [];
  for (const { automationId, deviceId, branch, count } of crossings.filter((one) => one.count >= FLAPS))
    flapped.push(
      ...(await trx
        .updateTable('alerts')
        .set({ flapped: count })
        .where('automation_id', '=', automationId)
        .where('device_id', '=', deviceId)
        .where('branch', '=', branch)
        .where('ended_at', 'is', null)
        .returningAll()
        .execute()),
    );
  await announceAlerts(ctx, trx, 'AlertChanged', flapped);
}

/** An alert that a rule asks for. */
export interface NewAlert {
  place: AlertSite;
  companyId: number;
  name: string;
  severity: Row<'alerts'>['severity'];
  message: string;
  conditions: string;
  /** What raised it is over already: it is in the list as ended. */
  isOver: boolean;
}

/**
 * Raises alerts, in one go however many; one that is open stays as it is. People are notified of new ones by their own rules. That a device behind the router of
 * its site is silent they hear a little later, and not while the router is offline: then they hear of that one alone.
 */
export async function raiseAlerts(ctx: Context, trx: Trx, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  const at = ctx.clock.now();
  const silent = await findSilent(ctx, trx, alerts);
  const routers = await silentRouters(ctx, trx, [...new Set(silent.map(({ place }) => place.deviceId))]);
  const explained = new Set(silent);
  const behind = await findBehindRouters(ctx, trx, [...new Set(silent.map(({ place }) => place.deviceId))]);
  const raised = await trx
    .insertInto('alerts')
    .values(
      alerts.map((alert) => {
        const { place, companyId, isOver, ...texts } = alert;
        const isExplained = explained.has(alert);
        return {
          automation_id: place.automationId,
          device_id: place.deviceId,
          company_id: companyId,
          branch: place.branch,
          ...texts,
          raised_at: at,
          ended_at: isOver ? at : null,
          acknowledged_at: null,
          acknowledged_by: null,
          snoozed_until: null,
          cause_device_id: isExplained ? (routers.get(place.deviceId) ?? null) : null,
          told_at: isOver ? at : null,
          noticed_at: isExplained && behind.has(place.deviceId) ? null : at,
        };
      }),
    )
    .onConflict((conflict) => conflict.columns(['automation_id', 'device_id', 'branch']).where('ended_at', 'is', null).doNothing())
    .returningAll()
    .execute();
  await announceAlerts(ctx, trx, 'AlertRaised', raised);
  await queueAlertNotices(trx, at, raised.filter(({ noticed_at: noticedAt }) => noticedAt !== null)); // prettier-ignore
}

/** Those of these alerts that say that their device is silent. */
async function findSilent(ctx: Context, trx: Trx, alerts: readonly NewAlert[]): Promise<NewAlert[]> {
  const offline = await trx
    .selectFrom('devices')
    .select('id')
    .where('id', 'in', ctx.database.tools.idList([...new Set(alerts.map(({ place }) => place.deviceId))]))
    .where('status', '=', 0)
    .execute();
  const offlineIds = new Set(offline.map(({ id }) => id));
  return alerts.filter(({ conditions, place }) => isAboutSilence(JSON.parse(conditions), offlineIds.has(place.deviceId)));
}

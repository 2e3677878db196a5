import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { silentRouters } from '../../domain/places/site-routers.ts';

interface AlertSite {
  automationId: number;
  deviceId: number;
  branch: string;
}

/** Notifies consoles of alerts that began or ended, after the commit. */
export async function announceAlerts(
  ctx: Context,
  trx: Trx,
  event: 'AlertRaised' | 'AlertEnded',
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

/**
 * Raises an alert, unless the same one is open: then it stays as it is. People hear of a new one by their own
 * rules for notifications, unless the router of its site is offline: then they hear of that one alone.
 */
export async function raiseAlert(
  ctx: Context,
  trx: Trx,
  alert: {
    place: AlertSite;
    companyId: number;
    name: string;
    severity: Row<'alerts'>['severity'];
    message: string;
    conditions: string;
    isOver: boolean;
  },
): Promise<void> {
  const at = ctx.clock.now();
  const { place, companyId, name, severity, message, conditions } = alert;
  const cause = (await silentRouters(ctx, trx, [place.deviceId])).get(place.deviceId) ?? null;
  const row = await trx
    .insertInto('alerts')
    .values({
      automation_id: place.automationId,
      device_id: place.deviceId,
      company_id: companyId,
      branch: place.branch,
      name,
      severity,
      message,
      conditions,
      raised_at: at,
      // What raised it is over already: it is in the list as ended.
      ended_at: alert.isOver ? at : null,
      acknowledged_at: null,
      acknowledged_by: null,
      snoozed_until: null,
      cause_device_id: cause,
      told_at: alert.isOver ? at : null,
    })
    .onConflict((conflict) => conflict.columns(['automation_id', 'device_id', 'branch']).where('ended_at', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) return;
  await announceAlerts(ctx, trx, 'AlertRaised', [row]);
  if (cause !== null) return;
  await queueNotifications(trx, at, [
    { kind: 'deviceAlert', companyId, subjectId: place.deviceId, details: { alert: name, message, conditions } },
  ]);
}

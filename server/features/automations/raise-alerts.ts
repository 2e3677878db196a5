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
 * Raises alerts, in one go however many; one that is open stays as it is. People hear of new ones by their own
 * rules for notifications, unless the router of the device's site is offline: then they hear of that one alone.
 */
export async function raiseAlerts(ctx: Context, trx: Trx, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  const at = ctx.clock.now();
  const routers = await silentRouters(ctx, trx, [...new Set(alerts.map(({ place }) => place.deviceId))]);
  const raised = await trx
    .insertInto('alerts')
    .values(
      alerts.map(({ place, companyId, isOver, ...texts }) => ({
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
        cause_device_id: routers.get(place.deviceId) ?? null,
        told_at: isOver ? at : null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['automation_id', 'device_id', 'branch']).where('ended_at', 'is', null).doNothing())
    .returningAll()
    .execute();
  await announceAlerts(ctx, trx, 'AlertRaised', raised);
  await queueNotifications(
    trx,
    at,
    raised
      .filter(({ cause_device_id: cause }) => cause === null)
      .map(({ company_id: companyId, device_id: subjectId, name, message, conditions }) => ({
        ...{ kind: 'deviceAlert' as const, companyId, subjectId },
        details: { alert: name, message, ...(conditions === null ? {} : { conditions }) },
      })),
  );
}

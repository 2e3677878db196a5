import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { INCIDENT } from './device-actions.ts';
import { announceAlerts } from './raise-alerts.ts';
import { NOTHING } from './rule-states.ts';
import { appliesToDevice } from './scope.ts';

const AT_ONCE = 500;

/** The automation is off, for all devices or this one, or is not for the device any more: not chosen, another tag, another company. */
const isUnwatched = sql<SqlBool>`(automations.is_enabled = 0 or automation_devices.is_enabled = 0
  or not ${appliesToDevice(sql.ref('devices.id'), sql.ref('own.path'))})`;

/**
 * Ends alerts that nothing would end any more, because their automation does not watch the device now, at most 500 of them. What held there is forgotten:
 * an automation that watches the device again starts from nothing. Incidents stay, as they do when what opened them is over.
 */
export async function endUnwatched(ctx: Context): Promise<number> {
  const rows = await ctx.reads
    .selectFrom('alerts')
    .innerJoin('automations', 'automations.id', 'alerts.automation_id')
    .innerJoin('companies', 'companies.id', 'automations.company_id')
    .innerJoin('devices', 'devices.id', 'alerts.device_id')
    .innerJoin('companies as own', 'own.id', 'devices.company_id')
    .leftJoin('automation_devices', (join) =>
      join.onRef('automation_devices.automation_id', '=', 'automations.id').onRef('automation_devices.device_id', '=', 'alerts.device_id'),
    )
    .select(['alerts.id', 'automations.id as automation_id', 'alerts.device_id'])
    .where('alerts.ended_at', 'is', null)
    .where('alerts.branch', 'not like', `${INCIDENT}%`)
    .where(isUnwatched)
    .limit(AT_ONCE)
    .execute();
  if (rows.length === 0) return 0;
  await inTransaction(ctx.db, async (trx) => {
    const ids = ctx.database.tools.idList(rows.map(({ id }) => id));
    const at = ctx.clock.now();
    const change = trx.updateTable('alerts').set({ ended_at: at }).where('id', 'in', ids).where('ended_at', 'is', null);
    await announceAlerts(ctx, trx, 'AlertEnded', await change.returningAll().execute());
    for (const [automationId, own] of Map.groupBy(rows, ({ automation_id }) => automation_id))
      await trx
        .updateTable('automation_devices')
        .set({ state: NOTHING, due_at: null })
        .where('automation_id', '=', automationId)
        .where('device_id', 'in', ctx.database.tools.idList(own.map(({ device_id }) => device_id)))
        .execute();
  });
  return rows.length;
}

import { sql, type SqlBool } from 'kysely';
import type { AutomationDevice } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { applyListQuery, containsAny, hasText, inOrderOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { assertChoices } from '../../domain/plans/plan-devices.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { emptyState } from './engine.ts';
import { isForDevice } from './scope.ts';
import { ruleOf } from './stored-rule.ts';
import { addRows, setDevices } from './device-rows.ts';
import { requireAutomation } from './service.ts';
import type { State } from './types.ts';
import { foldText } from '../../../schemas/kit/text/text-order.ts';

const columns: ListColumns = {
  id: sql.ref('devices.id'),
  sorts: {
    id: { by: sql.ref('devices.id') },
    device_name: { by: sql.ref('devices.name_key') },
    serial: { by: sql.ref('devices.serial') },
    total_triggered_count: { by: sql`coalesce(automation_devices.triggered_count, 0)` },
    last_triggered_at: { by: sql.ref('automation_devices.last_triggered_at'), isNullable: true },
  },
  filters: {
    // Which automation it is was read from it already.
    automation_id: () => sql<SqlBool>`1 = 1`,
    model: (values) => containsAny(sql.ref('devices.model'), values),
  },
  search: (text) => hasText(sql.ref('devices.search_text'), foldText(text)),
};

/** One page of the devices of an automation, as far as the actor sees them. Throws NOT_FOUND. */
export async function listDevices(
  ctx: Context,
  actor: Actor,
  automationId: number,
  query: ListQuery,
): Promise<{ rows: AutomationDevice[]; total: number }> {
  const automation = await requireAutomation(ctx.reads, actor, automationId);
  const rule = ruleOf(automation);
  const base = ctx.reads
    .selectFrom('devices')
    .leftJoin('automation_devices', (join) =>
      join.onRef('automation_devices.device_id', '=', 'devices.id').on('automation_devices.automation_id', '=', automationId),
    )
    .where(isVisible(actor, 'devices'))
    .where(isForDevice(automation))
    .select('devices.id');
  const { rows, total } = await applyListQuery(base, query, columns);
  const ids = rows.map(({ id }) => id);
  const found = await ctx.reads
    .selectFrom('devices')
    .leftJoin('automation_devices', (join) =>
      join.onRef('automation_devices.device_id', '=', 'devices.id').on('automation_devices.automation_id', '=', automationId),
    )
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.firmware', 'devices.model'])
    .select(['is_enabled', 'state', 'triggered_count', 'last_triggered_at', 'automation_devices.created_at'])
    .where('devices.id', 'in', ids)
    .where(isVisible(actor, 'devices'))
    .execute();
  return {
    rows: inOrderOf(ids, found).map((row) => {
      const state = row.state === null ? emptyState() : (JSON.parse(row.state) as State);
      return {
        id: row.id,
        device_id: row.id,
        automation_id: automationId,
        device_name: row.name,
        serial: row.serial,
        mac: row.mac,
        model: row.model || null,
        firmware: row.firmware || null,
        enabled: row.is_enabled !== 0,
        holds: Object.values(state.branches).some(({ since }) => since !== undefined),
        total_triggered_count: row.triggered_count ?? 0,
        period_triggered_count: state.periodCount ?? 0,
        period_trigger_limit: rule.limit,
        period_latest_reset: wireTime(state.periodStart ?? null),
        last_triggered_at: wireTime(row.last_triggered_at),
        created_at: wireTime(row.created_at),
      };
    }),
    total,
  };
}

export type DeviceChange = 'assign' | 'unassign' | 'overwrite' | 'enable' | 'disable';

async function changeOne(trx: Trx, caller: Caller, automationId: number, ids: readonly number[], change: DeviceChange, at: number) {
  const { company_id, name, applies_to } = await requireAutomation(trx, caller.actor, automationId);
  await assertChoices(trx, caller.actor, company_id, { device_ids: ids });
  if (change === 'assign') await addRows(trx, automationId, ids, at, at);
  else if (change === 'overwrite') await setDevices(trx, automationId, ids, at);
  else if (change === 'unassign')
    await trx.deleteFrom('automation_devices').where('automation_id', '=', automationId).where('device_id', 'in', ids).execute();
  else {
    if (applies_to !== 'device') await addRows(trx, automationId, ids, at, null);
    await trx
      .updateTable('automation_devices')
      .set({ is_enabled: change === 'enable' ? 1 : 0, due_at: change === 'enable' ? at : null })
      .where('automation_id', '=', automationId)
      .where('device_id', 'in', ids)
      .execute();
  }
  const entry = {
    action: `automations.${change}-devices`,
    entity: 'automation',
    entityId: automationId,
    entityName: name,
    companyId: company_id,
  };
  await writeAudit(trx, { actor: caller.actor, origin: caller.origin, at }, [{ ...entry, before: null, after: { device_id: [...ids] } }]);
}

/** Changes the devices of automations, all or none. Throws NOT_FOUND at what is not seen, and for devices that are not of an automation's company or below it. */
export async function changeDevices(
  ctx: Context,
  caller: Caller,
  requests: readonly { automationId: number; deviceIds: readonly number[] }[],
  change: DeviceChange,
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const { automationId, deviceIds } of requests) await changeOne(trx, caller, automationId, deviceIds, change, at);
  });
}

/** The automations that are chosen for a device itself, as far as the actor sees them. */
export async function chosenFor(db: Db, actor: Actor, deviceId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('automation_devices')
    .innerJoin('automations', 'automations.id', 'automation_devices.automation_id')
    .select('automations.id')
    .where('automation_devices.device_id', '=', deviceId)
    .where('automations.applies_to', '=', 'device')
    .where(isVisible(actor, 'automations'))
    .orderBy('automations.id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Makes these the automations that are chosen for each device; those that its company or tags bring stay. Throws NOT_FOUND at what is not seen,
 * INVALID_FIELD for an automation that is not for chosen devices.
 */
export async function overwriteOfDevices(
  ctx: Context,
  caller: Caller,
  requests: readonly { deviceId: number; automationIds: readonly number[]; source: string }[],
): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    for (const { deviceId, automationIds, source } of requests) {
      await requireDevice(trx, caller.actor, deviceId);
      const before = await chosenFor(trx, caller.actor, deviceId);
      for (const [index, id] of automationIds.entries()) {
        const place = `${source}.${index}`;
        const { applies_to, name } = await requireAutomation(trx, caller.actor, id, place);
        if (applies_to !== 'device')
          throw new InvalidFields([
            {
              source: place,
              message: `"${name}" is not for chosen devices: its company or tags say which.`,
              params: { key: 'forms.devices.automations.not_by_device', name },
            },
          ]);
      }
      for (const id of automationIds.filter((one) => !before.includes(one))) await changeOne(trx, caller, id, [deviceId], 'assign', at);
      for (const id of before.filter((one) => !automationIds.includes(one))) await changeOne(trx, caller, id, [deviceId], 'unassign', at);
    }
  });
}

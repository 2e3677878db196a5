import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { isForDevice } from './scope.ts';

const EMPTY_STATE = '{"branches":{},"references":{}}';
const ROWS_PER_STATEMENT = 500;
/** An automation that is turned on looks at so many devices at once; the others follow with their next report. */
const MOST_LOOKED_AT = 10_000;

/** Has an automation remember these devices; `dueAt`: when each is looked at again. */
export async function addRows(
  trx: Trx,
  automationId: number,
  deviceIds: readonly number[],
  at: number,
  dueAt: number | null,
): Promise<void> {
  for (let start = 0; start < deviceIds.length; start += ROWS_PER_STATEMENT)
    await trx
      .insertInto('automation_devices')
      .values(
        deviceIds.slice(start, start + ROWS_PER_STATEMENT).map((device_id) => ({
          ...{ automation_id: automationId, device_id, is_enabled: 1 as const, state: EMPTY_STATE, due_at: dueAt },
          ...{ triggered_count: 0, last_triggered_at: null, created_at: at },
        })),
      )
      .onConflict((conflict) => conflict.columns(['automation_id', 'device_id']).doUpdateSet({ due_at: dueAt }))
      .execute();
}

/** Makes these the devices of an automation; those that stay keep what is known of them. */
export async function setDevices(trx: Trx, automationId: number, deviceIds: readonly number[], at: number): Promise<void> {
  await trx.deleteFrom('automation_devices').where('automation_id', '=', automationId).where('device_id', 'not in', deviceIds).execute();
  await addRows(trx, automationId, deviceIds, at, null);
}

/** Has an automation that is on look at its devices now, so that what is wrong already is found without a further report. */
export async function startLooking(ctx: Context, trx: Trx, row: Row<'automations'>): Promise<void> {
  if (row.is_enabled === 0) return;
  const at = ctx.clock.now();
  if (row.applies_to === 'device') {
    await trx.updateTable('automation_devices').set({ due_at: at }).where('automation_id', '=', row.id).execute();
    return;
  }
  const devices = await trx
    .selectFrom('devices')
    .select('devices.id')
    .where(isForDevice(row))
    .orderBy('devices.id')
    .limit(MOST_LOOKED_AT)
    .execute();
  await addRows(
    trx,
    row.id,
    devices.map(({ id }) => id),
    at,
    at,
  );
}

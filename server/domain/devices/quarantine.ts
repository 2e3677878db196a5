import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { requirePermission, type Actor, type Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { defineError, NotFound } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { addDeviceEvents } from './events.ts';
import { revokeCredentials } from './revoke-credentials.ts';
import { presentDeviceFields } from './present.ts';
import { deviceSearchText } from './search-text.ts';

export const NotQuarantined = defineError('NOT_QUARANTINED');

interface Decision {
  actor: Actor;
  origin: Origin;
  deviceId: number;
}

type Waiting = Row<'devices'> & { company_path: string };

async function requireQuarantined(trx: Trx, { actor, deviceId }: Decision): Promise<Waiting> {
  const device = await trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where('devices.id', '=', deviceId)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
  if (!device) throw new NotFound({});
  if (device.quarantine === null) throw new NotQuarantined({});
  return device;
}

/**
 * The device that ran under this serial number before: the same serial and MAC, in the same company, not waiting itself. A namesake in any other
 * company is another device: who registers the label of a device first must not receive the device, nor lose the own one to it.
 */
async function findFormer(trx: Trx, { actor }: Decision, device: Waiting): Promise<Waiting | undefined> {
  return trx
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.path as company_path')
    .where('devices.serial', '=', device.serial)
    .where('devices.mac', '=', device.mac)
    .where('devices.id', '<>', device.id)
    .where('devices.quarantine', 'is', null)
    .where('devices.company_id', '=', device.company_id)
    .where(isVisible(actor, 'devices'))
    .orderBy('devices.id')
    .executeTakeFirst();
}

/** Serial and MAC that the device itself named when it was put into quarantine for them; accepting it accepts them. */
async function identityFrom(trx: Trx, device: Waiting): Promise<{ serial: string; mac: string; search_text: string } | undefined> {
  const event = await trx
    .selectFrom('device_events')
    .select('params')
    .where('device_id', '=', device.id)
    .where('type', '=', 'quarantined')
    // Others that join with its serial number leave an event too, which names none.
    .where('params', 'like', '%"serial"%')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const named: { serial?: string; mac?: string } = JSON.parse(event?.params ?? '{}');
  if (named.serial === undefined || named.mac === undefined) return undefined;
  const identity = { serial: named.serial, mac: named.mac };
  return { ...identity, search_text: deviceSearchText({ ...device, ...identity }) };
}

async function audit(trx: Trx, ctx: Context, { actor, origin }: Decision, device: Waiting, decision: string): Promise<void> {
  await writeAudit(trx, { actor, origin, at: ctx.clock.now() }, [
    {
      action: `devices.quarantine-${decision}`,
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: { ...presentDeviceFields(device) },
      after: { decision, quarantine: device.quarantine },
    },
  ]);
}

/** Deletes the waiting row. Throws NOT_QUARANTINED when somebody else decided at the same moment. */
async function deleteWaiting(trx: Trx, device: Waiting): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('devices')
    .where('id', '=', device.id)
    .where('quarantine', 'is not', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotQuarantined({});
}

/** The pending row goes; the former device keeps its row, history and tags, and is reached by the newcomer's credential. */
async function handOver(ctx: Context, trx: Trx, decision: Decision, device: Waiting, former: Waiting): Promise<number> {
  await deleteWaiting(trx, device);
  const { numUpdatedRows } = await trx
    .updateTable('devices')
    .set({
      device_key: device.device_key,
      credential_hash: device.credential_hash,
      boot_id: null,
      failed_auth_reason: null,
      updated_at: ctx.clock.now(),
    })
    .where('id', '=', former.id)
    .where('company_id', '=', device.company_id)
    .executeTakeFirst();
  // It was moved or removed at the same moment.
  if (numUpdatedRows === 0n) throw new NotFound({});
  await addDeviceEvents(ctx, trx, [releasedEvent(former, decision.actor)]);
  afterCommit(trx, async () => {
    ctx.live.publishBelow(device.company_path, 'devices', 'DeviceRemoved', { id: device.id, company_id: device.company_id });
    // The old credential is void; the newcomer connects again and says hello as the former device.
    await revokeCredentials(ctx, [former.device_key]);
    await ctx.devices.disconnect(device.device_key);
  });
  return former.id;
}

function releasedEvent(device: Waiting, actor: Actor) {
  return {
    deviceId: device.id,
    companyId: device.company_id,
    serial: device.serial,
    type: 'released',
    params: { user_id: actor.userId },
  } as const;
}

/**
 * Lets a quarantined device in. A duplicate becomes a device of its own; one that joined again takes the place of the device that it
 * was in its company. Returns the id of the device that goes on. Throws NOT_FOUND, NOT_QUARANTINED.
 */
export async function acceptQuarantined(ctx: Context, decision: Decision): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const device = await requireQuarantined(trx, decision);
    // Who may join this installation is for those who run it.
    if (device.quarantine === 'not_approved') requirePermission(decision.actor, 'super_admin');
    await audit(trx, ctx, decision, device, 'accept');
    const former = device.quarantine === 'rejoin' ? await findFormer(trx, decision, device) : undefined;
    if (former) return handOver(ctx, trx, decision, device, former);
    const now = ctx.clock.now();
    const changes = {
      ...(await identityFrom(trx, device)),
      quarantine: null,
      status: null,
      failed_auth_reason: null,
      status_changed_at: now,
      updated_at: now,
    };
    const { numUpdatedRows } = await trx
      .updateTable('devices')
      .set(changes)
      .where('id', '=', device.id)
      .where('quarantine', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new NotQuarantined({});
    await addDeviceEvents(ctx, trx, [releasedEvent(device, decision.actor)]);
    afterCommit(trx, async () => {
      const { id, company_id } = device;
      ctx.live.publishBelow(device.company_path, 'devices', 'DeviceChanged', {
        id,
        company_id,
        quarantine: null,
        status: null,
        failed_auth_reason: null,
      });
      // Its next hello, after it has connected again, activates it.
      await ctx.devices.disconnect(device.device_key);
    });
    return device.id;
  });
}

/** Refuses a quarantined device: its row and its credential go. Throws NOT_FOUND, NOT_QUARANTINED. */
export async function rejectQuarantined(ctx: Context, decision: Decision): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const device = await requireQuarantined(trx, decision);
    await audit(trx, ctx, decision, device, 'refuse');
    await deleteWaiting(trx, device);
    afterCommit(trx, async () => {
      ctx.live.publishBelow(device.company_path, 'devices', 'DeviceRemoved', { id: device.id, company_id: device.company_id });
      await revokeCredentials(ctx, [device.device_key]);
    });
  });
}

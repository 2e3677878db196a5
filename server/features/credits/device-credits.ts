import type { Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import { CreditsShort, NothingToMove } from './errors.ts';
import { findPortions, transferCredits, type CreditAccount, type Portion, type Transfer } from './ledger.ts';
import { creditTypes, getCreditType, PACK_BYTES, periodEnd, type CreditType } from './types.ts';

export type Device = Pick<Row<'devices'>, 'id' | 'name' | 'serial' | 'mac' | 'company_id' | 'activated_at'>;
export type DeviceCredit = Row<'device_credits'>;

/** One device's credit as it is changed; the ledger is locked. `caller` null: the server by itself. */
export interface Change {
  trx: Trx;
  at: number;
  caller: Caller | null;
  device: Device;
}

const SERVER_ORIGIN = { ip: '', requestId: '', userAgent: '' };

/** Whose credit a device uses: its company's, else the one above, as far up as companies may use those of their parents. Throws CREDITS_SHORT. */
async function findPayer(trx: Trx, companyId: number, type: CreditType, at: number): Promise<{ companyId: number; portion: Portion }> {
  const company = await trx
    .selectFrom('companies')
    .select(['parent_id', 'can_use_parent_license'])
    .where('id', '=', companyId)
    .executeTakeFirst();
  const [first] = await findPortions(trx, companyId, type.id, at);
  if (first) return { companyId, portion: { ...first, amount: 1 } };
  if (company?.parent_id && company.can_use_parent_license === 1) return findPayer(trx, company.parent_id, type, at);
  throw new CreditsShort({ left: 0 }, { source: 'credit_type_id' });
}

function transfer({ trx, at, caller, device }: Change, entry: Pick<Transfer, 'kind' | 'typeId' | 'from' | 'to'> & { portion: Portion }) {
  const { portion, ...rest } = entry;
  return transferCredits(trx, { ...rest, amount: [portion], caller, at, device });
}

/** Writes what a device uses now, and who changed that. */
async function keep({ trx, at, caller, device }: Change, before: DeviceCredit | undefined, after: DeviceCredit): Promise<void> {
  await trx
    .insertInto('device_credits')
    .values(after)
    .onConflict((conflict) => conflict.columns(['device_id', 'service']).doUpdateSet(after))
    .execute();
  await writeAudit(trx, { actor: caller?.actor ?? null, origin: caller?.origin ?? SERVER_ORIGIN, at }, [
    {
      action: 'devices.credit',
      entity: 'device',
      entityId: device.id,
      entityName: device.name,
      companyId: device.company_id,
      before: before ? { ...before } : null,
      after: { ...after },
    },
  ]);
}

const reservedPlace = (credit: DeviceCredit): CreditAccount => ({ kind: 'reserved', companyId: credit.company_id });
const portionOf = (credit: DeviceCredit): Portion => ({ amount: 1, expiresAt: credit.credit_expires_at });

/** Gives a reserved credit back to who paid it. */
export async function release(change: Change, credit: DeviceCredit): Promise<void> {
  await transfer(change, {
    kind: 'release',
    typeId: credit.credit_type_id,
    from: reservedPlace(credit),
    to: { kind: 'company', companyId: credit.company_id },
    portion: portionOf(credit),
  });
}

/** Pays a credit for a device: from now on for one that was connected before, else reserved until it connects; a running one goes on after its end. */
async function pay(change: Change, type: CreditType, before: DeviceCredit | undefined, autoExtend: 0 | 1): Promise<void> {
  const { trx, at, device } = change;
  const payer = await findPayer(trx, device.company_id, type, at);
  const from: CreditAccount = { kind: 'company', companyId: payer.companyId };
  const isRunning = before?.state === 'running';
  const waits = device.activated_at === null && !isRunning;
  const to: CreditAccount = waits ? { kind: 'reserved', companyId: payer.companyId } : { kind: 'spent' };
  const kind = waits ? 'reserve' : isRunning || before?.state === 'ended' ? 'renew' : 'use';
  await transfer(change, { kind, typeId: type.id, from, to, portion: payer.portion });
  const start = Math.max(at, isRunning ? (before.ends_at ?? at) : at);
  await keep(change, before, {
    device_id: device.id,
    service: type.service,
    credit_type_id: type.id,
    state: waits ? 'reserved' : 'running',
    company_id: payer.companyId,
    credit_expires_at: payer.portion.expiresAt,
    auto_extend: autoExtend,
    starts_at: waits ? null : isRunning ? before.starts_at : at,
    ends_at: waits ? null : periodEnd(type, start),
    updated_at: at,
    bytes_left: type.service === 'data' ? (isRunning ? before.bytes_left : 0) + PACK_BYTES : 0,
  });
}

async function findCredit(trx: Trx, deviceId: number, service: DeviceCredit['service']): Promise<DeviceCredit | undefined> {
  return trx.selectFrom('device_credits').selectAll().where('device_id', '=', deviceId).where('service', '=', service).executeTakeFirst();
}

/** A credit of this type for a device. The same type that it has already costs nothing, and only `autoExtend` changes. Throws CREDITS_SHORT. */
export async function assignCredit(change: Change, typeId: number, isExtended: boolean): Promise<void> {
  const type = getCreditType(typeId);
  const autoExtend = isExtended ? 1 : 0;
  const before = await findCredit(change.trx, change.device.id, type.service);
  const isHeld = before !== undefined && before.state !== 'ended';
  if (isHeld && before.credit_type_id === typeId) {
    if (before.auto_extend !== autoExtend) await keep(change, before, { ...before, auto_extend: autoExtend, updated_at: change.at });
    return;
  }
  if (before?.state === 'reserved') await release(change, before);
  await pay(change, type, before, autoExtend);
}

/**
 * A management credit for a device of whatever type there is one of, the shortest first; one that has a credit keeps it. Throws CREDITS_SHORT when there is
 * none at all.
 */
export async function assignAnyCredit(change: Change, isExtended: boolean): Promise<void> {
  const held = await findCredit(change.trx, change.device.id, 'management');
  if (held !== undefined && held.state !== 'ended') return assignCredit(change, held.credit_type_id, isExtended);
  for (const type of creditTypes.filter(({ service }) => service === 'management')) {
    try {
      return await assignCredit(change, type.id, isExtended);
    } catch (error) {
      if (!(error instanceof CreditsShort)) throw error;
    }
  }
  throw new CreditsShort({ left: 0 }, { source: 'credit_type_id' });
}

/** Ends what a device was given: a reserved credit goes back, a running one is used up and not extended. */
export async function withdrawCredits(change: Change): Promise<void> {
  for (const service of ['management', 'data'] as const) {
    const before = await findCredit(change.trx, change.device.id, service);
    if (!before || (before.state !== 'reserved' && before.auto_extend === 0)) continue;
    if (before.state === 'reserved') await release(change, before);
    const state = before.state === 'reserved' ? 'ended' : before.state;
    await keep(change, before, { ...before, state, auto_extend: 0, updated_at: change.at });
  }
}

/** What waited for a device's first connection begins. */
export async function startCredit(change: Change, credit: DeviceCredit): Promise<void> {
  const type = getCreditType(credit.credit_type_id);
  await transfer(change, { kind: 'use', typeId: type.id, from: reservedPlace(credit), to: { kind: 'spent' }, portion: portionOf(credit) });
  await keep(change, credit, {
    ...credit,
    state: 'running',
    starts_at: change.at,
    ends_at: periodEnd(type, change.at),
    updated_at: change.at,
  });
}

/** A period is over: the next one is paid where that is wanted and there is a credit, else the device's credit has ended. */
export async function endOrExtend(change: Change, credit: DeviceCredit): Promise<void> {
  const ended: DeviceCredit = { ...credit, state: 'ended', updated_at: change.at };
  if (credit.auto_extend === 1) {
    try {
      await pay(change, getCreditType(credit.credit_type_id), ended, 1);
      return;
    } catch (error) {
      if (!(error instanceof CreditsShort)) throw error;
    }
  }
  if (credit.state !== 'ended') await keep(change, credit, ended);
  else
    await change.trx
      .updateTable('device_credits')
      .set({ updated_at: change.at })
      .where('device_id', '=', credit.device_id)
      .where('service', '=', credit.service)
      .execute();
}

/**
 * Gives what one device uses to another of the same company, with the time that is left; nothing is paid. Throws NOTHING_TO_MOVE at
 * `source_device_id`; INVALID_FIELD at `target_device_id` for the same device, one of another company, and one that has such a credit itself.
 */
export async function moveDeviceCredits(source: Change, target: Device): Promise<void> {
  const { trx, at } = source;
  const refuse = (message: string): never => {
    throw new InvalidFields([{ source: 'target_device_id', message }]);
  };
  if (target.id === source.device.id) refuse('Choose another device.');
  if (target.company_id !== source.device.company_id) refuse('Both devices must belong to the same company.');
  let count = 0;
  for (const service of ['management', 'data'] as const) {
    const before = await findCredit(trx, source.device.id, service);
    if (!before || before.state === 'ended') continue;
    const held = await findCredit(trx, target.id, service);
    if (held && held.state !== 'ended') refuse('This device has a credit of its own already.');
    count += 1;
    await keep({ ...source, device: target }, held, { ...before, device_id: target.id, updated_at: at });
    await keep(source, before, { ...before, state: 'ended', ends_at: at, auto_extend: 0, updated_at: at });
  }
  if (count === 0) throw new NothingToMove({}, { source: 'source_device_id' });
}

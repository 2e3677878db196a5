import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { hashProof, isExpected, takeAwaited, type Joining } from '../../domain/devices/awaited.ts';
import { makeCredential, type Credential } from '../../domain/devices/credentials.ts';
import { deviceHistory } from '../../domain/devices/history.ts';
import { presentDeviceFields } from '../../domain/devices/present.ts';
import { defineError } from '../../kernel/errors.ts';
import { isPresentPath } from '../../kernel/tenancy.ts';

export const EnrolmentRefused = defineError('ENROLMENT_REFUSED');

interface Join {
  origin: Origin;
  newcomer: Joining;
  credential: Credential;
  /** null: it proved itself by its password. */
  codeId: number | null;
  awaited: Row<'devices'>;
}

/** A device that was added ahead joins: it takes its record, in the company where that is. */
export async function joinAwaited(ctx: Context, trx: Trx, { origin, newcomer, credential, codeId, awaited }: Join): Promise<void> {
  const at = ctx.clock.now();
  const device = await takeAwaited(trx, awaited, { newcomer, credential, codeId, at });
  const { id, company_id } = device;
  const { path } = await trx.selectFrom('companies').select('path').where('id', '=', company_id).executeTakeFirstOrThrow();
  await writeAudit(trx, { actor: null, origin, at }, [
    {
      action: 'devices.join',
      entity: 'device',
      entityId: id,
      entityName: device.name,
      companyId: company_id,
      before: deviceHistory(awaited),
      after: deviceHistory(device),
    },
  ]);
  const { mac, imei, model, firmware, is_simulated } = presentDeviceFields(device);
  afterCommit(trx, () =>
    ctx.live.publishBelow(path, 'devices', 'DeviceChanged', { id, company_id, mac, imei, model, firmware, is_simulated }),
  );
}

/** Devices of this serial number that were added ahead with this password, wherever: the password is the proof. */
function findProven(ctx: Context, db: Context['db'] | Trx, serial: string, proof: string): Promise<Row<'devices'>[]> {
  return db
    .selectFrom('awaited_devices')
    .innerJoin('devices', 'devices.id', 'awaited_devices.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .where('devices.serial', '=', serial)
    .where('awaited_devices.proof_hash', '=', hashProof(ctx, serial, proof))
    .where('awaited_devices.joined_at', 'is', null)
    .where(isPresentPath('companies.path'))
    .execute();
}

/**
 * Lets a device join without a code that was added ahead with its password. Whatever is wrong, the refusal is the same (ENROLMENT_REFUSED); so it is
 * where two companies have added one device with the same password, because they cannot be distinguished.
 */
export async function enrolByProof(ctx: Context, origin: Origin, newcomer: Joining, proof: string): Promise<Credential> {
  const find = async (db: Context['db'] | Trx): Promise<Row<'devices'>> => {
    const [device, ...others] = (await findProven(ctx, db, newcomer.serial, proof)).filter((one) => isExpected(one, newcomer));
    if (!device || others.length > 0) throw new EnrolmentRefused({});
    return device;
  };
  await find(ctx.reads);
  const credential = makeCredential();
  // @NOTE Before the transaction: an external broker is a network away, and SQLite has one writer.
  await ctx.devices.admit(credential.deviceKey, credential.password);
  try {
    await inTransaction(ctx.db, async (trx) =>
      joinAwaited(ctx, trx, { origin, newcomer, credential, codeId: null, awaited: await find(trx) }),
    );
  } catch (error) {
    await ctx.devices.expel(credential.deviceKey);
    throw error;
  }
  return credential;
}

import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { giveFirstData } from './charge-data.ts';
import { endOrExtend, release, startCredit, type Device, type DeviceCredit } from './device-credits.ts';
import { lockLedger, transferCredits } from './ledger.ts';

/** Rows of each kind in one round, so that nobody waits long for the ledger; the next round takes the rest. */
const ROUND = 200;

async function expireCredits(trx: Trx, at: number): Promise<void> {
  const accounts = await trx
    .selectFrom('credit_accounts')
    .selectAll()
    .where('kind', '=', 'company')
    .where('balance', '>', 0)
    .where('expires_at', '<=', at)
    .limit(ROUND)
    .execute();
  for (const { company_id, credit_type_id, balance, expires_at } of accounts) {
    if (company_id === null) continue;
    await transferCredits(trx, {
      kind: 'expire',
      typeId: credit_type_id,
      from: { kind: 'company', companyId: company_id },
      to: { kind: 'expired' },
      amount: [{ amount: balance, expiresAt: expires_at }],
      caller: null,
      at,
    });
  }
}

function findDue(trx: Trx, at: number) {
  return (
    trx
      .selectFrom('device_credits')
      .leftJoin('devices', 'devices.id', 'device_credits.device_id')
      .selectAll('device_credits')
      .select([
        'devices.id as found_id',
        'devices.name',
        'devices.serial',
        'devices.mac',
        'devices.company_id as device_company_id',
        'devices.activated_at',
      ])
      .where((eb) =>
        eb.or([
          eb('devices.id', 'is', null),
          eb.and([eb('state', '=', 'reserved'), eb('devices.activated_at', 'is not', null)]),
          eb.and([eb('state', '=', 'running'), eb('ends_at', '<=', at)]),
          eb.and([eb('state', '=', 'ended'), eb('auto_extend', '=', 1)]),
        ]),
      )
      // What is in the bin waits: it may come back.
      .where('device_credits.device_id', 'not in', (eb) => eb.selectFrom('removed_devices').select('removed_devices.device_id'))
      .orderBy('device_credits.updated_at')
      .limit(ROUND)
      .execute()
  );
}

async function moveOn(trx: Trx, at: number, row: Awaited<ReturnType<typeof findDue>>[number]): Promise<void> {
  const { found_id, name, serial, mac, device_company_id, activated_at, ...credit } = row satisfies DeviceCredit;
  const device: Device = {
    id: credit.device_id,
    name: name ?? '',
    serial: serial ?? '',
    mac: mac ?? '',
    company_id: device_company_id ?? credit.company_id,
    activated_at,
  };
  const change = { trx, at, caller: null, device };
  if (found_id === null) {
    if (credit.state === 'reserved') await release(change, credit);
    await trx.deleteFrom('device_credits').where('device_id', '=', credit.device_id).where('service', '=', credit.service).execute();
  } else if (credit.state === 'reserved') await startCredit(change, credit);
  else await endOrExtend(change, credit);
}

/** What time does to credits: companies get their first data, those that have ended go, those of devices that connected begin, those of devices that are gone come back, periods end or are extended. */
export async function sweepCredits(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockLedger(trx, ctx.database);
    const at = ctx.clock.now();
    await giveFirstData(trx, at);
    await expireCredits(trx, at);
    for (const row of await findDue(trx, at)) await moveOn(trx, at, row);
  });
}

import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Trx } from '../../db/schema.ts';
import { deviceDataLeft, DATA_BYTES_TYPE_ID, FIRST_DATA_BYTES } from '../../domain/data-left.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { lockLedger, transferCredits } from './ledger.ts';

/** An open session is charged in steps of this size, so that the ledger has few rows of a long one; the rest comes with its end. */
const STEP_BYTES = 10 * 1024 ** 2;
const ROUND = 200;

/** Companies that have never had data get the first of it. */
export async function giveFirstData(trx: Trx, at: number): Promise<void> {
  const companies = await trx
    .selectFrom('companies')
    .select('companies.id')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('credit_accounts')
            .select('credit_accounts.id')
            .whereRef('credit_accounts.company_id', '=', 'companies.id')
            .where('credit_accounts.kind', 'in', ['company', 'closed'])
            .where('credit_accounts.credit_type_id', '=', DATA_BYTES_TYPE_ID),
        ),
      ),
    )
    .limit(ROUND)
    .execute();
  for (const { id } of companies) await giveFirstDataTo(trx, id, at);
}

async function giveFirstDataTo(trx: Trx, companyId: number, at: number): Promise<void> {
  await transferCredits(trx, {
    kind: 'add',
    typeId: DATA_BYTES_TYPE_ID,
    from: { kind: 'issued' },
    to: { kind: 'company', companyId },
    amount: FIRST_DATA_BYTES,
    caller: null,
    at,
  });
}

/** Takes up to so many bytes off the data of a company; answers how many it had too few. */
async function takeOffCompany(trx: Trx, given: { companyId: number; bytes: number; at: number; deviceId: number | null }): Promise<number> {
  const { companyId, bytes, at, deviceId } = given;
  const held = await trx
    .selectFrom('credit_accounts')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .where('company_id', '=', companyId)
    .where('credit_type_id', '=', DATA_BYTES_TYPE_ID)
    .executeTakeFirstOrThrow();
  if (Number(held.accounts) === 0) await giveFirstDataTo(trx, companyId, at);
  const { company: left } = await deviceDataLeft(trx, { id: 0, company_id: companyId }, at);
  const amount = Math.min(left, bytes);
  if (amount > 0) {
    const device =
      deviceId === null
        ? undefined
        : await trx.selectFrom('devices').select(['id', 'serial', 'mac']).where('id', '=', deviceId).executeTakeFirst();
    await transferCredits(trx, {
      kind: 'use',
      typeId: DATA_BYTES_TYPE_ID,
      from: { kind: 'company', companyId },
      to: { kind: 'spent' },
      amount,
      caller: null,
      at,
      ...(device ? { device } : {}),
    });
  }
  return bytes - amount;
}

/** Takes bytes off the data pack of a device, as far as it has them; answers the rest. */
async function takeOffPack(trx: Trx, deviceId: number | null, bytes: number, at: number): Promise<number> {
  if (deviceId === null) return bytes;
  const { pack = 0 } = await deviceDataLeft(trx, { id: deviceId, company_id: 0 }, at);
  const amount = Math.min(pack, bytes);
  if (amount > 0)
    await trx
      .updateTable('device_credits')
      .set((eb) => ({ bytes_left: eb('bytes_left', '-', amount) }))
      .where('device_id', '=', deviceId)
      .where('service', '=', 'data')
      .execute();
  return bytes - amount;
}

const uncharged = sql<number>`bytes_in + bytes_out - bytes_charged`;

/** Charges remote sessions for what they carried since the last time; answers those that are open and have nothing left to go on with. */
async function chargeSessions(trx: Trx, at: number): Promise<number[]> {
  const sessions = await trx
    .selectFrom('remote_sessions')
    .select(['id', 'company_id', 'device_id', 'ended_at', uncharged.as('bytes')])
    .where(sql<SqlBool>`bytes_in + bytes_out > bytes_charged`)
    .where((eb) => eb.or([eb('ended_at', 'is not', null), eb(uncharged, '>=', STEP_BYTES)]))
    .orderBy('id')
    .limit(ROUND)
    .execute();
  const starved: number[] = [];
  for (const { id, company_id: companyId, device_id: deviceId, ended_at: endedAt, bytes } of sessions) {
    const rest = await takeOffPack(trx, deviceId, Number(bytes), at);
    const missing = rest > 0 ? await takeOffCompany(trx, { companyId, bytes: rest, at, deviceId }) : 0;
    await trx
      .updateTable('remote_sessions')
      .set((eb) => ({ bytes_charged: eb('bytes_charged', '+', Number(bytes)) }))
      .where('id', '=', id)
      .execute();
    if (missing > 0 && endedAt === null) starved.push(id);
  }
  return starved;
}

/** Charges VPN hubs for what passed through them; their data is that of their company. */
async function chargeHubs(trx: Trx, at: number): Promise<void> {
  const hubs = await trx
    .selectFrom('vpn_hubs')
    .select(['id', 'company_id', 'bytes_used', 'bytes_charged'])
    .where(sql<SqlBool>`bytes_used - bytes_charged >= ${STEP_BYTES}`)
    .limit(ROUND)
    .execute();
  for (const hub of hubs) {
    const bytes = Number(hub.bytes_used) - Number(hub.bytes_charged);
    await takeOffCompany(trx, { companyId: hub.company_id, bytes, at, deviceId: null });
    await trx.updateTable('vpn_hubs').set({ bytes_charged: hub.bytes_used }).where('id', '=', hub.id).execute();
  }
}

/**
 * Takes what remote sessions and VPN hubs carried off data: of the device's pack first, then of its company. Open sessions without any left end as `no-data`;
 * what they carried past that is not owed.
 */
export async function chargeData(ctx: Context): Promise<void> {
  const starved = await inTransaction(ctx.db, async (trx) => {
    await lockLedger(trx, ctx.database);
    const at = ctx.clock.now();
    await chargeHubs(trx, at);
    return chargeSessions(trx, at);
  });
  await ctx.remote.end(starved, 'no-data');
}

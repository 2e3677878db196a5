import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { CreditTransferKind } from '../../db/credit-tables.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { CreditsShort, CreditsTooMany } from './errors.ts';
import { tellFewLeft } from './few-left.ts';
import { DATA_BYTES_TYPE_ID } from './types.ts';

type Account = Row<'credit_accounts'>;

export type Place = { kind: 'company' | 'codes' | 'reserved'; companyId: number } | { kind: 'issued' | 'spent' | 'expired' };

/** So many credits that end at that time; null: never. */
export interface Portion {
  amount: number;
  expiresAt: number | null;
}

export interface Transfer {
  kind: CreditTransferKind;
  typeId: number;
  from: Place;
  to: Place;
  /** A number takes what ends first, and nothing that has ended; portions are taken as they are. */
  amount: number | Portion[];
  /** Where a lack of credits is told. */
  field?: string;
  /** Who asked for it; null: the server by itself. */
  caller: Caller | null;
  at: number;
  note?: Partial<Pick<NewRow<'credit_transfers'>, 'price_cents' | 'pro_form_nr' | 'code_id' | 'idempotency_key'>>;
  device?: Pick<Row<'devices'>, 'id' | 'serial' | 'mac'>;
}

const LEDGER_LOCK = 4_711_002;

/** One writer of the ledger at a time, until the transaction ends: balances read after this stay true, and two moves never wait for each other. */
export async function lockLedger(trx: Trx, { tools }: Pick<Context['database'], 'tools'>): Promise<void> {
  // SQLite has one writer at a time anyway.
  if (tools.kind === 'postgres') await sql`select pg_advisory_xact_lock(${LEDGER_LOCK})`.execute(trx);
}

const companyOf = (place: Place): number | null => ('companyId' in place ? place.companyId : null);

function selectAccounts(trx: Trx, place: Place, typeId: number) {
  return trx
    .selectFrom('credit_accounts')
    .selectAll()
    .where('kind', '=', place.kind)
    .where(sql`coalesce(company_id, 0)`, '=', companyOf(place) ?? 0)
    .where('credit_type_id', '=', typeId);
}

async function openAccount(trx: Trx, place: Place, typeId: number, expiresAt: number | null, at: number): Promise<Account> {
  await trx
    .insertInto('credit_accounts')
    .values({
      kind: place.kind,
      company_id: companyOf(place),
      credit_type_id: typeId,
      balance: 0,
      expires_at: expiresAt,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.expression(sql`kind, coalesce(company_id, 0), credit_type_id, coalesce(expires_at, 0)`).doNothing())
    .execute();
  return selectAccounts(trx, place, typeId)
    .where(sql`coalesce(expires_at, 0)`, '=', expiresAt ?? 0)
    .executeTakeFirstOrThrow();
}

/** What a company has of a type that has not ended, what ends first in front. */
export async function findPortions(trx: Trx, companyId: number, typeId: number, at: number): Promise<Portion[]> {
  const accounts = await selectAccounts(trx, { kind: 'company', companyId }, typeId)
    .where('balance', '>', 0)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .orderBy(sql`expires_at asc nulls last`)
    .execute();
  return accounts.map((account) => ({ amount: account.balance, expiresAt: account.expires_at }));
}

async function choosePortions(trx: Trx, { from, typeId, amount, at, field }: Transfer): Promise<Portion[]> {
  if (typeof amount !== 'number') return amount;
  if (from.kind !== 'company') return [{ amount, expiresAt: null }];
  const chosen: Portion[] = [];
  let missing = amount;
  for (const portion of await findPortions(trx, from.companyId, typeId, at)) {
    const taken = Math.min(missing, portion.amount);
    if (taken > 0) chosen.push({ ...portion, amount: taken });
    missing -= taken;
  }
  if (missing > 0) throw new CreditsShort({ left: amount - missing }, field === undefined ? {} : { source: field });
  return chosen;
}

async function balanceOf(trx: Trx, place: Place, typeId: number): Promise<number> {
  if (place.kind !== 'company') return 0;
  const accounts = await selectAccounts(trx, place, typeId).execute();
  return accounts.reduce((sum, account) => sum + account.balance, 0);
}

/** What one place gets or gives of each portion, as entries of the transfer. */
async function book(trx: Trx, transfer: Transfer, transferId: number, place: Place, portions: Portion[]): Promise<void> {
  const { typeId, at, field } = transfer;
  const before = await balanceOf(trx, place, typeId);
  let balance = before;
  for (const { amount, expiresAt } of portions) {
    const account = await openAccount(trx, place, typeId, expiresAt, at);
    // Balances are numbers of JavaScript: beyond this they would lose credits.
    if (!Number.isSafeInteger(account.balance + amount) || !Number.isSafeInteger(balance + amount))
      throw new CreditsTooMany({}, field === undefined ? {} : { source: field });
    balance += place.kind === 'company' ? amount : 0;
    await trx
      .updateTable('credit_accounts')
      .set({
        balance: account.balance + amount,
        received: account.received + Math.max(0, amount),
        entries_count: account.entries_count + 1,
        updated_at: at,
      })
      .where('id', '=', account.id)
      .execute();
    await trx
      .insertInto('credit_entries')
      .values({
        transfer_id: transferId,
        account_id: account.id,
        amount,
        company_id: place.kind === 'company' ? place.companyId : null,
        balance_after: balance,
      })
      .execute();
  }
  if (place.kind === 'company' && typeId !== DATA_BYTES_TYPE_ID)
    await tellFewLeft(trx, { companyId: place.companyId, typeId, before, after: balance, at });
}

/**
 * Moves credits from one place to another, in entries that sum to zero. The ledger is locked by the caller. Throws CREDITS_SHORT at the transfer's
 * `field`. Answers what was moved.
 */
export async function transferCredits(trx: Trx, transfer: Transfer): Promise<Portion[]> {
  const { kind, typeId, from, to, caller, at, note, device } = transfer;
  const portions = await choosePortions(trx, transfer);
  const { id } = await trx
    .insertInto('credit_transfers')
    .values({
      kind,
      credit_type_id: typeId,
      user_id: caller?.actor.userId ?? null,
      user_name: caller?.actor.name ?? '',
      from_company_id: companyOf(from),
      to_company_id: companyOf(to),
      device_id: device?.id ?? null,
      device_serial: device?.serial ?? null,
      device_mac: device?.mac ?? null,
      price_cents: null,
      pro_form_nr: null,
      code_id: null,
      idempotency_key: null,
      ...note,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await book(
    trx,
    transfer,
    id,
    from,
    portions.map((portion) => ({ ...portion, amount: -portion.amount })),
  );
  await book(trx, transfer, id, to, portions);
  return portions;
}

import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { CreditTransferKind } from '../../db/credit-tables.ts';
import type { NewRow, Row, Trx } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { CreditsShort, CreditsTooMany } from './errors.ts';
import { DATA_BYTES_TYPE_ID, titleWithoutPayment, getCreditType } from './types.ts';
import { queueNotifications } from '../../kernel/notifications.ts';

type Account = Row<'credit_accounts'>;

export type CreditAccount = { kind: 'company' | 'codes' | 'reserved'; companyId: number } | { kind: 'issued' | 'spent' | 'expired' };

/** So many credits that end at that time; null: never. */
export interface Portion {
  amount: number;
  expiresAt: number | null;
}

export interface Transfer {
  kind: CreditTransferKind;
  typeId: number;
  from: CreditAccount;
  to: CreditAccount;
  /** A number takes what ends first, and nothing that has ended; portions are taken as they are. */
  amount: number | Portion[];
  /** The field at which a lack of credits is reported. */
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

const companyOf = (place: CreditAccount): number | null => ('companyId' in place ? place.companyId : null);

function selectAccounts(trx: Trx, place: CreditAccount, typeId: number) {
  return trx
    .selectFrom('credit_accounts')
    .selectAll()
    .where('kind', '=', place.kind)
    .where(sql`coalesce(company_id, 0)`, '=', companyOf(place) ?? 0)
    .where('credit_type_id', '=', typeId);
}

function openAccount(trx: Trx, place: CreditAccount, typeId: number, expiresAt: number | null, at: number): Promise<Account> {
  return trx
    .insertInto('credit_accounts')
    .values({
      kind: place.kind,
      company_id: companyOf(place),
      credit_type_id: typeId,
      balance: 0,
      expires_at: expiresAt,
      updated_at: at,
    })
    .returningAll()
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

type Entry = Omit<NewRow<'credit_entries'>, 'transfer_id' | 'history_nr'>;

/** Adds to the accounts of a position what it gets of each portion, or takes from them what it gives. Answers the entries that report it. */
async function book(trx: Trx, transfer: Transfer, place: CreditAccount, portions: Portion[]): Promise<Entry[]> {
  const { typeId, at, field } = transfer;
  const accounts = await selectAccounts(trx, place, typeId).execute();
  const companyId = place.kind === 'company' ? place.companyId : null;
  const before = companyId === null ? 0 : accounts.reduce((sum, account) => sum + account.balance, 0);
  let balance = before;
  const entries: Entry[] = [];
  for (const { amount, expiresAt } of portions) {
    const account = accounts.find((one) => one.expires_at === expiresAt) ?? (await openAccount(trx, place, typeId, expiresAt, at));
    account.balance += amount;
    account.received += Math.max(0, amount);
    account.entries_count += 1;
    if (companyId !== null) balance += amount;
    // Balances are numbers of JavaScript: beyond this they would lose credits.
    if (!Number.isSafeInteger(account.balance) || !Number.isSafeInteger(balance))
      throw new CreditsTooMany({}, field === undefined ? {} : { source: field });
    const { id, received, entries_count } = account;
    await trx
      .updateTable('credit_accounts')
      .set({ balance: account.balance, received, entries_count, updated_at: at })
      .where('id', '=', id)
      .execute();
    entries.push({ account_id: id, amount, company_id: companyId, balance_after: balance });
  }
  if (companyId !== null && typeId !== DATA_BYTES_TYPE_ID) await notifyLowBalance(trx, { companyId, typeId, before, after: balance, at });
  return entries;
}

/** Writes the entries of a transfer; those of the history of credits get the next numbers in it. */
async function writeEntries(trx: Trx, transferId: number, typeId: number, entries: readonly Entry[]): Promise<void> {
  const { last } = await trx
    .selectFrom('credit_entries')
    .select((eb) => eb.fn.max('history_nr').as('last'))
    .executeTakeFirstOrThrow();
  let nr = last ?? 0;
  const rows = entries.map((entry) => {
    const isListed = entry.company_id !== null && typeId !== DATA_BYTES_TYPE_ID;
    if (isListed) nr += 1;
    return { ...entry, transfer_id: transferId, history_nr: isListed ? nr : null };
  });
  if (rows.length > 0) await trx.insertInto('credit_entries').values(rows).execute();
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
      move_nr: kind === 'move' ? sql`(select coalesce(max(move_nr), 0) + 1 from credit_transfers)` : null,
      ...note,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const given = portions.map((portion) => ({ ...portion, amount: -portion.amount }));
  const entries = [...(await book(trx, transfer, from, given)), ...(await book(trx, transfer, to, portions))];
  await writeEntries(trx, id, typeId, entries);
  return portions;
}

/** People are notified when a company has fewer left of a type. */
const FEW_LEFT = 10;

/** Notifies the people of a company when its credits of a type have just become few. */
export async function notifyLowBalance(
  trx: Trx,
  { companyId, typeId, before, after, at }: { companyId: number; typeId: number; before: number; after: number; at: number },
): Promise<void> {
  if (before < FEW_LEFT || after >= FEW_LEFT) return;
  const subjectName = titleWithoutPayment(getCreditType(typeId));
  await queueNotifications(trx, at, [{ kind: 'creditAmountTooLow', companyId, subjectId: typeId, subjectName, details: { left: after } }]);
}

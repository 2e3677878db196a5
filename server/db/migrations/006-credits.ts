import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/**
 * The ledger of credits: accounts, what moved between two of them, and codes that carry credits. It outlives the companies in it, so it
 * refers to them by number only.
 */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table credit_accounts (id ${tools.idColumn}, kind text not null, company_id ${big}, credit_type_id integer not null,
    balance ${big} not null, updated_at ${big} not null, check (balance >= 0 or kind = 'issued'))`.execute(db);
  // Accounts of no company count as company 0: null is never equal to null.
  await sql`create unique index credit_accounts_place on credit_accounts (kind, coalesce(company_id, 0), credit_type_id)`.execute(db);
  await sql`create table credit_transfers (id ${tools.idColumn}, kind text not null, credit_type_id integer not null, user_id ${big}, price_cents ${big}, pro_form_nr text,
    code_id ${big}, created_at ${big} not null)`.execute(db);
  await sql`create table credit_entries (id ${tools.idColumn}, transfer_id ${big} not null references credit_transfers (id), account_id ${big} not null references credit_accounts (id),
    amount ${big} not null)`.execute(db);
  await sql`create index credit_entries_account on credit_entries (account_id)`.execute(db);
  await sql`create table credit_codes (id ${tools.idColumn}, company_id ${big} not null, credit_type_id integer not null, amount ${big} not null,
    code_hash text not null, hint text not null, comment text not null, created_by ${big} references users (id) on delete set null, used_by_company_id ${big},
    used_at ${big}, created_at ${big} not null)`.execute(db);
  await sql`create unique index credit_codes_hash on credit_codes (code_hash)`.execute(db);
}

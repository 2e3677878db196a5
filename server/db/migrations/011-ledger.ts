import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

const LEDGER = ['credit_transfers', 'credit_entries'];

/** What was written to the ledger stays as it is: the database refuses changes and removals, whoever asks. */
async function refuseChanges(db: Db, tools: DialectTools): Promise<void> {
  if (tools.kind === 'postgres')
    await sql`create function refuse_ledger_change() returns trigger language plpgsql as
      $$ begin raise exception 'the ledger is append-only'; end $$`.execute(db);
  for (const table of LEDGER) {
    for (const change of ['update', 'delete']) {
      const head = sql`create trigger ${sql.raw(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.raw(table)}`;
      const body =
        tools.kind === 'postgres'
          ? sql`for each row execute function refuse_ledger_change()`
          : sql`begin select raise(abort, 'the ledger is append-only'); end`;
      await sql`${head} ${body}`.execute(db);
    }
    if (tools.kind === 'postgres')
      await sql`create trigger ${sql.raw(`${table}_no_truncate`)} before truncate on ${sql.raw(table)}
        for each statement execute function refuse_ledger_change()`.execute(db);
  }
}

/** Who held what before this step, as far as the ledger tells it. */
async function fillIn(db: Db): Promise<void> {
  await sql`update credit_transfers set user_name = coalesce((select username from users where users.id = credit_transfers.user_id), ''),
    from_company_id = (select a.company_id from credit_entries e inner join credit_accounts a on a.id = e.account_id
      where e.transfer_id = credit_transfers.id and e.amount < 0),
    to_company_id = (select a.company_id from credit_entries e inner join credit_accounts a on a.id = e.account_id
      where e.transfer_id = credit_transfers.id and e.amount > 0)`.execute(db);
  await sql`update credit_entries set
    company_id = (select company_id from credit_accounts a where a.id = credit_entries.account_id and a.kind = 'company'),
    balance_after = (select sum(e.amount) from credit_entries e where e.account_id = credit_entries.account_id and e.id <= credit_entries.id)`.execute(
    db,
  );
  await sql`update credit_accounts set received = coalesce((select sum(e.amount) from credit_entries e where e.account_id = credit_accounts.id and e.amount > 0), 0),
    entries_count = (select count(*) from credit_entries e where e.account_id = credit_accounts.id)`.execute(db);
}

/** Credits that end, what devices consume, who did what from where to where, and a ledger that cannot be changed afterwards. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table credit_accounts add column expires_at ${big}`.execute(db);
  await sql`alter table credit_accounts add column received ${big} not null default 0`.execute(db);
  await sql`alter table credit_accounts add column entries_count ${big} not null default 0`.execute(db);
  await sql`drop index credit_accounts_place`.execute(db);
  await sql`create unique index credit_accounts_place on credit_accounts (kind, coalesce(company_id, 0), credit_type_id, coalesce(expires_at, 0))`.execute(
    db,
  );
  await sql`create index credit_accounts_company on credit_accounts (company_id)`.execute(db);
  for (const column of ['from_company_id', 'to_company_id', 'device_id'])
    await sql`alter table credit_transfers add column ${sql.raw(column)} ${big}`.execute(db);
  await sql`alter table credit_transfers add column device_serial text`.execute(db);
  await sql`alter table credit_transfers add column device_mac text`.execute(db);
  await sql`alter table credit_transfers add column user_name text not null default ''`.execute(db);
  await sql`alter table credit_transfers add column idempotency_key text`.execute(db);
  await sql`create unique index credit_transfers_key on credit_transfers (user_id, idempotency_key) where idempotency_key is not null`.execute(
    db,
  );
  await sql`create index credit_transfers_code on credit_transfers (code_id) where code_id is not null`.execute(db);
  await sql`alter table credit_entries add column company_id ${big}`.execute(db);
  await sql`alter table credit_entries add column balance_after ${big} not null default 0`.execute(db);
  await sql`create index credit_entries_company on credit_entries (company_id, id)`.execute(db);
  await sql`create index credit_entries_transfer on credit_entries (transfer_id)`.execute(db);
  await fillIn(db);
  await refuseChanges(db, tools);
  await sql`create table device_credits (device_id ${big} not null, service text not null, credit_type_id integer not null, state text not null,
    company_id ${big} not null, credit_expires_at ${big}, auto_extend integer not null, starts_at ${big}, ends_at ${big}, updated_at ${big} not null,
    primary key (device_id, service))`.execute(db);
  await sql`create index device_credits_due on device_credits (state, ends_at)`.execute(db);
}

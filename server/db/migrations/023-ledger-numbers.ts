import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Runs `work` on a table of the ledger while its rows may be changed; afterwards the database refuses that again. */
async function withChanges(db: Db, tools: DialectTools, table: string, work: () => Promise<unknown>): Promise<void> {
  const trigger = sql.table(`${table}_no_update`);
  await (tools.kind === 'postgres' ? sql`drop trigger ${trigger} on ${sql.table(table)}` : sql`drop trigger ${trigger}`).execute(db);
  await work();
  const body =
    tools.kind === 'postgres'
      ? sql`for each row execute function refuse_ledger_change()`
      : sql`begin select raise(abort, 'the ledger is append-only'); end`;
  await sql`create trigger ${trigger} before update on ${sql.table(table)} ${body}`.execute(db);
}

/** Rows of the histories are numbered, so that a far page begins at its number; balances are summed from indexes alone. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table credit_entries add column history_nr ${big}`.execute(db);
  await sql`alter table credit_transfers add column move_nr ${big}`.execute(db);
  await withChanges(db, tools, 'credit_entries', () =>
    sql`update credit_entries set history_nr = listed.nr from (
      select e.id as entry, row_number() over (order by e.id) as nr from credit_entries e inner join credit_transfers t on t.id = e.transfer_id
        where e.company_id is not null and t.credit_type_id > 0) as listed where listed.entry = credit_entries.id`.execute(db),
  );
  await withChanges(db, tools, 'credit_transfers', () =>
    sql`update credit_transfers set move_nr = listed.nr from (
      select id as transfer, row_number() over (order by id) as nr from credit_transfers where kind = 'move') as listed
      where listed.transfer = credit_transfers.id`.execute(db),
  );
  await sql`create unique index credit_entries_history on credit_entries (history_nr, company_id)`.execute(db);
  await sql`drop index credit_entries_company`.execute(db);
  await sql`create index credit_entries_company on credit_entries (company_id, history_nr)`.execute(db);
  await sql`create unique index credit_transfers_moves on credit_transfers (move_nr)`.execute(db);
  await sql`create index credit_transfers_from on credit_transfers (from_company_id, move_nr)`.execute(db);
  await sql`create index credit_transfers_to on credit_transfers (to_company_id, move_nr, from_company_id)`.execute(db);
  await sql`drop index credit_accounts_company`.execute(db);
  await sql`create index credit_accounts_company on credit_accounts (company_id, kind, credit_type_id, balance, entries_count)`.execute(db);
  await sql`create index credit_accounts_type on credit_accounts (kind, credit_type_id, company_id, balance, received, entries_count)`.execute(
    db,
  );
  await sql`update credit_accounts set kind = 'closed' where kind = 'company' and company_id not in (select id from companies)`.execute(db);
  await sql`create index companies_name on companies (name, id)`.execute(db);
  await sql`create index companies_parent on companies (parent_id)`.execute(db);
}

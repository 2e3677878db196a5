import { sql } from 'kysely';
import type { Db } from '../../server/db/schema.ts';

/** So many credits come to each company at first. */
const FIRST = 1_000_000;
/** How far apart the companies are between which credits move. */
const STRIDE = 7;

/**
 * Fills the ledger of a filled SQLite database with `rows` entries, two for each transfer: first an addition for each company, then moves of one
 * credit between companies. Balances are the sums of their entries, as the server keeps them.
 */
export async function fillLedger(db: Db, rows: number, at: number): Promise<void> {
  const transfers = rows / 2;
  const { companies } = await db
    .selectFrom('companies')
    .select(sql<number>`count(*)`.as('companies'))
    .executeTakeFirstOrThrow();
  await sql`insert into credit_accounts (kind, company_id, credit_type_id, balance, updated_at) values ('issued', null, 2, 0, ${at})`.execute(
    db,
  );
  await sql`insert into credit_accounts (kind, company_id, credit_type_id, balance, updated_at)
    select 'company', id, 2, 0, ${at} from companies order by id`.execute(db);
  // Companies are at 0 and up, what credits are made from at -1.
  await sql`create table bench_places as select id as account, company_id, row_number() over (order by id) - 2 as place from credit_accounts`.execute(
    db,
  );
  await sql`create unique index bench_places_place on bench_places (place)`.execute(db);
  await sql`create table bench_plan as with recursive step (n) as (select 0 union all select n + 1 from step where n + 1 < ${transfers})
    select n, case when n < ${companies} then -1 else n % ${companies} end as giver,
      case when n < ${companies} then n else (n * ${STRIDE} + 1) % ${companies} end as taker,
      case when n < ${companies} then ${FIRST} else 1 end as amount from step`.execute(db);
  await sql`insert into credit_transfers (id, kind, credit_type_id, user_id, user_name, from_company_id, to_company_id, created_at, move_nr)
    select n + 1, case giver when -1 then 'add' else 'move' end, 2, null, 'Ingrid Lund', g.company_id, t.company_id, ${at} - (${transfers} - n) * 60000,
      case giver when -1 then null else n + 1 - ${companies} end
    from bench_plan cross join bench_places g on g.place = giver cross join bench_places t on t.place = taker order by n`.execute(db);
  await sql`insert into credit_entries (id, transfer_id, account_id, amount, company_id, balance_after, history_nr)
    select n * 2 + side, n + 1, p.account, case side when 1 then -amount else amount end, p.company_id, 0,
      case when p.company_id is null then null else count(p.company_id) over (order by n, side) end
    from bench_plan cross join (select 1 as side union all select 2) cross join bench_places p on p.place = case side when 1 then giver else taker end
    order by n, side`.execute(db);
  await sql`update credit_accounts set (balance, received, entries_count) = (select coalesce(sum(amount), 0), coalesce(sum(max(amount, 0)), 0), count(*)
    from credit_entries where account_id = credit_accounts.id)`.execute(db);
  await sql`drop table bench_plan`.execute(db);
  await sql`drop table bench_places`.execute(db);
}

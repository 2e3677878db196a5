import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/**
 * How many devices of each company were active in a month. The present month is counted from what devices last said; of those before it nobody
 * knows. Each company gets a row, so that the first month of the table is the first that is known.
 */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const today = new Date();
  const month = sql.lit(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
  await sql`alter table devices add column active_month ${big}`.execute(db);
  await sql`update devices set active_month = ${month} where status is not null
    and (last_update_at >= ${month} or (last_connection_at >= ${month} and quarantine is null))`.execute(db);
  await sql`create table company_months (company_id ${big} not null references companies (id) on delete cascade, month ${big} not null,
    devices ${big} not null, primary key (company_id, month))`.execute(db);
  await sql`insert into company_months (company_id, month, devices) select companies.id, ${month},
    (select count(*) from devices where devices.company_id = companies.id and devices.active_month = ${month}) from companies`.execute(db);
}

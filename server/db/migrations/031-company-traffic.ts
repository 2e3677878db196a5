import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** What the devices of each company sent and received, in bytes, one row a day. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table company_traffic (company_id ${big} not null references companies (id) on delete cascade, day ${big} not null,
    sent ${big} not null, received ${big} not null, primary key (company_id, day))`.execute(db);
}

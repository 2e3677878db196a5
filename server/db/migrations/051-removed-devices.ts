import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Devices that were removed and can be restored: where they were, and what they come back with. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table removed_devices (device_id ${big} not null primary key references devices (id) on delete cascade,
    company_id ${big} not null references companies (id) on delete cascade, device_key text not null, tag_ids text not null,
    user_name text not null, removed_at ${big} not null)`.execute(db);
  await sql`create index removed_devices_company on removed_devices (company_id, removed_at)`.execute(db);
  await sql`create index removed_devices_time on removed_devices (removed_at)`.execute(db);
}

import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What API descriptions say of single settings, and the settings that devices had when they were asked last. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table api_descriptions add column document text`.execute(db);
  await sql`create table device_configurations (device_id ${big} not null primary key references devices (id) on delete cascade,
    settings text not null, read_at ${big} not null)`.execute(db);
}

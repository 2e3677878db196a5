import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Devices that were added before they have joined, and what they get then. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table awaited_devices (device_id ${big} primary key references devices (id) on delete cascade, series text not null,
    firmware_file_id ${big} references files (id) on delete set null, config_file_id ${big} references files (id) on delete set null,
    proof_hash text, user_id ${big} references users (id) on delete set null, actor_company_id ${big} not null, user_name text not null,
    added_at ${big} not null, joined_at ${big})`.execute(db);
  await sql`create index awaited_devices_joined on awaited_devices (joined_at)`.execute(db);
  await sql`create index awaited_devices_firmware on awaited_devices (firmware_file_id)`.execute(db);
  await sql`create index awaited_devices_config on awaited_devices (config_file_id)`.execute(db);
  await sql`create index awaited_devices_user on awaited_devices (user_id)`.execute(db);
}

import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What people note about a device. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table device_notes (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade,
    user_id ${big} references users (id) on delete set null, user_name text not null, text text not null,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create index device_notes_device on device_notes (device_id, created_at)`.execute(db);
  await sql`create index device_notes_user on device_notes (user_id)`.execute(db);
}

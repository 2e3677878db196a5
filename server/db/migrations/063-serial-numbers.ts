import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Serial numbers that may or may not join this installation. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table serial_numbers (id ${tools.idColumn}, serial text not null, mac text not null, imei text not null, model text not null,
    status text not null, user_name text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index serial_numbers_serial on serial_numbers (serial, mac)`.execute(db);
}

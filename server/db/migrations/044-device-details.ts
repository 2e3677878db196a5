import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** What devices report of their ports, networks, inputs, position and modems: the last of it, and where they were; and how much data each may use in a month. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.real);
  const device = sql`device_id ${big} not null references devices (id) on delete cascade`;
  const flat = tools.kind === 'postgres' ? sql`` : sql`without rowid`;
  await sql`create table device_details (${device}, details text not null, received_at ${big} not null, changed_at ${big} not null, primary key (device_id))`.execute(
    db,
  );
  await sql`create table device_positions (${device}, at ${big} not null, latitude ${real} not null, longitude ${real} not null, altitude ${real},
    accuracy ${real}, satellites integer, speed ${real}, primary key (device_id, at)) ${flat}`.execute(db);
  await sql`create index device_positions_at on device_positions (at)`.execute(db);
  await sql`create table device_data_limits (${device}, limit_bytes ${big} not null, starts_on integer not null, primary key (device_id))`.execute(
    db,
  );
  await sql`create index device_events_time on device_events (device_id, at, id)`.execute(db);
  for (const column of ['modem_manufacturer', 'modem_model', 'modem_firmware'])
    await sql`alter table devices add column ${sql.ref(column)} ${tools.binaryText}`.execute(db);
}

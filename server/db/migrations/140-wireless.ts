import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Wi-Fi networks and hotspots of devices as they were reported last, and vouchers for hotspots. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const device = sql`device_id ${big} not null references devices (id) on delete cascade`;
  await sql`create table device_wireless (id ${tools.idColumn}, ${device}, interface text not null, ssid text not null, active integer not null,
    band text not null, channel integer, clients integer not null, received ${big} not null, sent ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index device_wireless_interface on device_wireless (device_id, interface)`.execute(db);
  await sql`create table device_hotspots (id ${tools.idColumn}, ${device}, hotspot_index integer not null, ssid text not null, active integer not null,
    ip text not null, users integer not null, auth_type text not null, accounts text not null, sessions text not null, read_at ${big},
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index device_hotspots_index on device_hotspots (device_id, hotspot_index)`.execute(db);
  await sql`create table hotspot_vouchers (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, ssid text not null, amount integer not null, minutes integer not null, megabytes integer not null, ends_at ${big},
    sealed_codes text not null, revoked_at ${big}, created_at ${big} not null)`.execute(db);
  await sql`create unique index hotspot_vouchers_name on hotspot_vouchers (company_id, name)`.execute(db);
  await sql`create table hotspot_voucher_devices (voucher_id ${big} not null references hotspot_vouchers (id) on delete cascade, ${device},
    primary key (voucher_id, device_id))`.execute(db);
  await sql`create index hotspot_voucher_devices_device on hotspot_voucher_devices (device_id)`.execute(db);
}

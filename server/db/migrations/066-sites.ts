import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Places where devices stand, and which device stands where. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.real);
  await sql`create table sites (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade, name text not null,
    address text not null, latitude ${real}, longitude ${real}, contact_name text not null, contact_phone text not null,
    contact_email text not null, notes text not null, created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index sites_name on sites (company_id, name)`.execute(db);
  await sql`create table device_sites (device_id ${big} primary key references devices (id) on delete cascade,
    site_id ${big} not null references sites (id) on delete cascade)`.execute(db);
  await sql`create index device_sites_site on device_sites (site_id)`.execute(db);
}

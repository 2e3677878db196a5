import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Services that were found on devices and behind them, one a row, in place of one text a device. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`drop table remote_scans`.execute(db);
  await sql`create table found_services (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade, host text not null,
    port ${big} not null, mac text not null, host_name text not null, found_at ${big} not null)`.execute(db);
  await sql`create unique index found_services_place on found_services (device_id, host, port)`.execute(db);
}

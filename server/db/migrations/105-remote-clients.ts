import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Trusted host keys, and the entries that may use outdated algorithms. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table remote_host_keys (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade, host text not null,
    port ${big} not null, key_type text not null, fingerprint text not null, trusted_by ${big} not null, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index remote_host_keys_place on remote_host_keys (device_id, host, port, key_type)`.execute(db);
  await sql`create table remote_legacy_entries (entry_id ${big} primary key references remote_entries (id) on delete cascade, created_at ${big} not null)`.execute(
    db,
  );
}

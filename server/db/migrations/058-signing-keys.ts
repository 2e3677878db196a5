import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** The keys that firmware of companies is signed with, and the signatures of files. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table signing_keys (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    name text not null, key_id text not null, public_key text not null, user_name text not null, created_at ${big} not null)`.execute(db);
  await sql`create unique index signing_keys_key on signing_keys (company_id, public_key)`.execute(db);
  await sql`alter table files add column signature text`.execute(db);
}

import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** How the console looks to a top-level company, and at a host name of its own. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table themes (company_id ${big} primary key references companies (id) on delete cascade, host_name text, look text not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index themes_host_name on themes (host_name)`.execute(db);
  await sql`create table theme_pictures (key text primary key, company_id ${big} not null references companies (id) on delete cascade,
    kind text not null, type text not null, bytes text not null)`.execute(db);
  await sql`create unique index theme_pictures_kind on theme_pictures (company_id, kind)`.execute(db);
}

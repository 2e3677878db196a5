import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Dashboards of people and of companies. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table dashboards (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    owner_id ${big} references users (id) on delete cascade, kind text not null, name text not null, is_default integer not null,
    widgets text not null, version integer not null, user_name text not null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create index dashboards_company on dashboards (company_id)`.execute(db);
  await sql`create index dashboards_owner on dashboards (owner_id) where owner_id is not null`.execute(db);
}

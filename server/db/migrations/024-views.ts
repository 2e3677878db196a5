import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Saved views of lists. A private one goes with its owner; a shared one stays when whoever made it leaves. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table views (id ${tools.idColumn}, resource text not null, name text not null, share text not null,
    company_id ${big} references companies (id) on delete cascade, owner_id ${big} references users (id) on delete cascade,
    created_by ${big} references users (id) on delete set null, user_name text not null, query text not null, columns text,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create index views_company on views (company_id, resource)`.execute(db);
  await sql`create index views_owner on views (owner_id, resource)`.execute(db);
  await sql`create index views_creator on views (created_by)`.execute(db);
}

import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Applications of others that people let act for them (OAuth 2), the codes on the way to a token, and tokens that are refreshed. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table applications (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade, name text not null,
    description text not null, client_id text not null, secret_hash text, redirect_uris text not null, scopes text not null, created_at ${big} not null,
    updated_at ${big} not null)`.execute(db);
  await sql`create unique index applications_client on applications (client_id)`.execute(db);
  await sql`create unique index applications_name on applications (company_id, name)`.execute(db);
  for (const column of [
    sql`application_id ${big} references applications (id) on delete cascade`,
    sql`access_expires_at ${big}`,
    sql`refresh_hash text`,
    sql`former_refresh_hash text`,
  ])
    await sql`alter table access_tokens add column ${column}`.execute(db);
  await sql`create index access_tokens_application on access_tokens (application_id)`.execute(db);
  await sql`create index access_tokens_refresh on access_tokens (refresh_hash)`.execute(db);
  await sql`create index access_tokens_former_refresh on access_tokens (former_refresh_hash)`.execute(db);
  await sql`create table application_codes (code_hash text primary key, application_id ${big} not null references applications (id) on delete cascade,
    user_id ${big} not null references users (id) on delete cascade, company_id ${big} not null references companies (id) on delete cascade,
    redirect_uri text not null, scopes text not null, challenge text not null, expires_at ${big} not null, token_id ${big})`.execute(db);
}

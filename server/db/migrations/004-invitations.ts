import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Invitations by mail, addresses that refuse our mail, and the API descriptions of device systems. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table invitations (id ${tools.idColumn}, email ${tools.binaryText} not null, company_id ${big} not null references companies (id) on delete cascade,
    role_id ${big} not null references roles (id) on delete cascade, is_distributor integer not null, token_hash text not null, invited_by ${big} not null references users (id) on delete cascade,
    expires_at ${big} not null, created_at ${big} not null)`.execute(db);
  await sql`create unique index invitations_token on invitations (token_hash)`.execute(db);
  await sql`create unique index invitations_email on invitations (company_id, email)`.execute(db);
  await sql`create table suppressed_emails (email ${tools.binaryText} not null, company_id ${big} not null references companies (id) on delete cascade,
    reason text not null, created_at ${big} not null, primary key (email, company_id))`.execute(db);
  await sql`create table api_descriptions (system text primary key, file_name text not null, size ${big} not null, sha256 text not null,
    uploaded_by ${big} references users (id) on delete set null, created_at ${big} not null)`.execute(db);
}

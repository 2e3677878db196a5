import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

async function createMemberships(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table memberships (user_id ${big} not null references users (id) on delete cascade, company_id ${big} not null references companies (id),
    role_id ${big} not null references roles (id), disabled_at ${big}, created_at ${big} not null, updated_at ${big} not null, primary key (user_id, company_id))`.execute(
    db,
  );
  await sql`insert into memberships (user_id, company_id, role_id, disabled_at, created_at, updated_at)
    select id, company_id, role_id, disabled_at, created_at, updated_at from users`.execute(db);
  await sql`create index memberships_company on memberships (company_id, user_id)`.execute(db);
  await sql`create index memberships_role on memberships (role_id)`.execute(db);
  await sql`alter table users drop column role_id`.execute(db);
  await sql`alter table users drop column disabled_at`.execute(db);
  for (const table of ['sessions', 'access_tokens']) {
    await sql`alter table ${sql.ref(table)} add column company_id ${big} not null default 0`.execute(db);
    await sql`update ${sql.ref(table)} set company_id = (select company_id from users where users.id = user_id)`.execute(db);
    await sql`create index ${sql.ref(`${table}_company`)} on ${sql.ref(table)} (company_id)`.execute(db);
  }
}

async function createImpersonation(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table users add column impersonation_until ${big}`.execute(db);
  await sql`alter table sessions add column on_behalf_of ${big} references users (id) on delete cascade`.execute(db);
  await sql`create index sessions_on_behalf_of on sessions (on_behalf_of)`.execute(db);
  await sql`create table impersonation_requests (id ${tools.idColumn}, token_hash text not null, user_id ${big} not null references users (id) on delete cascade,
    company_id ${big} not null references companies (id) on delete cascade, requested_by ${big} not null references users (id) on delete cascade,
    requester_company_id ${big} not null, reason text not null, expires_at ${big} not null, created_at ${big} not null)`.execute(db);
  await sql`create unique index impersonation_requests_token on impersonation_requests (token_hash)`.execute(db);
  await sql`create index impersonation_requests_user on impersonation_requests (user_id)`.execute(db);
  await sql`create table impersonation_logs (id ${tools.idColumn}, actor_id ${big}, actor_name text not null, user_id ${big}, user_name text not null,
    company_id ${big} not null references companies (id) on delete cascade, reason text not null, ip text not null, session_id text not null,
    started_at ${big} not null, expires_at ${big} not null, ended_at ${big})`.execute(db);
  await sql`create index impersonation_logs_company on impersonation_logs (company_id, id)`.execute(db);
  await sql`create index impersonation_logs_session on impersonation_logs (session_id)`.execute(db);
}

/** People belong to several companies, each with a role; a session and a token act in one of them. Acting for others, with their consent. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await createMemberships(db, tools);
  await createImpersonation(db, tools);
  await sql`alter table invitations add column inviter_company_id ${big} not null default 0`.execute(db);
  await sql`update invitations set inviter_company_id = (select company_id from users where users.id = invited_by)`.execute(db);
  await sql`alter table invitations add column sent_at ${big}`.execute(db);
  await sql`alter table invitations add column mail_error text`.execute(db);
}

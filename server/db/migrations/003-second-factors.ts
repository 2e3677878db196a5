import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** Second factors of users, the challenges that ask for them, and when a session last confirmed its password. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`alter table sessions add column password_confirmed_at ${big} not null default 0`.execute(db);
  await sql`create table second_factors (user_id ${big} primary key references users (id) on delete cascade, method text not null, sealed_secret text,
    last_step ${big}, code_hash text, attempts integer not null, confirmed_at ${big}, created_at ${big} not null)`.execute(db);
  await sql`create table recovery_codes (user_id ${big} not null references users (id) on delete cascade, code_hash text not null, created_at ${big} not null,
    primary key (user_id, code_hash))`.execute(db);
  await sql`create table mfa_challenges (id text primary key, uuid_hash text not null, user_id ${big} not null references users (id) on delete cascade,
    session_id text not null, request_hash text not null, code_hash text, attempts integer not null, sends integer not null, expires_at ${big} not null, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create index mfa_challenges_user on mfa_challenges (user_id, created_at)`.execute(db);
}

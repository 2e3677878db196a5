import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Links by mail, pictures of people, and what people must do before anything else. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table account_links (token_hash text primary key, kind text not null, user_id ${big} not null references users (id) on delete cascade,
    email text not null, expires_at ${big} not null, created_at ${big} not null)`.execute(db);
  await sql`create index account_links_user on account_links (user_id, kind)`.execute(db);
  await sql`create table avatars (user_id ${big} primary key references users (id) on delete cascade, key text not null, type text not null, bytes text not null)`.execute(
    db,
  );
  await sql`create table passkeys (id ${tools.idColumn}, user_id ${big} not null references users (id) on delete cascade, name text not null, credential_id text not null,
    public_key text not null, counter ${big} not null, transports text not null, last_used_at ${big}, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index passkeys_credential on passkeys (credential_id)`.execute(db);
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db);
  await sql`create table passkey_challenges (challenge_hash text primary key, user_id ${big} references users (id) on delete cascade, expires_at ${big} not null)`.execute(
    db,
  );
  await sql`create table external_identities (issuer text not null, subject text not null, user_id ${big} not null references users (id) on delete cascade,
    created_at ${big} not null, primary key (issuer, subject))`.execute(db);
  await sql`create unique index external_identities_user on external_identities (user_id, issuer)`.execute(db);
  await sql`alter table users add column email_unverified integer not null default 0`.execute(db);
  await sql`alter table users add column accepted_terms text`.execute(db);
  await sql`alter table companies add column requires_mfa integer not null default 0`.execute(db);
  await sql`create unique index avatars_key on avatars (key)`.execute(db);
}

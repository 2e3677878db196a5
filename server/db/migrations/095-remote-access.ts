import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

async function addEntries(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table remote_entries (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade, name text not null,
    protocol text not null, host text not null, port ${big} not null, is_main ${big} not null, credentials_required ${big} not null,
    sealed_credentials text, blocked_at ${big}, check_state text, checked_at ${big}, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index remote_entries_name on remote_entries (device_id, name)`.execute(db);
  await sql`create table remote_entry_tags (entry_id ${big} not null references remote_entries (id) on delete cascade,
    tag_id ${big} not null references tags (id) on delete cascade, primary key (entry_id, tag_id))`.execute(db);
  await sql`create index remote_entry_tags_tag on remote_entry_tags (tag_id)`.execute(db);
  await sql`create table remote_favourites (user_id ${big} not null references users (id) on delete cascade,
    entry_id ${big} not null references remote_entries (id) on delete cascade, primary key (user_id, entry_id))`.execute(db);
  await sql`create index remote_favourites_entry on remote_favourites (entry_id)`.execute(db);
  await sql`create table remote_scans (device_id ${big} primary key references devices (id) on delete cascade, scanned_at ${big} not null,
    hosts text not null)`.execute(db);
}

async function addSessions(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table remote_links (id ${tools.idColumn}, entry_id ${big} not null references remote_entries (id) on delete cascade,
    token_hash text not null, email text not null, purpose text not null, ticket_number text not null,
    created_by ${big} references users (id) on delete set null, created_by_name text not null,
    created_in ${big} not null references companies (id) on delete cascade, created_at ${big} not null, expires_at ${big} not null,
    revoked_at ${big}, used_at ${big}, uses ${big} not null)`.execute(db);
  await sql`create unique index remote_links_token on remote_links (token_hash)`.execute(db);
  await sql`create index remote_links_entry on remote_links (entry_id)`.execute(db);
  await sql`create index remote_links_company on remote_links (created_in)`.execute(db);
  await sql`create index remote_links_user on remote_links (created_by)`.execute(db);
  await sql`create table remote_sessions (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    device_id ${big} references devices (id) on delete set null, device_name text not null,
    entry_id ${big} references remote_entries (id) on delete set null, entry_name text not null, protocol text not null, type text not null,
    host text not null, port ${big} not null, user_id ${big} references users (id) on delete set null, user_name text not null, on_behalf_of ${big},
    link_id ${big} references remote_links (id) on delete set null, session_id text, token_id ${big}, ip text not null, ticket_hash text, ticket_expires_at ${big} not null,
    opened_at ${big}, started_at ${big} not null, expires_at ${big} not null, ended_at ${big}, end_reason text, end_requested text,
    bytes_in ${big} not null, bytes_out ${big} not null, bytes_charged ${big} not null, owner text not null, seen_at ${big} not null,
    recording_bytes ${big} not null)`.execute(db);
  await sql`create index remote_sessions_company on remote_sessions (company_id, started_at)`.execute(db);
  await sql`create index remote_sessions_started on remote_sessions (started_at)`.execute(db);
  await sql`create index remote_sessions_device on remote_sessions (device_id)`.execute(db);
  await sql`create index remote_sessions_entry on remote_sessions (entry_id)`.execute(db);
  await sql`create index remote_sessions_user on remote_sessions (user_id)`.execute(db);
  await sql`create index remote_sessions_link on remote_sessions (link_id)`.execute(db);
  await sql`create index remote_sessions_open on remote_sessions (ended_at) where ended_at is null`.execute(db);
  await sql`create unique index remote_sessions_ticket on remote_sessions (ticket_hash)`.execute(db);
}

/** Entries of remote access, sessions and their history, links for other people, and what companies ask of all this. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await addEntries(db, tools);
  await addSessions(db, tools);
  await sql`create table remote_settings (company_id ${big} primary key references companies (id) on delete cascade, records_terminals ${big} not null,
    asks_consent ${big} not null, idle_minutes ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create table remote_consents (id ${tools.idColumn}, company_id ${big} not null references companies (id) on delete cascade,
    device_id ${big} not null references devices (id) on delete cascade, user_id ${big} not null references users (id) on delete cascade,
    user_name text not null, purpose text not null, asked_at ${big} not null, state text not null, decided_at ${big}, decided_by_name text,
    expires_at ${big} not null)`.execute(db);
  await sql`create index remote_consents_company on remote_consents (company_id)`.execute(db);
  await sql`create index remote_consents_device on remote_consents (device_id, user_id)`.execute(db);
  await sql`create index remote_consents_user on remote_consents (user_id)`.execute(db);
  await sql`create table device_tunnel_keys (device_id ${big} primary key references devices (id) on delete cascade, public_key text not null,
    created_at ${big} not null)`.execute(db);
}

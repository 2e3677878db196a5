import { sql } from 'kysely';
import type { DialectTools } from '../dialect.ts';
import type { Db } from '../schema.ts';

/** Hubs that run: OpenVPN beside WireGuard, sessions and traffic, rules between groups, quick connect. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const add = async (table: string, columns: readonly string[]): Promise<void> => {
    for (const column of columns) await sql.raw(`alter table ${table} add column ${column.replaceAll('BIG', tools.bigint)}`).execute(db);
  };
  await add('vpn_hubs', [
    `zone text not null default 'local'`,
    `vpn_type text not null default 'wireguard'`,
    'quick_hub BIG not null default 0',
    'starts_at BIG',
    'ends_at BIG',
    'disabled_reason text',
    'sealed_pki text',
    'ca_expires_at BIG',
    'server_expires_at BIG',
    'revoked_list text',
    'revoked_list_at BIG',
    'run_state text',
    'run_error text',
    'bytes_used BIG not null default 0',
    'last_used_at BIG',
    'created_by BIG references users (id) on delete set null',
  ]);
  await add('vpn_clients', [
    'user_id BIG references users (id) on delete cascade',
    `mode text not null default 'dhcp'`,
    'serial text',
    'expires_at BIG',
    'device_certificate text',
    'forward_lan BIG not null default 0',
    'forward_wan BIG not null default 0',
    'sync_state text',
    'synced_at BIG',
    'synced_as text',
  ]);
  await sql`drop index vpn_clients_name`.execute(db);
  await sql`create unique index vpn_clients_name on vpn_clients (vpn_hub_id, name) where device_id is null and user_id is null`.execute(db);
  await sql`create unique index vpn_clients_user on vpn_clients (user_id, vpn_hub_id)`.execute(db);
  await sql`create table vpn_hub_tags (vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    tag_id ${big} not null references tags (id) on delete cascade, primary key (vpn_hub_id, tag_id))`.execute(db);
  await sql`create index vpn_hub_tags_tag on vpn_hub_tags (tag_id)`.execute(db);
  await sql`create table vpn_client_tags (vpn_client_id ${big} not null references vpn_clients (id) on delete cascade,
    tag_id ${big} not null references tags (id) on delete cascade, primary key (vpn_client_id, tag_id))`.execute(db);
  await sql`create index vpn_client_tags_tag on vpn_client_tags (tag_id)`.execute(db);
  await sql`create table vpn_revoked (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    serial text not null, expires_at ${big} not null, revoked_at ${big} not null)`.execute(db);
  await sql`create index vpn_revoked_hub on vpn_revoked (vpn_hub_id)`.execute(db);
  await sql`create table vpn_dhcp_options (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    type text not null, address ${big} not null, created_at ${big} not null)`.execute(db);
  await sql`create unique index vpn_dhcp_options_pair on vpn_dhcp_options (vpn_hub_id, type, address)`.execute(db);
  await sql`create table vpn_sessions (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    vpn_client_id ${big} references vpn_clients (id) on delete set null, name text not null, type text not null, session_key text not null,
    address ${big}, remote text not null, code ${big} not null, sent ${big} not null, received ${big} not null, started_at ${big} not null,
    ended_at ${big})`.execute(db);
  await sql`create unique index vpn_sessions_key on vpn_sessions (vpn_hub_id, session_key)`.execute(db);
  await sql`create index vpn_sessions_started on vpn_sessions (vpn_hub_id, started_at)`.execute(db);
  await sql`create index vpn_sessions_client on vpn_sessions (vpn_client_id)`.execute(db);
  await sql`create index vpn_sessions_live on vpn_sessions (vpn_hub_id) where ended_at is null`.execute(db);
  await sql`create table vpn_traffic (vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade, vpn_client_id ${big} not null,
    hour ${big} not null, sent ${big} not null, received ${big} not null, primary key (vpn_hub_id, vpn_client_id, hour))`.execute(db);
  await letGroupsIn(db, tools);
}

/** An end of a rule is a client, or all clients with a tag. */
async function letGroupsIn(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table vpn_rules_next (id ${tools.idColumn}, vpn_hub_id ${big} not null references vpn_hubs (id) on delete cascade,
    from_client_id ${big} references vpn_clients (id) on delete cascade, to_client_id ${big} references vpn_clients (id) on delete cascade,
    from_tag_id ${big} references tags (id) on delete cascade, to_tag_id ${big} references tags (id) on delete cascade,
    created_at ${big} not null)`.execute(db);
  await sql`insert into vpn_rules_next (vpn_hub_id, from_client_id, to_client_id, created_at)
    select vpn_hub_id, from_client_id, to_client_id, created_at from vpn_rules order by id`.execute(db);
  await sql`drop table vpn_rules`.execute(db);
  await sql`alter table vpn_rules_next rename to vpn_rules`.execute(db);
  await sql`create unique index vpn_rules_pair on vpn_rules (vpn_hub_id, coalesce(from_client_id, 0), coalesce(from_tag_id, 0),
    coalesce(to_client_id, 0), coalesce(to_tag_id, 0))`.execute(db);
  for (const end of ['from_client', 'to_client', 'from_tag', 'to_tag'])
    await sql.raw(`create index vpn_rules_${end} on vpn_rules (${end}_id)`).execute(db);
}

import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

const MILLIS_NULLABLE = ['last_connection_at', 'last_update_at', 'status_changed_at', 'activated_at', 'silent_at'];
const DEVICE_TEXT = [
  'imei',
  'boot_id',
  'connection_type',
  'operator',
  'network_state',
  'imsi',
  'iccid',
  'mobile_ip',
  'wan_state',
  'wan_ip',
  'lan_ip',
  'interfaces',
];
const DEVICE_NUMBER = ['signal', 'rsrp', 'rsrq', 'sinr', 'sim_slot', 'temperature', 'failed_auth_reason'];
const DEVICE_BIG = ['router_uptime', 'mem_total_kb', 'mem_available_kb', 'sent', 'received'];

async function createAccounts(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table installation (key text primary key, value text not null)`.execute(db);
  await sql`create table companies (id ${tools.idColumn}, name ${tools.binaryText} not null, level integer not null check (level between 1 and 3),
    parent_id ${big} references companies (id), path ${tools.binaryText} not null, created_at ${big} not null, updated_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index companies_path on companies (path)`.execute(db);
  await sql`create unique index companies_parent_name on companies (parent_id, name)`.execute(db);
  await sql`create table roles (id ${tools.idColumn}, name text not null, title text not null, description text not null, scope text not null,
    company_id ${big} references companies (id), created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create table role_permissions (role_id ${big} not null references roles (id) on delete cascade, permission text not null, primary key (role_id, permission))`.execute(
    db,
  );
  await sql`create table users (id ${tools.idColumn}, email ${tools.binaryText} not null, username text not null, first_name text not null, last_name text not null,
    password_hash text not null, company_id ${big} not null references companies (id), role_id ${big} not null references roles (id),
    disabled_at ${big}, last_login_at ${big}, created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index users_email on users (email)`.execute(db);
  await sql`create index users_company on users (company_id)`.execute(db);
  await sql`create table sessions (id text primary key, user_id ${big} not null references users (id) on delete cascade, access_hash text not null, access_expires_at ${big} not null,
    refresh_hash text not null, previous_refresh_hash text, previous_access_hash text, rotated_at ${big} not null, idle_expires_at ${big} not null, absolute_expires_at ${big} not null,
    ip text not null, user_agent text not null, created_at ${big} not null, last_used_at ${big} not null)`.execute(db);
  await sql`create unique index sessions_access on sessions (access_hash)`.execute(db);
  await sql`create index sessions_previous_access on sessions (previous_access_hash)`.execute(db);
  await sql`create index sessions_user on sessions (user_id)`.execute(db);
  await sql`create table access_tokens (id ${tools.idColumn}, user_id ${big} not null references users (id) on delete cascade, name text not null, token_hash text not null,
    token_hint text not null, scopes text not null, expires_at ${big} not null, last_used_at ${big}, last_used_ip text, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index access_tokens_hash on access_tokens (token_hash)`.execute(db);
  await sql`create index access_tokens_user on access_tokens (user_id)`.execute(db);
  await sql`create table storage (user_id ${big} not null references users (id) on delete cascade, key text not null, value text not null, updated_at ${big} not null, primary key (user_id, key))`.execute(
    db,
  );
  await sql`create table audit (id ${tools.idColumn}, at ${big} not null, actor_id ${big}, actor_name text not null, on_behalf_of ${big}, action text not null, entity text not null,
    entity_id ${big}, entity_name text not null, company_id ${big}, before text, after text, ip text not null, token_name text, request_id text not null)`.execute(
    db,
  );
  await sql`create index audit_entity on audit (entity, entity_id, id)`.execute(db);
  await sql`create index audit_company on audit (company_id, id)`.execute(db);
}

async function createDevices(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  const real = sql.raw(tools.real);
  await sql`create table tags (id ${tools.idColumn}, company_id ${big} not null references companies (id), name ${tools.binaryText} not null, description text not null, color text not null,
    created_at ${big} not null, updated_at ${big} not null)`.execute(db);
  await sql`create unique index tags_company_name on tags (company_id, name)`.execute(db);
  await sql`create table enrolment_codes (id ${tools.idColumn}, company_id ${big} not null references companies (id), code_hash text not null, hint text not null, uses integer not null, used integer not null,
    expires_at ${big} not null, tag_ids text not null, name_prefix text not null, created_by ${big} references users (id) on delete set null, revoked_at ${big}, created_at ${big} not null)`.execute(
    db,
  );
  await sql`create unique index enrolment_codes_hash on enrolment_codes (code_hash)`.execute(db);
  const optional = [
    ...DEVICE_TEXT.map((name) => sql`, ${sql.ref(name)} text`),
    ...DEVICE_NUMBER.map((name) => sql`, ${sql.ref(name)} integer`),
    ...DEVICE_BIG.map((name) => sql`, ${sql.ref(name)} ${big}`),
    ...MILLIS_NULLABLE.map((name) => sql`, ${sql.ref(name)} ${big}`),
  ];
  await sql`create table devices (id ${tools.idColumn}, company_id ${big} not null references companies (id), device_key text not null, credential_hash text not null, name ${tools.binaryText} not null, description text not null,
    serial ${tools.binaryText} not null, mac text not null, model ${tools.binaryText} not null, firmware ${tools.binaryText} not null, agent text not null, os text not null, hostname text not null, is_simulated integer not null,
    status integer, quarantine text, report_seconds integer not null, load1 ${real}, search_text ${tools.binaryText} not null,
    enrolment_code_id ${big} references enrolment_codes (id) on delete set null, created_at ${big} not null, updated_at ${big} not null${sql.join(optional, sql``)})`.execute(
    db,
  );
  await sql`create unique index devices_key on devices (device_key)`.execute(db);
  await sql`create index devices_serial on devices (serial)`.execute(db);
  await sql`create index devices_name on devices (name, id, company_id, status)`.execute(db);
  await sql`create index devices_company on devices (company_id, status)`.execute(db);
  // All that lists filter by and most that they sort by, so that filtering, counting and statistics never touch the wide rows.
  await sql`create index devices_facets on devices (company_id, status, model, firmware, connection_type, signal, operator, network_state, wan_state, quarantine,
    last_update_at, last_connection_at, is_simulated)`.execute(db);
  await sql`create index devices_text on devices (company_id, search_text, status)`.execute(db);
  await sql`create index devices_mac on devices (mac)`.execute(db);
  await sql`create index devices_imei on devices (imei)`.execute(db);
  await sql`create index devices_silent on devices (status, silent_at)`.execute(db);
  await sql`create index devices_enrolment on devices (enrolment_code_id)`.execute(db);
  await sql`create table device_tags (device_id ${big} not null references devices (id) on delete cascade, tag_id ${big} not null references tags (id) on delete cascade, primary key (device_id, tag_id))`.execute(
    db,
  );
  await sql`create index device_tags_tag on device_tags (tag_id, device_id)`.execute(db);
  await sql`create table device_events (id ${tools.idColumn}, device_id ${big} not null references devices (id) on delete cascade, company_id ${big} not null, at ${big} not null, type text not null, code integer,
    level text not null, message text not null, params text, ip text)`.execute(db);
  await sql`create index device_events_device on device_events (device_id, id)`.execute(db);
  await sql`create index device_events_at on device_events (at)`.execute(db);
  await sql`create table device_samples (device_id ${big} not null references devices (id) on delete cascade, metric text not null, at ${big} not null, value ${real} not null, primary key (device_id, metric, at))`.execute(
    db,
  );
  await sql`create index device_samples_at on device_samples (at)`.execute(db);
}

async function createJobs(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table jobs (id ${tools.idColumn}, kind text not null, input text not null, state text not null, total integer not null, counts text not null, message text,
    created_by ${big} references users (id) on delete set null, user_name text not null, on_behalf_of ${big}, company_id ${big} not null references companies (id),
    reach_path ${tools.binaryText} not null, is_one_company integer not null, origin text not null, parent_job_id ${big} references jobs (id) on delete set null,
    idempotency_key text, selection text, seen_count integer, deadline_at ${big} not null,
    cancel_requested_at ${big}, lease_owner text, lease_until ${big}, created_at ${big} not null, started_at ${big}, finished_at ${big})`.execute(
    db,
  );
  await sql`create index jobs_state on jobs (state, lease_until)`.execute(db);
  await sql`create index jobs_reach on jobs (reach_path, id)`.execute(db);
  await sql`create unique index jobs_idempotency on jobs (created_by, idempotency_key)`.execute(db);
  await sql`create table job_targets (id ${tools.idColumn}, job_id ${big} not null references jobs (id) on delete cascade, device_id ${big} not null, device_name text not null, company_id ${big} not null, command_id text not null,
    state text not null, reason text, message text, code integer, output text, truncated integer not null, attempts integer not null, sent_at ${big}, started_at ${big}, finished_at ${big}, deadline_at ${big})`.execute(
    db,
  );
  await sql`create unique index job_targets_command on job_targets (command_id)`.execute(db);
  await sql`create index job_targets_job on job_targets (job_id, state, id)`.execute(db);
  await sql`create index job_targets_device on job_targets (device_id, state)`.execute(db);
}

async function createSearch(db: Db, tools: DialectTools): Promise<void> {
  if (tools.kind === 'postgres') {
    await sql`create extension if not exists pg_trgm`.execute(db);
    // Names are kept in byte order (collate "C"), in which lower() knows ASCII only.
    await sql`create or replace function lower_text (text) returns text language sql immutable as 'select lower($1 collate "und-x-icu")'`.execute(
      db,
    );
    await sql`create index devices_search on devices using gin (search_text gin_trgm_ops)`.execute(db);
    return;
  }
  await sql`create virtual table device_search using fts5 (search_text, content='devices', content_rowid='id', tokenize='trigram')`.execute(
    db,
  );
  await sql`create trigger devices_search_insert after insert on devices begin
    insert into device_search (rowid, search_text) values (new.id, new.search_text); end`.execute(db);
  await sql`create trigger devices_search_delete after delete on devices begin
    insert into device_search (device_search, rowid, search_text) values ('delete', old.id, old.search_text); end`.execute(db);
  await sql`create trigger devices_search_update after update of search_text on devices begin
    insert into device_search (device_search, rowid, search_text) values ('delete', old.id, old.search_text);
    insert into device_search (rowid, search_text) values (new.id, new.search_text); end`.execute(db);
}

export async function up(db: Db, tools: DialectTools): Promise<void> {
  await createAccounts(db, tools);
  await createDevices(db, tools);
  await createJobs(db, tools);
  await createSearch(db, tools);
}

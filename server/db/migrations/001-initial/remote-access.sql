create table remote_settings (
  company_id bigint primary key references companies (id) on delete cascade,
  records_terminals bigint not null,
  records_desktops bigint not null,
  asks_consent bigint not null,
  idle_minutes bigint not null,
  updated_at bigint not null
);

create table remote_entries (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  name text not null,
  protocol text not null,
  host text not null,
  port bigint not null,
  is_main bigint not null,
  way text not null default 'auto',
  credentials_required bigint not null,
  sealed_credentials text,
  login_domain text not null default '',
  keyboard text not null default '',
  login_form text not null default 'fill',
  blocked_at bigint,
  check_state text,
  checked_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index remote_entries_name on remote_entries (device_id, name);

create table remote_entry_tags (
  entry_id bigint not null references remote_entries (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  primary key (entry_id, tag_id)
);
create index remote_entry_tags_tag on remote_entry_tags (tag_id);

create table remote_legacy_entries (
  entry_id bigint primary key references remote_entries (id) on delete cascade,
  created_at bigint not null
);

create table remote_favourites (
  user_id bigint not null references users (id) on delete cascade,
  entry_id bigint not null references remote_entries (id) on delete cascade,
  primary key (user_id, entry_id)
);
create index remote_favourites_entry on remote_favourites (entry_id);

create table remote_host_keys (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  host text not null,
  port bigint not null,
  key_type text not null,
  fingerprint text not null,
  trusted_by bigint not null,
  created_at bigint not null
);
create unique index remote_host_keys_place on remote_host_keys (device_id, host, port, key_type);

create table remote_links (
  id id_column,
  entry_id bigint not null references remote_entries (id) on delete cascade,
  token_hash text not null,
  email text not null,
  purpose text not null,
  ticket_number text not null,
  created_by bigint references users (id) on delete set null,
  created_by_name text not null,
  created_in bigint not null references companies (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  used_at bigint,
  uses bigint not null
);
create unique index remote_links_token on remote_links (token_hash);
create index remote_links_entry on remote_links (entry_id);
create index remote_links_company on remote_links (created_in);
create index remote_links_user on remote_links (created_by);

create table remote_sessions (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  device_id bigint references devices (id) on delete set null,
  device_name text not null,
  entry_id bigint references remote_entries (id) on delete set null,
  entry_name text not null,
  protocol text not null,
  type text not null,
  host text not null,
  port bigint not null,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  on_behalf_of bigint,
  link_id bigint references remote_links (id) on delete set null,
  session_id text,
  token_id bigint,
  ip text not null,
  ticket_hash text,
  ticket_expires_at bigint not null,
  opened_at bigint,
  started_at bigint not null,
  expires_at bigint not null,
  ended_at bigint,
  end_reason text,
  end_requested text,
  bytes_in bigint not null,
  bytes_out bigint not null,
  bytes_charged bigint,
  owner text not null,
  seen_at bigint not null,
  recording_bytes bigint not null
);
create index remote_sessions_company on remote_sessions (company_id, started_at);
create index remote_sessions_started on remote_sessions (started_at);
create index remote_sessions_device on remote_sessions (device_id);
create index remote_sessions_entry on remote_sessions (entry_id);
create index remote_sessions_user on remote_sessions (user_id);
create index remote_sessions_link on remote_sessions (link_id);
create index remote_sessions_open on remote_sessions (ended_at) where ended_at is null;
create index remote_sessions_uncharged on remote_sessions (id) where bytes_in + bytes_out > bytes_charged;
create unique index remote_sessions_ticket on remote_sessions (ticket_hash);

create table remote_consents (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  user_name text not null,
  user_company text not null,
  purpose text not null,
  asked_at bigint not null,
  state text not null,
  decided_at bigint,
  decided_by_name text,
  expires_at bigint not null
);
create index remote_consents_company on remote_consents (company_id);
create index remote_consents_device on remote_consents (device_id, user_id);
create index remote_consents_user on remote_consents (user_id);

create table found_services (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  host text not null,
  port bigint not null,
  mac text not null,
  host_name text not null,
  found_at bigint not null
);
create unique index found_services_place on found_services (device_id, host, port);

create table device_tunnel_keys (
  device_id bigint primary key references devices (id) on delete cascade,
  public_key text not null,
  created_at bigint not null
);

create table terminal_keys (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  is_shared bigint not null,
  user_name text not null,
  label text not null,
  text text not null,
  presses_enter bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index terminal_keys_user on terminal_keys (user_id);
create index terminal_keys_company on terminal_keys (company_id, is_shared);

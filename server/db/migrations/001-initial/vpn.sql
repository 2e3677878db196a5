create table vpn_hubs (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  endpoint text not null,
  port bigint not null,
  network bigint not null,
  prefix bigint not null,
  enabled bigint not null,
  public_key text not null,
  sealed_key text not null,
  created_at bigint not null,
  updated_at bigint not null,
  zone text not null default 'local',
  vpn_type text not null default 'wireguard',
  quick_hub bigint not null default 0,
  starts_at bigint,
  ends_at bigint,
  disabled_reason text,
  sealed_pki text,
  ca_expires_at bigint,
  server_expires_at bigint,
  revoked_list text,
  revoked_list_at bigint,
  run_state text,
  run_error text,
  bytes_used bigint not null default 0,
  bytes_charged bigint not null default 0,
  last_used_at bigint,
  created_by bigint references users (id) on delete set null
);
create unique index vpn_hubs_name on vpn_hubs (company_id, name);

create table vpn_hub_tags (
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  primary key (vpn_hub_id, tag_id)
);
create index vpn_hub_tags_tag on vpn_hub_tags (tag_id);

create table vpn_clients (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  type text not null,
  device_id bigint references devices (id) on delete cascade,
  name text not null,
  address bigint not null,
  enabled bigint not null,
  public_key text,
  created_at bigint not null,
  updated_at bigint not null,
  user_id bigint references users (id) on delete cascade,
  mode text not null default 'dhcp',
  serial text,
  expires_at bigint,
  device_certificate text,
  forward_lan bigint not null default 0,
  forward_wan bigint not null default 0,
  sync_state text,
  synced_at bigint,
  synced_as text
);
create unique index vpn_clients_address on vpn_clients (vpn_hub_id, address);
create unique index vpn_clients_device on vpn_clients (device_id, vpn_hub_id);
create unique index vpn_clients_name on vpn_clients (vpn_hub_id, name) where device_id is null and user_id is null;
create unique index vpn_clients_user on vpn_clients (user_id, vpn_hub_id);

create table vpn_client_tags (
  vpn_client_id bigint not null references vpn_clients (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  primary key (vpn_client_id, tag_id)
);
create index vpn_client_tags_tag on vpn_client_tags (tag_id);

create table vpn_routes (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  vpn_client_id bigint not null references vpn_clients (id) on delete cascade,
  name text not null,
  network bigint not null,
  prefix bigint not null,
  created_at bigint not null
);
create unique index vpn_routes_network on vpn_routes (vpn_hub_id, network, prefix);
create index vpn_routes_client on vpn_routes (vpn_client_id);

create table vpn_rules (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  from_client_id bigint references vpn_clients (id) on delete cascade,
  to_client_id bigint references vpn_clients (id) on delete cascade,
  from_tag_id bigint references tags (id) on delete cascade,
  to_tag_id bigint references tags (id) on delete cascade,
  created_at bigint not null
);
create unique index vpn_rules_pair on vpn_rules (vpn_hub_id, coalesce(from_client_id, 0), coalesce(from_tag_id, 0), coalesce(to_client_id, 0), coalesce(to_tag_id, 0));
create index vpn_rules_from_client on vpn_rules (from_client_id);
create index vpn_rules_to_client on vpn_rules (to_client_id);
create index vpn_rules_from_tag on vpn_rules (from_tag_id);
create index vpn_rules_to_tag on vpn_rules (to_tag_id);

create table vpn_dhcp_options (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  type text not null,
  address bigint not null,
  created_at bigint not null
);
create unique index vpn_dhcp_options_pair on vpn_dhcp_options (vpn_hub_id, type, address);

create table vpn_revoked (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  serial text not null,
  expires_at bigint not null,
  revoked_at bigint not null
);
create index vpn_revoked_hub on vpn_revoked (vpn_hub_id);

create table vpn_sessions (
  id id_column,
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  vpn_client_id bigint references vpn_clients (id) on delete set null,
  name text not null,
  type text not null,
  session_key text not null,
  address bigint,
  remote text not null,
  code bigint not null,
  sent bigint not null,
  received bigint not null,
  started_at bigint not null,
  ended_at bigint
);
create unique index vpn_sessions_key on vpn_sessions (vpn_hub_id, session_key);
create index vpn_sessions_started on vpn_sessions (vpn_hub_id, started_at);
create index vpn_sessions_client on vpn_sessions (vpn_client_id);
create index vpn_sessions_live on vpn_sessions (vpn_hub_id) where ended_at is null;

create table vpn_traffic (
  vpn_hub_id bigint not null references vpn_hubs (id) on delete cascade,
  vpn_client_id bigint not null,
  hour bigint not null,
  sent bigint not null,
  received bigint not null,
  primary key (vpn_hub_id, vpn_client_id, hour)
);

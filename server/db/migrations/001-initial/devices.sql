create table tags (
  id id_column,
  company_id bigint not null references companies (id),
  name sorted_text not null,
  description text not null,
  color text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index tags_company_name on tags (company_id, name);

create table enrolment_codes (
  id id_column,
  company_id bigint not null references companies (id),
  code_hash text not null,
  hint text not null,
  uses integer not null,
  used integer not null,
  expires_at bigint not null,
  tag_ids text not null,
  name_prefix text not null,
  created_by bigint references users (id) on delete set null,
  revoked_at bigint,
  created_at bigint not null
);
create unique index enrolment_codes_hash on enrolment_codes (code_hash);

create table devices (
  id id_column,
  company_id bigint not null references companies (id),
  device_key text not null,
  credential_hash text not null,
  name sorted_text not null,
  description text not null,
  serial sorted_text not null,
  mac text not null,
  model sorted_text not null,
  firmware sorted_text not null,
  agent text not null,
  os text not null,
  hostname text not null,
  is_simulated integer not null,
  status integer,
  quarantine text,
  report_seconds integer not null,
  load1 real,
  search_text sorted_text not null,
  enrolment_code_id bigint references enrolment_codes (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  imei text,
  boot_id text,
  connection_type text,
  operator text,
  network_state text,
  imsi text,
  iccid text,
  mobile_ip text,
  wan_state text,
  wan_ip text,
  lan_ip text,
  interfaces text,
  signal integer,
  rsrp integer,
  rsrq integer,
  sinr integer,
  sim_slot integer,
  temperature integer,
  failed_auth_reason integer,
  router_uptime bigint,
  mem_total_kb bigint,
  mem_available_kb bigint,
  sent bigint,
  received bigint,
  last_connection_at bigint,
  last_update_at bigint,
  status_changed_at bigint,
  activated_at bigint,
  silent_at bigint,
  active_month bigint,
  modem_manufacturer sorted_text,
  modem_model sorted_text,
  modem_firmware sorted_text,
  user_set_latitude real,
  user_set_longitude real,
  dynamic_monitoring integer,
  static_monitoring integer,
  io_monitoring integer,
  gps_monitoring integer,
  wireless_monitoring integer,
  hotspot_monitoring integer,
  reported_periods text,
  monitoring_enabled integer not null default 1,
  timezone text,
  operator_number sorted_text,
  cell_id sorted_text,
  lac sorted_text,
  imei_2 sorted_text,
  imsi_2 sorted_text,
  iccid_2 sorted_text,
  modem_manufacturer_2 sorted_text,
  modem_model_2 sorted_text,
  modem_firmware_2 sorted_text,
  connection_type_2 sorted_text,
  operator_2 sorted_text,
  operator_number_2 sorted_text,
  network_state_2 sorted_text,
  cell_id_2 sorted_text,
  lac_2 sorted_text,
  mobile_ip_2 sorted_text,
  signal_2 bigint,
  rsrp_2 bigint,
  rsrq_2 bigint,
  sinr_2 bigint,
  sim_slot_2 bigint,
  sent_2 bigint,
  received_2 bigint
);
create unique index devices_key on devices (device_key);
create index devices_serial on devices (serial);
create index devices_name on devices (name, id, company_id, status);
create index devices_company on devices (company_id, status, name);
create index devices_facets on devices (company_id, status, model, firmware, connection_type, signal, operator, network_state, wan_state, quarantine, last_update_at, last_connection_at, is_simulated);
create index devices_text on devices (company_id, search_text, status, operator, mobile_ip, wan_ip, lan_ip);
create index devices_mac on devices (mac);
create index devices_imei on devices (imei);
create index devices_enrolment on devices (enrolment_code_id);
create index devices_silent on devices (silent_at) where silent_at is not null;

create table device_tags (
  device_id bigint not null references devices (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  primary key (device_id, tag_id)
);
create index device_tags_tag on device_tags (tag_id, device_id);

create table removed_devices (
  device_id bigint not null primary key references devices (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  device_key text not null,
  tag_ids text not null,
  user_name text not null,
  removed_at bigint not null
);
create index removed_devices_company on removed_devices (company_id, removed_at);
create index removed_devices_time on removed_devices (removed_at);

create table serial_numbers (
  id id_column,
  serial text not null,
  mac text not null,
  imei text not null,
  model text not null,
  status text not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index serial_numbers_serial on serial_numbers (serial, mac);

create table device_events (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  company_id bigint not null,
  at bigint not null,
  type text not null,
  code integer,
  level text not null,
  message text not null,
  params text,
  ip text
);
create index device_events_device on device_events (device_id, id);
create index device_events_at on device_events (at);
create index device_events_time on device_events (device_id, at, id);

create table device_notes (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  text text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index device_notes_device on device_notes (device_id, created_at);
create index device_notes_user on device_notes (user_id);

create table device_details (
  device_id bigint not null references devices (id) on delete cascade,
  details text not null,
  received_at bigint not null,
  changed_at bigint not null,
  backed_up_at bigint,
  backed_up_settings sorted_text,
  primary key (device_id)
);

create table device_hosts (
  device_id bigint not null references devices (id) on delete cascade,
  mac text not null,
  ip text,
  name text,
  port text,
  first_seen_at bigint,
  gone_at bigint,
  changed_at bigint,
  former_ip text,
  former_port text,
  primary key (device_id, mac)
);

create table device_esims (
  device_id bigint not null primary key references devices (id) on delete cascade,
  eid text,
  profiles text not null,
  read_at bigint not null
);

create table device_data_limits (
  device_id bigint not null references devices (id) on delete cascade,
  limit_bytes bigint not null,
  starts_on integer not null,
  primary key (device_id)
);

create table custom_fields (
  company_id bigint not null primary key references companies (id) on delete cascade,
  schema text not null,
  updated_at bigint not null
);

create table device_custom_values (
  device_id bigint not null references devices (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  name sorted_text not null,
  type text not null,
  text sorted_text not null,
  number real,
  primary key (device_id, company_id, name)
);
create index device_custom_values_text on device_custom_values (name, text);
create index device_custom_values_company on device_custom_values (company_id);

create table device_health (
  device_id bigint not null primary key references devices (id) on delete cascade,
  score integer,
  connection integer,
  signal integer,
  firmware integer,
  temperature integer,
  memory integer,
  jobs integer,
  data integer,
  at bigint not null
);
create index device_health_score on device_health (score, device_id);

create table device_places (
  device_id bigint primary key references devices (id) on delete cascade,
  latitude real not null,
  longitude real not null,
  x integer not null,
  y integer not null,
  source text not null,
  at bigint not null
);
create index device_places_point on device_places (x, y, device_id);

create table sites (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  address text not null,
  latitude real,
  longitude real,
  contact_name text not null,
  contact_phone text not null,
  contact_email text not null,
  notes text not null,
  created_at bigint not null,
  updated_at bigint not null,
  router_id bigint references devices (id) on delete set null,
  plan_image_id bigint references images (id) on delete set null,
  plan_spots text not null default '[]'
);
create unique index sites_name on sites (company_id, name);
create index sites_router on sites (router_id) where router_id is not null;

create table device_sites (
  device_id bigint primary key references devices (id) on delete cascade,
  site_id bigint not null references sites (id) on delete cascade
);
create index device_sites_site on device_sites (site_id);

create table maintenance_windows (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  days text not null,
  time_from text not null,
  time_to text not null,
  timezone text not null,
  uses_device_time integer not null,
  is_active integer not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index maintenance_windows_company on maintenance_windows (company_id);

CREATE TRIGGER audit_no_delete before delete on audit when not exists (select 1 from audit_seals where expired = 1 and old.id between first_id and last_id) begin select raise(abort, 'history rows are final'); end;
CREATE TRIGGER audit_no_update before update on audit begin select raise(abort, 'history rows are final'); end;
CREATE TRIGGER audit_seals_no_delete before delete on audit_seals begin select raise(abort, 'seals of the history are final'); end;
CREATE TRIGGER audit_seals_no_update before update of first_id, last_id, count, last_at, previous, hash, sealed_at on audit_seals begin select raise(abort, 'seals of the history are final'); end;
CREATE TRIGGER credit_entries_no_delete before delete on credit_entries begin select raise(abort, 'the ledger is append-only'); end;
CREATE TRIGGER credit_entries_no_update before update on credit_entries begin select raise(abort, 'the ledger is append-only'); end;
CREATE TRIGGER credit_transfers_no_delete before delete on credit_transfers begin select raise(abort, 'the ledger is append-only'); end;
CREATE TRIGGER credit_transfers_no_update before update on credit_transfers begin select raise(abort, 'the ledger is append-only'); end;
CREATE TRIGGER devices_name_key_insert after insert on devices begin update devices set name_key = sort_key(new.name) where id = new.id; end;
CREATE TRIGGER devices_name_key_update after update of name, name_key on devices when new.name_key <> sort_key(new.name) begin update devices set name_key = sort_key(new.name) where id = new.id; end;
CREATE TABLE access_tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  token_hash text not null,
  token_hint text not null,
  scopes text not null,
  expires_at integer not null,
  last_used_at integer,
  last_used_ip text,
  created_at integer not null,
  company_id integer not null default 0,
  application_id integer references applications (id) on delete cascade,
  access_expires_at integer,
  refresh_hash text,
  former_refresh_hash text);
CREATE TABLE account_links (
  token_hash text primary key,
  kind text not null,
  user_id integer not null references users (id) on delete cascade,
  email text not null,
  expires_at integer not null,
  created_at integer not null);
CREATE TABLE alert_configurations (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  automation_id integer not null references automations (id) on delete cascade,
  subtype_id integer not null,
  action integer not null,
  subject text not null,
  message text not null,
  email text not null,
  smtp_config_id integer,
  redundancy_enable integer not null,
  redundancy_interval integer not null,
  details text not null,
  created_by integer references users (id) on delete set null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE alert_mail_times (
  user_id integer not null primary key references users (id) on delete cascade,
  sent_at integer not null);
CREATE TABLE alert_mails (
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  severity text not null,
  reason text not null,
  count integer not null,
  devices text not null,
  last_at integer not null,
  first_at integer not null, primary key (user_id, company_id, name, severity, reason));
CREATE TABLE alerts (
  id integer primary key autoincrement,
  automation_id integer references automations (id) on delete set null,
  device_id integer not null references devices (id) on delete cascade,
  company_id integer not null,
  branch text not null,
  name text not null,
  severity text not null,
  message text not null,
  conditions text,
  raised_at integer not null,
  ended_at integer,
  acknowledged_at integer,
  acknowledged_by text,
  snoozed_until integer,
  cause_device_id integer,
  told_at integer,
  escalated integer not null default 0 ,
  noticed_at integer,
  flapped integer not null default 0);
CREATE TABLE announcement_dismissals (
  user_id integer not null references users (id) on delete cascade,
  announcement_id integer not null references announcements (id) on delete cascade,
  at integer not null, primary key (user_id, announcement_id));
CREATE TABLE announcements (
  id integer primary key autoincrement,
  type text not null,
  summary text not null,
  company_id integer references companies (id) on delete cascade,
  audience text not null,
  starts_at integer,
  ends_at integer,
  created_at integer not null);
CREATE TABLE api_descriptions (
  system text primary key,
  file_name text not null,
  size integer not null,
  sha256 text not null,
  uploaded_by integer references users (id) on delete set null,
  created_at integer not null,
  document text,
  sources text);
CREATE TABLE application_codes (
  code_hash text primary key,
  application_id integer not null references applications (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  redirect_uri text not null,
  scopes text not null,
  challenge text not null,
  expires_at integer not null,
  token_id integer);
CREATE TABLE applications (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  client_id text not null,
  secret_hash text,
  redirect_uris text not null,
  scopes text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE audit (
  id integer primary key autoincrement,
  at integer not null,
  actor_id integer,
  actor_name text not null,
  on_behalf_of integer,
  action text not null,
  entity text not null,
  entity_id integer,
  entity_name text not null,
  company_id integer,
  before text,
  after text,
  ip text not null,
  token_name text,
  request_id text not null,
  undoes integer,
  left_for_id integer,
  form text);
CREATE TABLE audit_seals (
  id integer primary key autoincrement,
  first_id integer not null,
  last_id integer not null,
  count integer not null,
  last_at integer not null,
  previous text not null,
  hash text not null,
  sealed_at integer not null,
  expired integer not null default 0);
CREATE TABLE automation_devices (
  automation_id integer not null references automations (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  is_enabled integer not null,
  state text not null,
  due_at integer,
  triggered_count integer not null,
  last_triggered_at integer,
  created_at integer not null, primary key (automation_id, device_id));
CREATE TABLE automation_logs (
  id integer primary key autoincrement,
  automation_id integer not null references automations (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  company_id integer not null,
  at integer not null,
  branch text not null,
  version integer not null,
  evaluated text not null,
  actions text not null,
  status text not null,
  results text not null,
  mails text not null,
  finished_at integer ,
  waited_at integer,
  cause_device_id integer);
CREATE TABLE automation_versions (
  automation_id integer not null references automations (id) on delete cascade,
  version integer not null,
  rule text not null,
  user_name text not null,
  created_at integer not null, primary key (automation_id, version));
CREATE TABLE automations (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  is_enabled integer not null,
  applies_to text not null,
  apply_list text not null,
  rule text not null,
  version integer not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  triggered_count integer not null,
  last_mail_at integer,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE avatars (
  user_id integer primary key references users (id) on delete cascade,
  key text not null,
  type text not null,
  bytes text not null);
CREATE TABLE awaited_devices (
  device_id integer primary key references devices (id) on delete cascade,
  series text not null,
  firmware_file_id integer references files (id) on delete set null,
  config_file_id integer references files (id) on delete set null,
  proof_hash text,
  user_id integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  added_at integer not null,
  joined_at integer);
CREATE TABLE backup_rules (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  period text not null,
  day integer,
  time text not null,
  timezone text not null,
  keep integer not null,
  is_active integer not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null,
  next_at integer,
  last_at integer,
  last_job_id integer references jobs (id) on delete set null);
CREATE TABLE change_sets (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  state text not null,
  sealed_edits text not null,
  edits_count integer not null,
  devices_count integer not null,
  created_by integer references users (id) on delete set null,
  user_name text not null,
  reviewed_by integer references users (id) on delete set null,
  reviewer_name text not null default '',
  reviewed_at integer,
  review_note text not null default '',
  applied_at integer,
  applied_changes text,
  sealed_undo text,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE companies (
  id integer primary key autoincrement,
  name text not null,
  level integer not null check (level between 1 and 3),
  parent_id integer references companies (id),
  path text not null,
  created_at integer not null,
  updated_at integer not null,
  requires_mfa integer not null default 0,
  removed_at integer,
  can_use_parent_license integer not null default 0,
  show_payment integer not null default 1,
  email text not null default '',
  asks_reason integer not null default 0,
  asks_review integer not null default 0);
CREATE TABLE company_days (
  company_id integer not null references companies (id) on delete cascade,
  day integer not null,
  devices integer not null,
  online integer not null,
  users integer not null, primary key (company_id, day));
CREATE TABLE company_months (
  company_id integer not null references companies (id) on delete cascade,
  month integer not null,
  devices integer not null, primary key (company_id, month));
CREATE VIRTUAL TABLE company_search using fts5 (text, tokenize='trigram');
CREATE TABLE company_traffic (
  company_id integer not null references companies (id) on delete cascade,
  day integer not null,
  sent integer not null,
  received integer not null, primary key (company_id, day));
CREATE TABLE configuration_revisions (
  id integer primary key autoincrement,
  template_id integer not null references configuration_templates (id) on delete cascade,
  revision integer not null,
  version text not null,
  template text not null,
  user_name text not null,
  created_at integer not null);
CREATE TABLE configuration_templates (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  system text not null,
  base_id integer references configuration_templates (id),
  version text not null,
  revision integer not null,
  template text not null,
  min_firmware text not null,
  max_firmware text not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  next_at integer not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE configuration_variables (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  tag_id integer references tags (id) on delete cascade,
  device_id integer references devices (id) on delete cascade,
  name text not null,
  value text not null,
  is_secret integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE credit_accounts (
  id integer primary key autoincrement,
  kind text not null,
  company_id integer,
  credit_type_id integer not null,
  balance integer not null,
  updated_at integer not null,
  expires_at integer,
  received integer not null default 0,
  entries_count integer not null default 0, check (balance >= 0 or kind = 'issued'));
CREATE TABLE credit_codes (
  id integer primary key autoincrement,
  company_id integer not null,
  credit_type_id integer not null,
  amount integer not null,
  code_hash text not null,
  hint text not null,
  comment text not null,
  created_by integer references users (id) on delete set null,
  used_by_company_id integer,
  used_at integer,
  created_at integer not null);
CREATE TABLE credit_entries (
  id integer primary key autoincrement,
  transfer_id integer not null references credit_transfers (id),
  account_id integer not null references credit_accounts (id),
  amount integer not null,
  company_id integer,
  balance_after integer not null default 0,
  history_nr integer);
CREATE TABLE credit_transfers (
  id integer primary key autoincrement,
  kind text not null,
  credit_type_id integer not null,
  user_id integer,
  price_cents integer,
  pro_form_nr text,
  code_id integer,
  created_at integer not null,
  from_company_id integer,
  to_company_id integer,
  device_id integer,
  device_serial text,
  device_mac text,
  user_name text not null default '',
  idempotency_key text,
  move_nr integer);
CREATE TABLE custom_fields (
  company_id integer not null primary key references companies (id) on delete cascade,
  schema text not null,
  updated_at integer not null);
CREATE TABLE dashboards (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  owner_id integer references users (id) on delete cascade,
  kind text not null,
  name text not null,
  is_default integer not null,
  widgets text not null,
  version integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE deaf_periods (
  id integer primary key autoincrement,
  from_at integer not null,
  until_at integer not null);
CREATE TABLE device_additions (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  results text not null,
  credit_job_id integer references jobs (id) on delete set null,
  created_at integer not null);
CREATE TABLE device_configurations (
  device_id integer not null primary key references devices (id) on delete cascade,
  settings text not null,
  read_at integer not null);
CREATE TABLE device_credits (
  device_id integer not null,
  service text not null,
  credit_type_id integer not null,
  state text not null,
  company_id integer not null,
  credit_expires_at integer,
  auto_extend integer not null,
  starts_at integer,
  ends_at integer,
  updated_at integer not null,
  bytes_left integer not null default 0, primary key (device_id, service));
CREATE TABLE device_custom_values (
  device_id integer not null references devices (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  type text not null,
  text text not null,
  number real, primary key (device_id, company_id, name));
CREATE TABLE device_data_limits (
  device_id integer not null references devices (id) on delete cascade,
  limit_bytes integer not null,
  starts_on integer not null, primary key (device_id));
CREATE TABLE device_days (
  device_id integer not null references devices (id) on delete cascade,
  metric text not null,
  at integer not null,
  readings integer not null,
  lowest real not null,
  highest real not null,
  total real not null,
  last real not null, primary key (device_id, metric, at)) without rowid;
CREATE TABLE device_details (
  device_id integer not null references devices (id) on delete cascade,
  details text not null,
  received_at integer not null,
  changed_at integer not null,
  backed_up_at integer,
  backed_up_settings text, primary key (device_id));
CREATE TABLE device_esims (
  device_id integer not null primary key references devices (id) on delete cascade,
  eid text,
  profiles text not null,
  read_at integer not null);
CREATE TABLE device_events (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  company_id integer not null,
  at integer not null,
  type text not null,
  code integer,
  level text not null,
  message text not null,
  params text,
  ip text);
CREATE TABLE device_health (
  device_id integer not null primary key references devices (id) on delete cascade,
  score integer,
  connection integer,
  signal integer,
  firmware integer,
  temperature integer,
  memory integer,
  jobs integer,
  data integer,
  at integer not null);
CREATE TABLE device_hosts (
  device_id integer not null references devices (id) on delete cascade,
  mac text not null,
  ip text,
  name text,
  port text,
  first_seen_at integer,
  gone_at integer,
  changed_at integer,
  former_ip text,
  former_port text, primary key (device_id, mac));
CREATE TABLE device_hotspots (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  hotspot_index integer not null,
  ssid text not null,
  active integer not null,
  ip text not null,
  users integer not null,
  auth_type text not null,
  accounts text not null,
  sessions text not null,
  read_at integer,
  updated_at integer not null);
CREATE TABLE device_hours (
  device_id integer not null references devices (id) on delete cascade,
  metric text not null,
  at integer not null,
  readings integer not null,
  lowest real not null,
  highest real not null,
  total real not null,
  last real not null, primary key (device_id, metric, at)) without rowid;
CREATE TABLE device_metrics (
  device_id integer not null references devices (id) on delete cascade,
  metric text not null, primary key (device_id, metric)) without rowid;
CREATE TABLE device_notes (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  text text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE device_password_looks (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  device_id integer references devices (id) on delete set null,
  device_name text not null,
  username text not null,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  reason text not null,
  ip text not null,
  at integer not null);
CREATE TABLE device_password_values (
  id integer primary key autoincrement,
  password_id integer not null references device_passwords (id) on delete cascade,
  sealed_value text not null,
  created_at integer not null);
CREATE TABLE device_passwords (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  username text not null,
  is_proven integer not null,
  changed_at integer not null,
  job_id integer references jobs (id) on delete set null);
CREATE TABLE device_places (
  device_id integer primary key references devices (id) on delete cascade,
  latitude real not null,
  longitude real not null,
  x integer not null,
  y integer not null,
  source text not null,
  at integer not null);
CREATE TABLE device_positions (
  device_id integer not null references devices (id) on delete cascade,
  at integer not null,
  latitude real not null,
  longitude real not null,
  altitude real,
  accuracy real,
  satellites integer,
  speed real, primary key (device_id, at)) without rowid;
CREATE TABLE device_samples (
  device_id integer not null references devices (id) on delete cascade,
  metric text not null,
  at integer not null,
  value real not null, primary key (device_id, metric, at));
CREATE VIRTUAL TABLE device_search using fts5 (search_text, content='devices', content_rowid='id', tokenize='trigram');
CREATE TABLE device_sites (
  device_id integer primary key references devices (id) on delete cascade,
  site_id integer not null references sites (id) on delete cascade);
CREATE TABLE device_states (
  device_id integer not null references devices (id) on delete cascade,
  name text not null,
  at integer not null,
  value text not null, primary key (device_id, name, at)) without rowid;
CREATE TABLE device_tags (
  device_id integer not null references devices (id) on delete cascade,
  tag_id integer not null references tags (id) on delete cascade, primary key (device_id, tag_id));
CREATE TABLE device_templates (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  template_id integer not null references configuration_templates (id) on delete cascade,
  state text not null,
  revision integer not null,
  differences text not null,
  differences_count integer not null,
  applied_at integer not null,
  compared_at integer);
CREATE TABLE device_traffic (
  device_id integer not null references devices (id) on delete cascade,
  day integer not null,
  modem integer not null default 1,
  sim integer not null,
  sent integer not null,
  received integer not null, primary key (device_id, day, modem, sim)) without rowid;
CREATE TABLE device_tunnel_keys (
  device_id integer primary key references devices (id) on delete cascade,
  public_key text not null,
  created_at integer not null);
CREATE TABLE device_wireless (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  interface text not null,
  ssid text not null,
  active integer not null,
  band text not null,
  channel integer,
  clients integer not null,
  received integer not null,
  sent integer not null,
  updated_at integer not null);
CREATE TABLE devices (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  device_key text not null,
  credential_hash text not null,
  name text not null,
  description text not null,
  serial text not null,
  mac text not null,
  model text not null,
  firmware text not null,
  agent text not null,
  os text not null,
  hostname text not null,
  is_simulated integer not null,
  status integer,
  quarantine text,
  report_seconds integer not null,
  load1 real,
  search_text text not null,
  enrolment_code_id integer references enrolment_codes (id) on delete set null,
  created_at integer not null,
  updated_at integer not null,
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
  router_uptime integer,
  mem_total_kb integer,
  mem_available_kb integer,
  sent integer,
  received integer,
  last_connection_at integer,
  last_update_at integer,
  status_changed_at integer,
  activated_at integer,
  silent_at integer,
  active_month integer,
  modem_manufacturer text,
  modem_model text,
  modem_firmware text,
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
  operator_number text,
  cell_id text,
  lac text,
  imei_2 text,
  imsi_2 text,
  iccid_2 text,
  modem_manufacturer_2 text,
  modem_model_2 text,
  modem_firmware_2 text,
  connection_type_2 text,
  operator_2 text,
  operator_number_2 text,
  network_state_2 text,
  cell_id_2 text,
  lac_2 text,
  mobile_ip_2 text,
  signal_2 integer,
  rsrp_2 integer,
  rsrq_2 integer,
  sinr_2 integer,
  sim_slot_2 integer,
  sent_2 integer,
  received_2 integer ,
  name_key text not null default '',
  sampled_at integer,
  uplink_counters text,
  former_boot_at integer,
  former_boot_until integer);
CREATE TABLE email_configurations (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  host text not null,
  port integer not null,
  security text not null,
  email text not null,
  username text not null,
  sealed_password text not null,
  is_default integer not null default 0,
  created_at integer not null);
CREATE TABLE email_templates (
  company_id integer not null references companies (id) on delete cascade,
  kind text not null,
  language text not null,
  subject text not null,
  text text not null,
  updated_at integer not null, primary key (company_id, kind, language));
CREATE TABLE enrolment_codes (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  code_hash text not null,
  hint text not null,
  uses integer not null,
  used integer not null,
  expires_at integer not null,
  tag_ids text not null,
  name_prefix text not null,
  created_by integer references users (id) on delete set null,
  revoked_at integer,
  created_at integer not null);
CREATE TABLE external_identities (
  issuer text not null,
  subject text not null,
  user_id integer not null references users (id) on delete cascade,
  created_at integer not null, primary key (issuer, subject));
CREATE TABLE files (
  id integer primary key autoincrement,
  company_id integer references companies (id) on delete cascade,
  device_id integer references devices (id) on delete set null,
  type text not null,
  name text not null,
  description text not null,
  size integer not null,
  sha256 text not null,
  content_key text not null,
  device_model text,
  version text,
  uploaded_by integer references users (id) on delete set null,
  created_at integer not null,
  updated_at integer not null,
  is_stable integer not null default 0,
  backup_rule_id integer references backup_rules (id) on delete set null,
  signature text);
CREATE TABLE form_versions (
  form_id text not null,
  number integer not null,
  text text not null,
  sha256 text not null,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  note text not null,
  at integer not null, primary key (form_id, number));
CREATE TABLE found_services (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  host text not null,
  port integer not null,
  mac text not null,
  host_name text not null,
  found_at integer not null);
CREATE TABLE generated_reports (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  report_id integer references reports (id) on delete set null,
  report_name text not null,
  name text not null,
  description text not null,
  type text not null,
  period text not null,
  parameters text not null,
  starts_at integer not null,
  ends_at integer not null,
  job_id integer references jobs (id) on delete set null,
  user_name text not null,
  created_at integer not null,
  mail_to text not null default '[]',
  mail_language text not null default 'en',
  smtp_config_id integer,
  mailed_at integer,
  variables text not null default '[]');
CREATE TABLE hotspot_voucher_devices (
  voucher_id integer not null references hotspot_vouchers (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade, primary key (voucher_id, device_id));
CREATE TABLE hotspot_vouchers (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  ssid text not null,
  amount integer not null,
  minutes integer not null,
  megabytes integer not null,
  ends_at integer,
  sealed_codes text not null,
  revoked_at integer,
  created_at integer not null);
CREATE TABLE images (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  name text not null,
  description text not null,
  type text not null,
  content_type text not null,
  size integer not null,
  original_width integer not null,
  original_height integer not null,
  bytes text not null,
  thumbnail text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE impersonation_logs (
  id integer primary key autoincrement,
  actor_id integer,
  actor_name text not null,
  user_id integer,
  user_name text not null,
  company_id integer not null references companies (id) on delete cascade,
  reason text not null,
  ip text not null,
  session_id text not null,
  started_at integer not null,
  expires_at integer not null,
  ended_at integer);
CREATE TABLE impersonation_requests (
  id integer primary key autoincrement,
  token_hash text not null,
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  requested_by integer not null references users (id) on delete cascade,
  requester_company_id integer not null,
  reason text not null,
  expires_at integer not null,
  created_at integer not null,
  confirmed_at integer);
CREATE TABLE installation (
  key text primary key,
  value text not null);
CREATE TABLE invitations (
  id integer primary key autoincrement,
  email text not null,
  company_id integer not null references companies (id) on delete cascade,
  role_id integer not null references roles (id) on delete cascade,
  is_distributor integer not null,
  token_hash text not null,
  invited_by integer not null references users (id) on delete cascade,
  expires_at integer not null,
  created_at integer not null,
  inviter_company_id integer not null default 0,
  sent_at integer,
  mail_error text,
  is_independent integer not null default 0);
CREATE TABLE job_target_steps (
  id integer primary key autoincrement,
  target_id integer not null references job_targets (id) on delete cascade,
  step integer not null,
  name text not null,
  state text not null,
  code integer,
  message text,
  output text,
  truncated integer not null,
  file_id integer references files (id) on delete set null,
  started_at integer,
  finished_at integer not null);
CREATE TABLE job_targets (
  id integer primary key autoincrement,
  job_id integer not null references jobs (id) on delete cascade,
  device_id integer not null,
  device_name text not null,
  company_id integer not null,
  command_id text not null,
  state text not null,
  reason text,
  message text,
  code integer,
  output text,
  truncated integer not null,
  attempts integer not null,
  sent_at integer,
  started_at integer,
  finished_at integer,
  deadline_at integer,
  step integer not null default 0,
  steps integer not null default 1,
  step_name text,
  failed_state text,
  facts text,
  file_id integer references files (id) on delete set null,
  wave integer,
  due_at integer);
CREATE TABLE jobs (
  id integer primary key autoincrement,
  kind text not null,
  input text not null,
  state text not null,
  total integer not null,
  counts text not null,
  message text,
  created_by integer references users (id) on delete set null,
  user_name text not null,
  on_behalf_of integer,
  company_id integer not null references companies (id),
  reach_path text not null,
  is_one_company integer not null,
  origin text not null,
  parent_job_id integer references jobs (id) on delete set null,
  idempotency_key text,
  selection text,
  seen_count integer,
  deadline_at integer not null,
  cancel_requested_at integer,
  lease_owner text,
  lease_until integer,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  wave_size integer,
  wave_stop_percent integer,
  wave_number integer not null default 0,
  wave_floor integer not null default 0,
  wave_stopped integer not null default 0,
  wave_pause_seconds integer,
  wave_resumes_at integer,
  starts_at integer,
  waits_until integer,
  wave_first integer,
  wave_asks integer not null default 0,
  wave_approved integer not null default 0,
  paused_at integer,
  wave_holds integer not null default 0,
  wave_forgiven integer not null default 0,
  wave_counted integer not null default 0,
  search_text text not null default '',
  window_rule text,
  joins_newcomers integer not null default 0,
  joined_at integer,
  reason text not null default '');
CREATE TABLE mail_log (
  id integer primary key autoincrement,
  at integer not null,
  company_id integer not null references companies (id) on delete cascade,
  email text not null,
  subject text not null,
  status text not null,
  error text,
  kind text not null default '',
  tries integer not null default 1,
  next_try_at integer,
  sealed_text text,
  server_id integer,
  server text);
CREATE TABLE maintenance_windows (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
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
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE memberships (
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id),
  role_id integer not null references roles (id),
  disabled_at integer,
  created_at integer not null,
  updated_at integer not null, primary key (user_id, company_id));
CREATE TABLE mfa_challenges (
  id text primary key,
  uuid_hash text not null,
  user_id integer not null references users (id) on delete cascade,
  session_id text not null,
  request_hash text not null,
  code_hash text,
  attempts integer not null,
  sends integer not null,
  expires_at integer not null,
  created_at integer not null);
CREATE TABLE monitoring_assignments (
  id integer primary key autoincrement,
  template_id integer not null references monitoring_templates (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  is_enabled integer not null,
  period integer not null,
  last_at integer,
  last_bytes integer,
  created_at integer not null);
CREATE TABLE monitoring_reports (
  id integer primary key autoincrement,
  template_id integer not null references monitoring_templates (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  company_id integer not null,
  at integer not null,
  data text not null,
  log text not null);
CREATE TABLE monitoring_templates (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  api_system text,
  api_version text not null,
  device_documentation_id integer,
  data text not null,
  version integer not null,
  is_enabled integer not null,
  period integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE monitoring_variables (
  metric text primary key,
  template_id integer not null references monitoring_templates (id) on delete cascade,
  variable text not null,
  url text not null,
  type text not null,
  description text not null);
CREATE TABLE notices (
  id integer primary key autoincrement,
  at integer not null,
  kind text not null,
  company_id integer not null references companies (id) on delete cascade,
  subject_id integer,
  subject_name text not null,
  user_id integer references users (id) on delete cascade,
  details text not null ,
  cause_device_id integer);
CREATE TABLE notification_digests (
  user_id integer primary key references users (id) on delete cascade,
  hour integer not null,
  timezone text not null,
  language text not null,
  sent_on text);
CREATE TABLE notification_rules (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  company_id integer references companies (id) on delete cascade,
  in_console text not null,
  by_mail text not null,
  updated_at integer not null,
  alert_mail text not null default 'none',
  remind_minutes integer not null default 0);
CREATE TABLE notifications (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  kind text not null,
  group_key text not null,
  subject_id integer,
  subject_name text not null,
  details text not null,
  count integer not null,
  in_console integer not null,
  by_mail integer not null,
  created_at integer not null,
  updated_at integer not null,
  seen_at integer);
CREATE TABLE on_call_schedules (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  user_ids text not null,
  shift_days integer not null,
  starts_on text not null,
  handover_hour integer not null,
  timezone text not null,
  least_severity text not null,
  after_minutes integer not null,
  next_minutes integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE passkey_challenges (
  challenge_hash text primary key,
  user_id integer references users (id) on delete cascade,
  expires_at integer not null);
CREATE TABLE passkeys (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter integer not null,
  transports text not null,
  last_used_at integer,
  created_at integer not null);
CREATE TABLE password_list_items (
  id integer primary key autoincrement,
  job_id integer not null references password_lists (job_id) on delete cascade,
  device_id integer not null,
  device_name text not null,
  serial text not null,
  mac text not null,
  username text not null,
  state text not null,
  sealed_value text not null);
CREATE TABLE password_lists (
  job_id integer not null primary key references jobs (id) on delete cascade,
  created_at integer not null,
  ended_at integer,
  end_reason text);
CREATE TABLE password_plans (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  username text not null,
  length integer not null,
  use_special integer not null,
  every_days integer not null,
  is_active integer not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null,
  next_at integer,
  last_at integer,
  last_job_id integer references jobs (id) on delete set null);
CREATE TABLE recovery_codes (
  user_id integer not null references users (id) on delete cascade,
  code_hash text not null,
  created_at integer not null, primary key (user_id, code_hash));
CREATE TABLE remote_consents (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  user_name text not null,
  user_company text not null,
  purpose text not null,
  asked_at integer not null,
  state text not null,
  decided_at integer,
  decided_by_name text,
  expires_at integer not null);
CREATE TABLE remote_entries (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  name text not null,
  protocol text not null,
  host text not null,
  port integer not null,
  is_main integer not null,
  way text not null default 'auto',
  credentials_required integer not null,
  sealed_credentials text,
  login_domain text not null default '',
  keyboard text not null default '',
  login_form text not null default 'fill',
  blocked_at integer,
  check_state text,
  checked_at integer,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE remote_entry_tags (
  entry_id integer not null references remote_entries (id) on delete cascade,
  tag_id integer not null references tags (id) on delete cascade, primary key (entry_id, tag_id));
CREATE TABLE remote_favourites (
  user_id integer not null references users (id) on delete cascade,
  entry_id integer not null references remote_entries (id) on delete cascade, primary key (user_id, entry_id));
CREATE TABLE remote_host_keys (
  id integer primary key autoincrement,
  device_id integer not null references devices (id) on delete cascade,
  host text not null,
  port integer not null,
  key_type text not null,
  fingerprint text not null,
  trusted_by integer not null,
  created_at integer not null);
CREATE TABLE remote_legacy_entries (
  entry_id integer primary key references remote_entries (id) on delete cascade,
  created_at integer not null);
CREATE TABLE remote_links (
  id integer primary key autoincrement,
  entry_id integer not null references remote_entries (id) on delete cascade,
  token_hash text not null,
  email text not null,
  purpose text not null,
  ticket_number text not null,
  created_by integer references users (id) on delete set null,
  created_by_name text not null,
  created_in integer not null references companies (id) on delete cascade,
  created_at integer not null,
  expires_at integer not null,
  revoked_at integer,
  used_at integer,
  uses integer not null);
CREATE TABLE remote_sessions (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  device_id integer references devices (id) on delete set null,
  device_name text not null,
  entry_id integer references remote_entries (id) on delete set null,
  entry_name text not null,
  protocol text not null,
  type text not null,
  host text not null,
  port integer not null,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  on_behalf_of integer,
  link_id integer references remote_links (id) on delete set null,
  session_id text,
  token_id integer,
  ip text not null,
  ticket_hash text,
  ticket_expires_at integer not null,
  opened_at integer,
  started_at integer not null,
  expires_at integer not null,
  ended_at integer,
  end_reason text,
  end_requested text,
  bytes_in integer not null,
  bytes_out integer not null,
  bytes_charged integer,
  owner text not null,
  seen_at integer not null,
  recording_bytes integer not null);
CREATE TABLE remote_settings (
  company_id integer primary key references companies (id) on delete cascade,
  records_terminals integer not null,
  records_desktops integer not null,
  asks_consent integer not null,
  idle_minutes integer not null,
  updated_at integer not null);
CREATE TABLE removed_devices (
  device_id integer not null primary key references devices (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  device_key text not null,
  tag_ids text not null,
  user_name text not null,
  removed_at integer not null);
CREATE TABLE report_audits (
  generated_id integer not null references generated_reports (id) on delete cascade,
  company_id integer not null,
  action text not null,
  count integer not null,
  people integer not null, primary key (generated_id, company_id, action));
CREATE TABLE report_days (
  generated_id integer not null references generated_reports (id) on delete cascade,
  company_id integer not null,
  day integer not null,
  sent integer not null,
  received integer not null, primary key (generated_id, company_id, day));
CREATE TABLE report_devices (
  generated_id integer not null references generated_reports (id) on delete cascade,
  device_id integer not null,
  company_id integer not null,
  name text not null,
  serial text not null,
  mac text not null,
  company_name text not null,
  site_name text,
  sent integer,
  received integer,
  sims text,
  min_signal real,
  max_signal real,
  avg_signal real,
  min_temperature real,
  max_temperature real,
  avg_temperature real,
  router_uptime real,
  connection_uptime real,
  availability real,
  operator text,
  connection_type text,
  firmware text,
  actions_done integer,
  actions_failed integer,
  alerts integer, primary key (generated_id, device_id));
CREATE TABLE report_values (
  generated_id integer not null references generated_reports (id) on delete cascade,
  device_id integer not null,
  company_id integer not null,
  metric text not null,
  lowest real not null,
  highest real not null,
  average real not null, primary key (generated_id, device_id, metric));
CREATE TABLE reports (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  type text not null,
  period text not null,
  parameters text not null,
  applies_to text not null,
  apply_list text not null,
  is_active integer not null,
  start_date text,
  end_date text,
  time text not null,
  timezone text not null,
  next_at integer,
  generated_at integer,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null,
  mail_to text not null default '[]',
  mail_language text not null default 'en',
  smtp_config_id integer,
  monitoring_templates text not null default '[]');
CREATE TABLE role_permissions (
  role_id integer not null references roles (id) on delete cascade,
  permission text not null, primary key (role_id, permission));
CREATE TABLE roles (
  id integer primary key autoincrement,
  name text not null,
  title text not null,
  description text not null,
  scope text not null,
  company_id integer references companies (id),
  created_at integer not null,
  updated_at integer not null,
  start_page text not null default 'last');
CREATE TABLE second_factors (
  user_id integer primary key references users (id) on delete cascade,
  method text not null,
  sealed_secret text,
  last_step integer,
  code_hash text,
  attempts integer not null,
  confirmed_at integer,
  created_at integer not null);
CREATE TABLE serial_numbers (
  id integer primary key autoincrement,
  serial text not null,
  mac text not null,
  imei text not null,
  model text not null,
  status text not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE service_accounts (
  user_id integer primary key references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  description text not null);
CREATE TABLE sessions (
  id text primary key,
  user_id integer not null references users (id) on delete cascade,
  access_hash text not null,
  access_expires_at integer not null,
  refresh_hash text not null,
  previous_refresh_hash text,
  previous_access_hash text,
  rotated_at integer not null,
  idle_expires_at integer not null,
  absolute_expires_at integer not null,
  ip text not null,
  user_agent text not null,
  created_at integer not null,
  last_used_at integer not null,
  password_confirmed_at integer not null default 0,
  company_id integer not null default 0,
  on_behalf_of integer references users (id) on delete cascade,
  own_session_id text,
  asked_call text,
  confirmed_call text,
  call_confirmed_at integer not null default 0);
CREATE TABLE signing_keys (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  key_id text not null,
  public_key text not null,
  user_name text not null,
  created_at integer not null);
CREATE TABLE sim_places (
  sim_id integer not null references sims (id) on delete cascade,
  from_at integer not null,
  until_at integer,
  device_id integer references devices (id) on delete set null,
  device_name text not null,
  modem integer not null,
  slot integer not null, primary key (sim_id, from_at));
CREATE TABLE sim_traffic (
  sim_id integer not null references sims (id) on delete cascade,
  day integer not null,
  sent integer not null,
  received integer not null, primary key (sim_id, day)) without rowid;
CREATE TABLE sims (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  iccid text not null,
  imsi text,
  operator text,
  phone_number text not null,
  note text not null,
  device_id integer references devices (id) on delete set null,
  modem integer not null,
  slot integer not null,
  limit_bytes integer,
  starts_on integer not null,
  first_seen_at integer not null,
  last_seen_at integer not null);
CREATE TABLE sites (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  address text not null,
  latitude real,
  longitude real,
  contact_name text not null,
  contact_phone text not null,
  contact_email text not null,
  notes text not null,
  created_at integer not null,
  updated_at integer not null,
  router_id integer references devices (id) on delete set null,
  plan_image_id integer references images (id) on delete set null,
  plan_spots text not null default '[]');
CREATE TABLE storage (
  user_id integer not null references users (id) on delete cascade,
  key text not null,
  value text not null,
  updated_at integer not null, primary key (user_id, key));
CREATE TABLE suppressed_emails (
  id integer primary key autoincrement,
  email text not null,
  company_id integer not null references companies (id) on delete cascade,
  reason text not null,
  created_at integer not null);
CREATE TABLE tag_actions (
  id integer primary key autoincrement,
  tag_id integer not null references tags (id) on delete cascade,
  kind text not null,
  input text not null,
  created_by integer references users (id) on delete set null,
  company_id integer not null,
  user_name text not null,
  created_at integer not null);
CREATE TABLE tag_rules (
  tag_id integer primary key references tags (id) on delete cascade,
  query text not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  checked_at integer,
  next_at integer not null);
CREATE TABLE tag_runs (
  id integer primary key autoincrement,
  tag_id integer not null references tags (id) on delete cascade,
  device_id integer not null references devices (id) on delete cascade,
  action_id integer not null,
  kind text not null,
  input text not null,
  user_id integer references users (id) on delete set null,
  company_id integer not null,
  user_name text not null,
  state text not null,
  reason text,
  batch text,
  job_id integer,
  created_at integer not null);
CREATE TABLE tags (
  id integer primary key autoincrement,
  company_id integer not null references companies (id),
  name text not null,
  description text not null,
  color text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE task_groups (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  variables text not null,
  success_tag_ids text not null,
  failed_tag_ids text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE task_plans (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  group_id integer not null references task_groups (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  period text not null,
  day integer,
  time text not null,
  timezone text not null,
  every_hours integer,
  given text not null,
  is_active integer not null,
  created_by integer references users (id) on delete set null,
  actor_company_id integer not null,
  user_name text not null,
  created_at integer not null,
  updated_at integer not null,
  next_at integer,
  last_at integer,
  last_job_id integer references jobs (id) on delete set null);
CREATE TABLE tasks (
  id integer primary key autoincrement,
  group_id integer not null references task_groups (id) on delete cascade,
  place integer not null,
  name text not null,
  type text not null,
  timeout integer not null,
  stop_on_failure integer not null,
  data text not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE terminal_keys (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  company_id integer not null references companies (id) on delete cascade,
  is_shared integer not null,
  user_name text not null,
  label text not null,
  text text not null,
  presses_enter integer not null,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE theme_pictures (
  key text primary key,
  company_id integer not null references companies (id) on delete cascade,
  kind text not null,
  type text not null,
  bytes text not null);
CREATE TABLE themes (
  company_id integer primary key references companies (id) on delete cascade,
  host_name text,
  branding text not null,
  updated_at integer not null);
CREATE VIRTUAL TABLE user_search using fts5 (text, tokenize='trigram');
CREATE TABLE users (
  id integer primary key autoincrement,
  email text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  company_id integer not null references companies (id),
  last_login_at integer,
  created_at integer not null,
  updated_at integer not null,
  impersonation_until integer,
  email_unverified integer not null default 0,
  accepted_terms text);
CREATE TABLE view_roles (
  view_id integer not null references views (id) on delete cascade,
  role_id integer not null references roles (id) on delete cascade, primary key (view_id, role_id));
CREATE TABLE views (
  id integer primary key autoincrement,
  resource text not null,
  name text not null,
  share text not null,
  company_id integer references companies (id) on delete cascade,
  owner_id integer references users (id) on delete cascade,
  created_by integer references users (id) on delete set null,
  user_name text not null,
  query text not null,
  columns text,
  created_at integer not null,
  updated_at integer not null);
CREATE TABLE vpn_client_tags (
  vpn_client_id integer not null references vpn_clients (id) on delete cascade,
  tag_id integer not null references tags (id) on delete cascade, primary key (vpn_client_id, tag_id));
CREATE TABLE vpn_clients (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  type text not null,
  device_id integer references devices (id) on delete cascade,
  name text not null,
  address integer not null,
  enabled integer not null,
  public_key text,
  created_at integer not null,
  updated_at integer not null,
  user_id integer references users (id) on delete cascade,
  mode text not null default 'dhcp',
  serial text,
  expires_at integer,
  device_certificate text,
  forward_lan integer not null default 0,
  forward_wan integer not null default 0,
  sync_state text,
  synced_at integer,
  synced_as text);
CREATE TABLE vpn_dhcp_options (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  type text not null,
  address integer not null,
  created_at integer not null);
CREATE TABLE vpn_hub_tags (
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  tag_id integer not null references tags (id) on delete cascade, primary key (vpn_hub_id, tag_id));
CREATE TABLE vpn_hubs (
  id integer primary key autoincrement,
  company_id integer not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  endpoint text not null,
  port integer not null,
  network integer not null,
  prefix integer not null,
  enabled integer not null,
  public_key text not null,
  sealed_key text not null,
  created_at integer not null,
  updated_at integer not null,
  zone text not null default 'local',
  vpn_type text not null default 'wireguard',
  quick_hub integer not null default 0,
  starts_at integer,
  ends_at integer,
  disabled_reason text,
  sealed_pki text,
  ca_expires_at integer,
  server_expires_at integer,
  revoked_list text,
  revoked_list_at integer,
  run_state text,
  run_error text,
  bytes_used integer not null default 0,
  bytes_charged integer not null default 0,
  last_used_at integer,
  created_by integer references users (id) on delete set null);
CREATE TABLE vpn_revoked (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  serial text not null,
  expires_at integer not null,
  revoked_at integer not null);
CREATE TABLE vpn_routes (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  vpn_client_id integer not null references vpn_clients (id) on delete cascade,
  name text not null,
  network integer not null,
  prefix integer not null,
  created_at integer not null);
CREATE TABLE vpn_rules (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  from_client_id integer references vpn_clients (id) on delete cascade,
  to_client_id integer references vpn_clients (id) on delete cascade,
  from_tag_id integer references tags (id) on delete cascade,
  to_tag_id integer references tags (id) on delete cascade,
  created_at integer not null);
CREATE TABLE vpn_sessions (
  id integer primary key autoincrement,
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  vpn_client_id integer references vpn_clients (id) on delete set null,
  name text not null,
  type text not null,
  session_key text not null,
  address integer,
  remote text not null,
  code integer not null,
  sent integer not null,
  received integer not null,
  started_at integer not null,
  ended_at integer);
CREATE TABLE vpn_traffic (
  vpn_hub_id integer not null references vpn_hubs (id) on delete cascade,
  vpn_client_id integer not null,
  hour integer not null,
  sent integer not null,
  received integer not null, primary key (vpn_hub_id, vpn_client_id, hour));
CREATE TABLE webhook_attempts (
  id integer primary key autoincrement,
  delivery_id integer not null references webhook_deliveries (id) on delete cascade,
  at integer not null,
  status integer,
  reason text,
  duration_ms integer not null);
CREATE TABLE webhook_deliveries (
  id integer primary key autoincrement,
  form_id text not null,
  target text not null,
  path text not null,
  sealed_body text not null,
  state text not null,
  attempts integer not null,
  next_at integer not null,
  user_id integer references users (id) on delete set null,
  user_name text not null,
  created_at integer not null,
  finished_at integer,
  log_id integer,
  log_action integer);
CREATE INDEX access_tokens_application on access_tokens (application_id);
CREATE INDEX access_tokens_company on access_tokens (company_id);
CREATE INDEX access_tokens_expires on access_tokens (expires_at);
CREATE INDEX access_tokens_former_refresh on access_tokens (former_refresh_hash);
CREATE UNIQUE INDEX access_tokens_hash on access_tokens (token_hash);
CREATE INDEX access_tokens_refresh on access_tokens (refresh_hash);
CREATE INDEX access_tokens_user on access_tokens (user_id);
CREATE INDEX account_links_expires on account_links (expires_at);
CREATE INDEX account_links_user on account_links (user_id, kind);
CREATE UNIQUE INDEX alert_configurations_automation on alert_configurations (automation_id);
CREATE INDEX alert_configurations_device on alert_configurations (device_id);
CREATE INDEX alert_configurations_user on alert_configurations (created_by) where created_by is not null;
CREATE INDEX alerts_company on alerts (company_id, id);
CREATE INDEX alerts_device on alerts (device_id, id);
CREATE INDEX alerts_ended on alerts (ended_at) where ended_at is not null;
CREATE UNIQUE INDEX alerts_open on alerts (automation_id, device_id, branch) where ended_at is null;
CREATE INDEX alerts_unanswered on alerts (company_id, id) where ended_at is null and acknowledged_at is null;
CREATE INDEX alerts_unnoticed on alerts (id) where noticed_at is null and cause_device_id is null;
CREATE INDEX alerts_untold on alerts (id) where told_at is null and ended_at is null;
CREATE INDEX application_codes_expires on application_codes (expires_at);
CREATE UNIQUE INDEX applications_client on applications (client_id);
CREATE UNIQUE INDEX applications_name on applications (company_id, name);
CREATE INDEX audit_company on audit (company_id, id);
CREATE INDEX audit_entity on audit (entity, entity_id, id);
CREATE INDEX audit_request on audit (request_id, action, id);
CREATE UNIQUE INDEX audit_seals_first on audit_seals (first_id);
CREATE INDEX audit_seals_last on audit_seals (last_id);
CREATE UNIQUE INDEX audit_undoes on audit (undoes) where undoes is not null;
CREATE INDEX automation_devices_device on automation_devices (device_id);
CREATE INDEX automation_devices_due on automation_devices (due_at) where due_at is not null;
CREATE INDEX automation_logs_at on automation_logs (at);
CREATE INDEX automation_logs_automation on automation_logs (automation_id, id);
CREATE INDEX automation_logs_device on automation_logs (device_id, id);
CREATE INDEX automation_logs_mails on automation_logs (id) where mails = 'pending';
CREATE INDEX automation_logs_pending on automation_logs (id) where status = 'pending';
CREATE INDEX automation_logs_waiting on automation_logs (id) where status = 'waiting';
CREATE INDEX automations_company on automations (company_id);
CREATE INDEX automations_user on automations (created_by) where created_by is not null;
CREATE UNIQUE INDEX avatars_key on avatars (key);
CREATE INDEX awaited_devices_config on awaited_devices (config_file_id);
CREATE INDEX awaited_devices_firmware on awaited_devices (firmware_file_id);
CREATE INDEX awaited_devices_joined on awaited_devices (joined_at);
CREATE INDEX awaited_devices_user on awaited_devices (user_id);
CREATE INDEX backup_rules_company on backup_rules (company_id);
CREATE INDEX backup_rules_due on backup_rules (next_at) where next_at is not null;
CREATE INDEX backup_rules_job on backup_rules (last_job_id) where last_job_id is not null;
CREATE INDEX backup_rules_user on backup_rules (created_by) where created_by is not null;
CREATE INDEX change_sets_company on change_sets (company_id);
CREATE INDEX companies_name on companies (name, id);
CREATE INDEX companies_parent on companies (parent_id);
CREATE INDEX companies_parent_name on companies (parent_id, name) where removed_at is null;
CREATE UNIQUE INDEX companies_path on companies (path);
CREATE INDEX companies_removed on companies (removed_at) where removed_at is not null;
CREATE INDEX company_days_day on company_days (day);
CREATE INDEX company_traffic_day on company_traffic (day);
CREATE UNIQUE INDEX configuration_revisions_number on configuration_revisions (template_id, revision);
CREATE INDEX configuration_templates_base on configuration_templates (base_id);
CREATE UNIQUE INDEX configuration_templates_name on configuration_templates (company_id, name);
CREATE INDEX configuration_templates_next on configuration_templates (next_at);
CREATE UNIQUE INDEX configuration_variables_company on configuration_variables (company_id, name) where tag_id is null and device_id is null;
CREATE UNIQUE INDEX configuration_variables_device on configuration_variables (device_id, name) where device_id is not null;
CREATE UNIQUE INDEX configuration_variables_tag on configuration_variables (tag_id, name) where tag_id is not null;
CREATE INDEX credit_accounts_company on credit_accounts (company_id, kind, credit_type_id, balance, entries_count);
CREATE UNIQUE INDEX credit_accounts_place on credit_accounts (kind, coalesce(company_id, 0), credit_type_id, coalesce(expires_at, 0));
CREATE INDEX credit_accounts_type on credit_accounts (kind, credit_type_id, company_id, balance, received, entries_count);
CREATE UNIQUE INDEX credit_codes_hash on credit_codes (code_hash);
CREATE INDEX credit_entries_account on credit_entries (account_id);
CREATE INDEX credit_entries_company on credit_entries (company_id, history_nr);
CREATE UNIQUE INDEX credit_entries_history on credit_entries (history_nr, company_id);
CREATE INDEX credit_entries_transfer on credit_entries (transfer_id);
CREATE INDEX credit_transfers_code on credit_transfers (code_id) where code_id is not null;
CREATE INDEX credit_transfers_from on credit_transfers (from_company_id, move_nr);
CREATE UNIQUE INDEX credit_transfers_key on credit_transfers (user_id, idempotency_key) where idempotency_key is not null;
CREATE INDEX credit_transfers_kind on credit_transfers (kind, id);
CREATE UNIQUE INDEX credit_transfers_moves on credit_transfers (move_nr);
CREATE INDEX credit_transfers_to on credit_transfers (to_company_id, move_nr, from_company_id);
CREATE INDEX dashboards_company on dashboards (company_id);
CREATE INDEX dashboards_owner on dashboards (owner_id) where owner_id is not null;
CREATE INDEX deaf_periods_until on deaf_periods (until_at);
CREATE INDEX device_additions_job on device_additions (credit_job_id) where credit_job_id is not null;
CREATE INDEX device_additions_time on device_additions (created_at);
CREATE INDEX device_additions_user on device_additions (user_id);
CREATE INDEX device_credits_due on device_credits (state, ends_at);
CREATE INDEX device_custom_values_company on device_custom_values (company_id);
CREATE INDEX device_custom_values_text on device_custom_values (name, text);
CREATE INDEX device_days_at on device_days (at);
CREATE INDEX device_events_at on device_events (at);
CREATE INDEX device_events_device on device_events (device_id, id);
CREATE INDEX device_events_time on device_events (device_id, at, id);
CREATE INDEX device_health_score on device_health (score, device_id);
CREATE INDEX device_hosts_gone on device_hosts (gone_at) where gone_at is not null;
CREATE UNIQUE INDEX device_hotspots_index on device_hotspots (device_id, hotspot_index);
CREATE INDEX device_hours_at on device_hours (at);
CREATE INDEX device_notes_device on device_notes (device_id, created_at);
CREATE INDEX device_notes_user on device_notes (user_id);
CREATE INDEX device_password_looks_company on device_password_looks (company_id);
CREATE INDEX device_password_looks_device on device_password_looks (device_id) where device_id is not null;
CREATE INDEX device_password_looks_user on device_password_looks (user_id) where user_id is not null;
CREATE INDEX device_password_values_password on device_password_values (password_id);
CREATE UNIQUE INDEX device_passwords_device on device_passwords (device_id, username);
CREATE INDEX device_passwords_job on device_passwords (job_id) where job_id is not null;
CREATE INDEX device_places_point on device_places (x, y, device_id);
CREATE INDEX device_positions_at on device_positions (at);
CREATE INDEX device_samples_at on device_samples (at);
CREATE INDEX device_sites_site on device_sites (site_id);
CREATE INDEX device_states_at on device_states (at);
CREATE INDEX device_tags_tag on device_tags (tag_id, device_id);
CREATE UNIQUE INDEX device_templates_device on device_templates (device_id, template_id);
CREATE INDEX device_templates_template on device_templates (template_id, state);
CREATE INDEX device_traffic_day on device_traffic (day);
CREATE UNIQUE INDEX device_wireless_interface on device_wireless (device_id, interface);
CREATE INDEX devices_company on devices (company_id, status, name_key);
CREATE INDEX devices_enrolment on devices (enrolment_code_id);
CREATE INDEX devices_facets on devices (company_id, status, model, firmware, connection_type, signal, operator, network_state, wan_state, quarantine, last_update_at, last_connection_at, is_simulated);
CREATE INDEX devices_imei on devices (imei);
CREATE UNIQUE INDEX devices_key on devices (device_key);
CREATE INDEX devices_mac on devices (mac);
CREATE INDEX devices_name on devices (name_key, id, company_id, status);
CREATE INDEX devices_serial on devices (serial);
CREATE INDEX devices_silent on devices (silent_at) where silent_at is not null;
CREATE INDEX devices_text on devices (company_id, search_text, status, operator, mobile_ip, wan_ip, lan_ip);
CREATE INDEX email_configurations_company on email_configurations (company_id);
CREATE UNIQUE INDEX email_configurations_default on email_configurations (company_id) where is_default = 1;
CREATE UNIQUE INDEX enrolment_codes_hash on enrolment_codes (code_hash);
CREATE UNIQUE INDEX external_identities_user on external_identities (user_id, issuer);
CREATE INDEX files_backup_rule on files (backup_rule_id, device_id) where backup_rule_id is not null;
CREATE INDEX files_company on files (company_id, name);
CREATE UNIQUE INDEX files_content on files (content_key);
CREATE INDEX files_device on files (device_id);
CREATE UNIQUE INDEX found_services_place on found_services (device_id, host, port);
CREATE INDEX generated_reports_company on generated_reports (company_id, id);
CREATE INDEX generated_reports_created on generated_reports (created_at);
CREATE INDEX generated_reports_job on generated_reports (job_id) where job_id is not null;
CREATE INDEX generated_reports_mails on generated_reports (id) where mailed_at is null and mail_to <> '[]';
CREATE INDEX generated_reports_report on generated_reports (report_id) where report_id is not null;
CREATE INDEX hotspot_voucher_devices_device on hotspot_voucher_devices (device_id);
CREATE UNIQUE INDEX hotspot_vouchers_name on hotspot_vouchers (company_id, name);
CREATE INDEX images_company on images (company_id);
CREATE INDEX impersonation_logs_company on impersonation_logs (company_id, id);
CREATE INDEX impersonation_logs_session on impersonation_logs (session_id);
CREATE INDEX impersonation_requests_expires on impersonation_requests (expires_at);
CREATE UNIQUE INDEX impersonation_requests_token on impersonation_requests (token_hash);
CREATE INDEX impersonation_requests_user on impersonation_requests (user_id);
CREATE UNIQUE INDEX invitations_email on invitations (company_id, email);
CREATE INDEX invitations_expires on invitations (expires_at);
CREATE UNIQUE INDEX invitations_token on invitations (token_hash);
CREATE INDEX job_target_steps_file on job_target_steps (file_id) where file_id is not null;
CREATE UNIQUE INDEX job_target_steps_place on job_target_steps (target_id, step);
CREATE UNIQUE INDEX job_targets_command on job_targets (command_id);
CREATE INDEX job_targets_device on job_targets (device_id, state);
CREATE INDEX job_targets_file on job_targets (file_id) where file_id is not null;
CREATE INDEX job_targets_job on job_targets (job_id, state, id);
CREATE INDEX jobs_finished on jobs (finished_at);
CREATE UNIQUE INDEX jobs_idempotency on jobs (created_by, idempotency_key);
CREATE INDEX jobs_parent on jobs (parent_job_id) where parent_job_id is not null;
CREATE INDEX jobs_reach on jobs (reach_path, id);
CREATE INDEX jobs_state on jobs (state, lease_until);
CREATE INDEX mail_log_at on mail_log (at);
CREATE INDEX mail_log_company on mail_log (company_id, at);
CREATE INDEX mail_log_next_try on mail_log (next_try_at) where next_try_at is not null;
CREATE INDEX maintenance_windows_company on maintenance_windows (company_id);
CREATE INDEX memberships_company on memberships (company_id, user_id);
CREATE INDEX memberships_role on memberships (role_id);
CREATE INDEX mfa_challenges_created on mfa_challenges (created_at);
CREATE INDEX mfa_challenges_user on mfa_challenges (user_id, created_at);
CREATE UNIQUE INDEX monitoring_assignments_device on monitoring_assignments (device_id, template_id);
CREATE INDEX monitoring_assignments_template on monitoring_assignments (template_id);
CREATE INDEX monitoring_reports_at on monitoring_reports (at);
CREATE INDEX monitoring_reports_device on monitoring_reports (device_id, at);
CREATE INDEX monitoring_reports_template on monitoring_reports (template_id, at);
CREATE UNIQUE INDEX monitoring_templates_name on monitoring_templates (company_id, name);
CREATE INDEX monitoring_variables_template on monitoring_variables (template_id);
CREATE INDEX notices_behind on notices (subject_id) where cause_device_id is not null;
CREATE INDEX notices_waiting on notices (id) where cause_device_id is null;
CREATE UNIQUE INDEX notification_rules_place on notification_rules (user_id, coalesce(company_id, 0));
CREATE INDEX notifications_age on notifications (updated_at);
CREATE INDEX notifications_mail on notifications (user_id) where by_mail = 1;
CREATE INDEX notifications_newest on notifications (user_id, updated_at);
CREATE INDEX notifications_seen on notifications (seen_at) where seen_at is not null;
CREATE UNIQUE INDEX notifications_unseen on notifications (user_id, group_key) where seen_at is null;
CREATE UNIQUE INDEX on_call_schedules_company on on_call_schedules (company_id);
CREATE INDEX passkey_challenges_expires on passkey_challenges (expires_at);
CREATE UNIQUE INDEX passkeys_credential on passkeys (credential_id);
CREATE INDEX passkeys_user on passkeys (user_id);
CREATE UNIQUE INDEX password_list_items_job on password_list_items (job_id, device_id);
CREATE INDEX password_plans_company on password_plans (company_id);
CREATE INDEX password_plans_due on password_plans (next_at) where next_at is not null;
CREATE INDEX password_plans_job on password_plans (last_job_id) where last_job_id is not null;
CREATE INDEX password_plans_user on password_plans (created_by) where created_by is not null;
CREATE INDEX remote_consents_company on remote_consents (company_id);
CREATE INDEX remote_consents_device on remote_consents (device_id, user_id);
CREATE INDEX remote_consents_expires on remote_consents (expires_at);
CREATE INDEX remote_consents_user on remote_consents (user_id);
CREATE UNIQUE INDEX remote_entries_name on remote_entries (device_id, name);
CREATE INDEX remote_entry_tags_tag on remote_entry_tags (tag_id);
CREATE INDEX remote_favourites_entry on remote_favourites (entry_id);
CREATE UNIQUE INDEX remote_host_keys_place on remote_host_keys (device_id, host, port, key_type);
CREATE INDEX remote_links_company on remote_links (created_in);
CREATE INDEX remote_links_entry on remote_links (entry_id);
CREATE INDEX remote_links_expires on remote_links (expires_at);
CREATE UNIQUE INDEX remote_links_token on remote_links (token_hash);
CREATE INDEX remote_links_user on remote_links (created_by);
CREATE INDEX remote_sessions_company on remote_sessions (company_id, started_at);
CREATE INDEX remote_sessions_device on remote_sessions (device_id);
CREATE INDEX remote_sessions_entry on remote_sessions (entry_id);
CREATE INDEX remote_sessions_link on remote_sessions (link_id);
CREATE INDEX remote_sessions_open on remote_sessions (ended_at) where ended_at is null;
CREATE INDEX remote_sessions_started on remote_sessions (started_at);
CREATE UNIQUE INDEX remote_sessions_ticket on remote_sessions (ticket_hash);
CREATE INDEX remote_sessions_uncharged on remote_sessions (id) where bytes_in + bytes_out > bytes_charged;
CREATE INDEX remote_sessions_user on remote_sessions (user_id);
CREATE INDEX removed_devices_company on removed_devices (company_id, removed_at);
CREATE INDEX removed_devices_time on removed_devices (removed_at);
CREATE INDEX reports_company on reports (company_id);
CREATE INDEX reports_due on reports (next_at) where next_at is not null;
CREATE INDEX reports_user on reports (created_by) where created_by is not null;
CREATE UNIQUE INDEX roles_company_title on roles (company_id, title);
CREATE UNIQUE INDEX serial_numbers_serial on serial_numbers (serial, mac);
CREATE INDEX service_accounts_company on service_accounts (company_id);
CREATE INDEX sessions_absolute on sessions (absolute_expires_at);
CREATE UNIQUE INDEX sessions_access on sessions (access_hash);
CREATE INDEX sessions_company on sessions (company_id);
CREATE INDEX sessions_idle on sessions (idle_expires_at);
CREATE INDEX sessions_on_behalf_of on sessions (on_behalf_of);
CREATE INDEX sessions_previous_access on sessions (previous_access_hash);
CREATE INDEX sessions_user on sessions (user_id);
CREATE UNIQUE INDEX signing_keys_key on signing_keys (company_id, public_key);
CREATE INDEX sim_places_device on sim_places (device_id, from_at);
CREATE INDEX sim_traffic_day on sim_traffic (day);
CREATE INDEX sims_device on sims (device_id);
CREATE UNIQUE INDEX sims_iccid on sims (company_id, iccid);
CREATE UNIQUE INDEX sites_name on sites (company_id, name);
CREATE INDEX sites_router on sites (router_id) where router_id is not null;
CREATE UNIQUE INDEX suppressed_emails_email on suppressed_emails (email, company_id);
CREATE INDEX tag_actions_tag on tag_actions (tag_id);
CREATE INDEX tag_rules_next on tag_rules (next_at);
CREATE INDEX tag_rules_user on tag_rules (created_by);
CREATE INDEX tag_runs_created on tag_runs (created_at);
CREATE INDEX tag_runs_device on tag_runs (device_id, id);
CREATE INDEX tag_runs_state on tag_runs (state);
CREATE INDEX tag_runs_tag on tag_runs (tag_id);
CREATE UNIQUE INDEX tags_company_name on tags (company_id, name);
CREATE UNIQUE INDEX task_groups_name on task_groups (company_id, name);
CREATE INDEX task_plans_company on task_plans (company_id);
CREATE INDEX task_plans_due on task_plans (next_at) where next_at is not null;
CREATE INDEX task_plans_group on task_plans (group_id);
CREATE INDEX task_plans_job on task_plans (last_job_id) where last_job_id is not null;
CREATE INDEX task_plans_user on task_plans (created_by) where created_by is not null;
CREATE INDEX tasks_group on tasks (group_id, place);
CREATE INDEX terminal_keys_company on terminal_keys (company_id, is_shared);
CREATE INDEX terminal_keys_user on terminal_keys (user_id);
CREATE UNIQUE INDEX theme_pictures_kind on theme_pictures (company_id, kind);
CREATE UNIQUE INDEX themes_host_name on themes (host_name);
CREATE INDEX users_company on users (company_id);
CREATE UNIQUE INDEX users_email on users (email);
CREATE INDEX users_username on users (username, id);
CREATE INDEX view_roles_role on view_roles (role_id);
CREATE INDEX views_company on views (company_id, resource);
CREATE INDEX views_creator on views (created_by);
CREATE INDEX views_owner on views (owner_id, resource);
CREATE INDEX vpn_client_tags_tag on vpn_client_tags (tag_id);
CREATE UNIQUE INDEX vpn_clients_address on vpn_clients (vpn_hub_id, address);
CREATE UNIQUE INDEX vpn_clients_device on vpn_clients (device_id, vpn_hub_id);
CREATE UNIQUE INDEX vpn_clients_name on vpn_clients (vpn_hub_id, name) where device_id is null and user_id is null;
CREATE UNIQUE INDEX vpn_clients_user on vpn_clients (user_id, vpn_hub_id);
CREATE UNIQUE INDEX vpn_dhcp_options_pair on vpn_dhcp_options (vpn_hub_id, type, address);
CREATE INDEX vpn_hub_tags_tag on vpn_hub_tags (tag_id);
CREATE UNIQUE INDEX vpn_hubs_name on vpn_hubs (company_id, name);
CREATE INDEX vpn_revoked_expires on vpn_revoked (expires_at);
CREATE INDEX vpn_revoked_hub on vpn_revoked (vpn_hub_id);
CREATE INDEX vpn_routes_client on vpn_routes (vpn_client_id);
CREATE UNIQUE INDEX vpn_routes_network on vpn_routes (vpn_hub_id, network, prefix);
CREATE INDEX vpn_rules_from_client on vpn_rules (from_client_id);
CREATE INDEX vpn_rules_from_tag on vpn_rules (from_tag_id);
CREATE UNIQUE INDEX vpn_rules_pair on vpn_rules (vpn_hub_id, coalesce(from_client_id, 0), coalesce(from_tag_id, 0), coalesce(to_client_id, 0), coalesce(to_tag_id, 0));
CREATE INDEX vpn_rules_to_client on vpn_rules (to_client_id);
CREATE INDEX vpn_rules_to_tag on vpn_rules (to_tag_id);
CREATE INDEX vpn_sessions_client on vpn_sessions (vpn_client_id);
CREATE INDEX vpn_sessions_ended on vpn_sessions (ended_at) where ended_at is not null;
CREATE UNIQUE INDEX vpn_sessions_key on vpn_sessions (vpn_hub_id, session_key);
CREATE INDEX vpn_sessions_live on vpn_sessions (vpn_hub_id) where ended_at is null;
CREATE INDEX vpn_sessions_started on vpn_sessions (vpn_hub_id, started_at);
CREATE INDEX vpn_traffic_hour on vpn_traffic (hour);
CREATE INDEX webhook_attempts_delivery on webhook_attempts (delivery_id, id);
CREATE INDEX webhook_deliveries_due on webhook_deliveries (state, next_at);
CREATE INDEX webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;
CREATE INDEX webhook_deliveries_form on webhook_deliveries (form_id, id);
CREATE UNIQUE INDEX webhook_deliveries_log on webhook_deliveries (log_id, log_action) where log_id is not null;

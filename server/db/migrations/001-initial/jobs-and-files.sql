create table jobs (
  id id_column,
  kind text not null,
  input text not null,
  state text not null,
  total integer not null,
  counts text not null,
  message text,
  created_by bigint references users (id) on delete set null,
  user_name text not null,
  on_behalf_of bigint,
  company_id bigint not null references companies (id),
  reach_path sorted_text not null,
  is_one_company integer not null,
  origin text not null,
  parent_job_id bigint references jobs (id) on delete set null,
  idempotency_key text,
  selection text,
  seen_count integer,
  deadline_at bigint not null,
  cancel_requested_at bigint,
  lease_owner text,
  lease_until bigint,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  wave_size integer,
  wave_stop_percent integer,
  wave_number integer not null default 0,
  wave_floor integer not null default 0,
  wave_stopped integer not null default 0,
  wave_pause_seconds integer,
  wave_resumes_at bigint,
  starts_at bigint,
  waits_until bigint,
  wave_first integer,
  wave_asks integer not null default 0,
  wave_approved integer not null default 0,
  paused_at bigint,
  wave_holds integer not null default 0,
  wave_forgiven integer not null default 0,
  wave_counted integer not null default 0,
  search_text text not null default '',
  window_rule text,
  joins_newcomers integer not null default 0,
  joined_at bigint,
  reason text not null default ''
);
create index jobs_state on jobs (state, lease_until);
create index jobs_reach on jobs (reach_path, id);
create unique index jobs_idempotency on jobs (created_by, idempotency_key);
create index jobs_finished on jobs (finished_at);

create table backup_rules (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  period text not null,
  day integer,
  time text not null,
  timezone text not null,
  keep integer not null,
  is_active integer not null,
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  next_at bigint,
  last_at bigint,
  last_job_id bigint references jobs (id) on delete set null
);
create index backup_rules_company on backup_rules (company_id);
create index backup_rules_user on backup_rules (created_by) where created_by is not null;
create index backup_rules_job on backup_rules (last_job_id) where last_job_id is not null;
create index backup_rules_due on backup_rules (next_at) where next_at is not null;

create table files (
  id id_column,
  company_id bigint references companies (id) on delete cascade,
  device_id bigint references devices (id) on delete set null,
  type text not null,
  name sorted_text not null,
  description text not null,
  size bigint not null,
  sha256 text not null,
  content_key text not null,
  device_model text,
  version text,
  uploaded_by bigint references users (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null,
  is_stable integer not null default 0,
  backup_rule_id bigint references backup_rules (id) on delete set null,
  signature text
);
create index files_company on files (company_id, name);
create index files_device on files (device_id);
create unique index files_content on files (content_key);
create index files_backup_rule on files (backup_rule_id, device_id) where backup_rule_id is not null;

create table job_targets (
  id id_column,
  job_id bigint not null references jobs (id) on delete cascade,
  device_id bigint not null,
  device_name text not null,
  company_id bigint not null,
  command_id text not null,
  state text not null,
  reason text,
  message text,
  code integer,
  output text,
  truncated integer not null,
  attempts integer not null,
  sent_at bigint,
  started_at bigint,
  finished_at bigint,
  deadline_at bigint,
  step integer not null default 0,
  steps integer not null default 1,
  step_name text,
  failed_state text,
  facts text,
  file_id bigint references files (id) on delete set null,
  wave integer,
  due_at bigint
);
create unique index job_targets_command on job_targets (command_id);
create index job_targets_job on job_targets (job_id, state, id);
create index job_targets_device on job_targets (device_id, state);
create index job_targets_file on job_targets (file_id) where file_id is not null;

create table job_target_steps (
  id id_column,
  target_id bigint not null references job_targets (id) on delete cascade,
  step integer not null,
  name text not null,
  state text not null,
  code bigint,
  message text,
  output text,
  truncated integer not null,
  file_id bigint references files (id) on delete set null,
  started_at bigint,
  finished_at bigint not null
);
create unique index job_target_steps_place on job_target_steps (target_id, step);
create index job_target_steps_file on job_target_steps (file_id) where file_id is not null;

create table signing_keys (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  key_id text not null,
  public_key text not null,
  user_name text not null,
  created_at bigint not null
);
create unique index signing_keys_key on signing_keys (company_id, public_key);

create table awaited_devices (
  device_id bigint primary key references devices (id) on delete cascade,
  series text not null,
  firmware_file_id bigint references files (id) on delete set null,
  config_file_id bigint references files (id) on delete set null,
  proof_hash text,
  user_id bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  added_at bigint not null,
  joined_at bigint
);
create index awaited_devices_joined on awaited_devices (joined_at);
create index awaited_devices_firmware on awaited_devices (firmware_file_id);
create index awaited_devices_config on awaited_devices (config_file_id);
create index awaited_devices_user on awaited_devices (user_id);

create table tag_actions (
  id id_column,
  tag_id bigint not null references tags (id) on delete cascade,
  kind text not null,
  input text not null,
  created_by bigint references users (id) on delete set null,
  company_id bigint not null,
  user_name text not null,
  created_at bigint not null
);
create index tag_actions_tag on tag_actions (tag_id);

create table tag_rules (
  tag_id bigint primary key references tags (id) on delete cascade,
  query text not null,
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  checked_at bigint,
  next_at bigint not null
);
create index tag_rules_next on tag_rules (next_at);
create index tag_rules_user on tag_rules (created_by);

create table tag_runs (
  id id_column,
  tag_id bigint not null references tags (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  action_id bigint not null,
  kind text not null,
  input text not null,
  user_id bigint references users (id) on delete set null,
  company_id bigint not null,
  user_name text not null,
  state text not null,
  reason text,
  batch text,
  job_id bigint,
  created_at bigint not null
);
create index tag_runs_tag on tag_runs (tag_id);
create index tag_runs_device on tag_runs (device_id, id);
create index tag_runs_state on tag_runs (state);

create table device_additions (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  results text not null,
  credit_job_id bigint references jobs (id) on delete set null,
  created_at bigint not null
);
create index device_additions_user on device_additions (user_id);
create index device_additions_job on device_additions (credit_job_id) where credit_job_id is not null;
create index device_additions_time on device_additions (created_at);

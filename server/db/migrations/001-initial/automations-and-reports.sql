create table automations (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  is_enabled integer not null,
  applies_to text not null,
  apply_list text not null,
  rule text not null,
  version integer not null,
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  triggered_count integer not null,
  last_mail_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index automations_company on automations (company_id);
create index automations_user on automations (created_by) where created_by is not null;

create table automation_versions (
  automation_id bigint not null references automations (id) on delete cascade,
  version integer not null,
  rule text not null,
  user_name text not null,
  created_at bigint not null,
  primary key (automation_id, version)
);

create table automation_devices (
  automation_id bigint not null references automations (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  is_enabled integer not null,
  state text not null,
  due_at bigint,
  triggered_count integer not null,
  last_triggered_at bigint,
  created_at bigint not null,
  primary key (automation_id, device_id)
);
create index automation_devices_device on automation_devices (device_id);
create index automation_devices_due on automation_devices (due_at) where due_at is not null;

create table automation_logs (
  id id_column,
  automation_id bigint not null references automations (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  company_id bigint not null,
  at bigint not null,
  branch text not null,
  version integer not null,
  evaluated text not null,
  actions text not null,
  status text not null,
  results text not null,
  mails text not null,
  finished_at bigint
);
create index automation_logs_automation on automation_logs (automation_id, id);
create index automation_logs_device on automation_logs (device_id, id);
create index automation_logs_pending on automation_logs (id) where status = 'pending';
create index automation_logs_mails on automation_logs (id) where mails = 'pending';

create table alerts (
  id id_column,
  automation_id bigint references automations (id) on delete set null,
  device_id bigint not null references devices (id) on delete cascade,
  company_id bigint not null,
  branch text not null,
  name text not null,
  severity text not null,
  message text not null,
  conditions text,
  raised_at bigint not null,
  ended_at bigint,
  acknowledged_at bigint,
  acknowledged_by text,
  snoozed_until bigint,
  cause_device_id bigint,
  told_at bigint,
  escalated integer not null default 0
);
create unique index alerts_open on alerts (automation_id, device_id, branch) where ended_at is null;
create index alerts_device on alerts (device_id, id);
create index alerts_company on alerts (company_id, id);
create index alerts_untold on alerts (id) where told_at is null and ended_at is null;
create index alerts_unanswered on alerts (company_id, id) where ended_at is null and acknowledged_at is null;

create table alert_mails (
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  severity text not null,
  reason text not null,
  count integer not null,
  devices text not null,
  last_at bigint not null,
  first_at bigint not null,
  primary key (user_id, company_id, name, severity, reason)
);

create table alert_mail_times (
  user_id bigint not null primary key references users (id) on delete cascade,
  sent_at bigint not null
);

create table alert_configurations (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  automation_id bigint not null references automations (id) on delete cascade,
  subtype_id integer not null,
  action integer not null,
  subject text not null,
  message text not null,
  email text not null,
  smtp_config_id bigint,
  redundancy_enable integer not null,
  redundancy_interval integer not null,
  details text not null,
  created_by bigint references users (id) on delete set null,
  created_at bigint not null,
  updated_at bigint not null
);
create index alert_configurations_device on alert_configurations (device_id);
create unique index alert_configurations_automation on alert_configurations (automation_id);
create index alert_configurations_user on alert_configurations (created_by) where created_by is not null;

create table on_call_schedules (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
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
  created_at bigint not null,
  updated_at bigint not null
);
create unique index on_call_schedules_company on on_call_schedules (company_id);

create table reports (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
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
  next_at bigint,
  generated_at bigint,
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  mail_to text not null default '[]',
  mail_language text not null default 'en',
  smtp_config_id bigint,
  monitoring_templates text not null default '[]'
);
create index reports_company on reports (company_id);
create index reports_due on reports (next_at) where next_at is not null;
create index reports_user on reports (created_by) where created_by is not null;

create table generated_reports (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  report_id bigint references reports (id) on delete set null,
  report_name text not null,
  name text not null,
  description text not null,
  type text not null,
  period text not null,
  parameters text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  job_id bigint references jobs (id) on delete set null,
  user_name text not null,
  created_at bigint not null,
  mail_to text not null default '[]',
  mail_language text not null default 'en',
  smtp_config_id bigint,
  mailed_at bigint,
  variables text not null default '[]'
);
create index generated_reports_company on generated_reports (company_id, id);
create index generated_reports_report on generated_reports (report_id) where report_id is not null;
create index generated_reports_job on generated_reports (job_id) where job_id is not null;
create index generated_reports_mails on generated_reports (id) where mailed_at is null and mail_to <> '[]';

create table report_devices (
  generated_id bigint not null references generated_reports (id) on delete cascade,
  device_id bigint not null,
  company_id bigint not null,
  name text not null,
  serial text not null,
  mac text not null,
  company_name text not null,
  site_name text,
  sent bigint,
  received bigint,
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
  alerts integer,
  primary key (generated_id, device_id)
);

create table report_days (
  generated_id bigint not null references generated_reports (id) on delete cascade,
  company_id bigint not null,
  day bigint not null,
  sent bigint not null,
  received bigint not null,
  primary key (generated_id, company_id, day)
);

create table report_values (
  generated_id bigint not null references generated_reports (id) on delete cascade,
  device_id bigint not null,
  company_id bigint not null,
  metric text not null,
  lowest real not null,
  highest real not null,
  average real not null,
  primary key (generated_id, device_id, metric)
);

create table report_audits (
  generated_id bigint not null references generated_reports (id) on delete cascade,
  company_id bigint not null,
  action text not null,
  count integer not null,
  people integer not null,
  primary key (generated_id, company_id, action)
);

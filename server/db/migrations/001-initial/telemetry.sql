create table device_samples (
  device_id bigint not null references devices (id) on delete cascade,
  metric text not null,
  at bigint not null,
  value real not null,
  primary key (device_id, metric, at)
);
create index device_samples_at on device_samples (at);

create table device_hours (
  device_id bigint not null references devices (id) on delete cascade,
  metric text not null,
  at bigint not null,
  readings integer not null,
  lowest real not null,
  highest real not null,
  total real not null,
  last real not null,
  primary key (device_id, metric, at)
) without rowid;
create index device_hours_at on device_hours (at);

create table device_days (
  device_id bigint not null references devices (id) on delete cascade,
  metric text not null,
  at bigint not null,
  readings integer not null,
  lowest real not null,
  highest real not null,
  total real not null,
  last real not null,
  primary key (device_id, metric, at)
) without rowid;
create index device_days_at on device_days (at);

create table device_metrics (
  device_id bigint not null references devices (id) on delete cascade,
  metric text not null,
  primary key (device_id, metric)
) without rowid;

create table device_states (
  device_id bigint not null references devices (id) on delete cascade,
  name text not null,
  at bigint not null,
  value text not null,
  primary key (device_id, name, at)
) without rowid;
create index device_states_at on device_states (at);

create table device_positions (
  device_id bigint not null references devices (id) on delete cascade,
  at bigint not null,
  latitude real not null,
  longitude real not null,
  altitude real,
  accuracy real,
  satellites integer,
  speed real,
  primary key (device_id, at)
) without rowid;
create index device_positions_at on device_positions (at);

create table device_traffic (
  device_id bigint not null references devices (id) on delete cascade,
  day bigint not null,
  modem integer not null default 1,
  sim integer not null,
  sent bigint not null,
  received bigint not null,
  primary key (device_id, day, modem, sim)
) without rowid;
create index device_traffic_day on device_traffic (day);

create table sims (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  iccid sorted_text not null,
  imsi text,
  operator text,
  phone_number text not null,
  note text not null,
  device_id bigint references devices (id) on delete set null,
  modem integer not null,
  slot integer not null,
  limit_bytes bigint,
  starts_on integer not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null
);
create unique index sims_iccid on sims (company_id, iccid);
create index sims_device on sims (device_id);

create table sim_places (
  sim_id bigint not null references sims (id) on delete cascade,
  from_at bigint not null,
  until_at bigint,
  device_id bigint references devices (id) on delete set null,
  device_name text not null,
  modem integer not null,
  slot integer not null,
  primary key (sim_id, from_at)
);
create index sim_places_device on sim_places (device_id, from_at);

create table sim_traffic (
  sim_id bigint not null references sims (id) on delete cascade,
  day bigint not null,
  sent bigint not null,
  received bigint not null,
  primary key (sim_id, day)
) without rowid;
create index sim_traffic_day on sim_traffic (day);

create table monitoring_templates (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  api_system text,
  api_version text not null,
  device_documentation_id bigint,
  data text not null,
  version integer not null,
  is_enabled integer not null,
  period integer not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index monitoring_templates_name on monitoring_templates (company_id, name);

create table monitoring_variables (
  metric text primary key,
  template_id bigint not null references monitoring_templates (id) on delete cascade,
  variable text not null,
  url text not null,
  type text not null,
  description text not null
);
create index monitoring_variables_template on monitoring_variables (template_id);

create table monitoring_assignments (
  id id_column,
  template_id bigint not null references monitoring_templates (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  is_enabled integer not null,
  period integer not null,
  last_at bigint,
  last_bytes bigint,
  created_at bigint not null
);
create unique index monitoring_assignments_device on monitoring_assignments (device_id, template_id);
create index monitoring_assignments_template on monitoring_assignments (template_id);

create table monitoring_reports (
  id id_column,
  template_id bigint not null references monitoring_templates (id) on delete cascade,
  device_id bigint not null references devices (id) on delete cascade,
  company_id bigint not null,
  at bigint not null,
  data text not null,
  log text not null
);
create index monitoring_reports_device on monitoring_reports (device_id, at);
create index monitoring_reports_template on monitoring_reports (template_id, at);
create index monitoring_reports_at on monitoring_reports (at);

create table task_groups (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  variables text not null,
  success_tag_ids text not null,
  failed_tag_ids text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index task_groups_name on task_groups (company_id, name);

create table tasks (
  id id_column,
  group_id bigint not null references task_groups (id) on delete cascade,
  place integer not null,
  name text not null,
  type text not null,
  timeout integer not null,
  stop_on_failure integer not null,
  data text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index tasks_group on tasks (group_id, place);

create table task_plans (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  group_id bigint not null references task_groups (id) on delete cascade,
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
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null,
  next_at bigint,
  last_at bigint,
  last_job_id bigint references jobs (id) on delete set null
);
create index task_plans_company on task_plans (company_id);
create index task_plans_group on task_plans (group_id);
create index task_plans_user on task_plans (created_by) where created_by is not null;
create index task_plans_job on task_plans (last_job_id) where last_job_id is not null;
create index task_plans_due on task_plans (next_at) where next_at is not null;

create table device_passwords (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  username text not null,
  is_proven integer not null,
  changed_at bigint not null,
  job_id bigint references jobs (id) on delete set null
);
create unique index device_passwords_device on device_passwords (device_id, username);
create index device_passwords_job on device_passwords (job_id) where job_id is not null;

create table device_password_values (
  id id_column,
  password_id bigint not null references device_passwords (id) on delete cascade,
  sealed_value text not null,
  created_at bigint not null
);
create index device_password_values_password on device_password_values (password_id);

create table device_password_looks (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  device_id bigint references devices (id) on delete set null,
  device_name text not null,
  username text not null,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  reason text not null,
  ip text not null,
  at bigint not null
);
create index device_password_looks_company on device_password_looks (company_id);
create index device_password_looks_device on device_password_looks (device_id) where device_id is not null;
create index device_password_looks_user on device_password_looks (user_id) where user_id is not null;

create table password_lists (
  job_id bigint not null primary key references jobs (id) on delete cascade,
  created_at bigint not null,
  ended_at bigint,
  end_reason text
);

create table password_list_items (
  id id_column,
  job_id bigint not null references password_lists (job_id) on delete cascade,
  device_id bigint not null,
  device_name text not null,
  serial text not null,
  mac text not null,
  username text not null,
  state text not null,
  sealed_value text not null
);
create unique index password_list_items_job on password_list_items (job_id, device_id);

create table password_plans (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  applies_to text not null,
  apply_list text not null,
  username text not null,
  length integer not null,
  use_special integer not null,
  every_days integer not null,
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
create index password_plans_company on password_plans (company_id);
create index password_plans_user on password_plans (created_by) where created_by is not null;
create index password_plans_job on password_plans (last_job_id) where last_job_id is not null;
create index password_plans_due on password_plans (next_at) where next_at is not null;

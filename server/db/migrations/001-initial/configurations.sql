create table device_configurations (
  device_id bigint not null primary key references devices (id) on delete cascade,
  settings text not null,
  read_at bigint not null
);

create table configuration_templates (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  system text not null,
  base_id bigint references configuration_templates (id),
  version text not null,
  revision bigint not null,
  template text not null,
  min_firmware text not null,
  max_firmware text not null,
  created_by bigint references users (id) on delete set null,
  actor_company_id bigint not null,
  user_name text not null,
  next_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index configuration_templates_name on configuration_templates (company_id, name);
create index configuration_templates_base on configuration_templates (base_id);
create index configuration_templates_next on configuration_templates (next_at);

create table configuration_revisions (
  id id_column,
  template_id bigint not null references configuration_templates (id) on delete cascade,
  revision bigint not null,
  version text not null,
  template text not null,
  user_name text not null,
  created_at bigint not null
);
create unique index configuration_revisions_number on configuration_revisions (template_id, revision);

create table configuration_variables (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  tag_id bigint references tags (id) on delete cascade,
  device_id bigint references devices (id) on delete cascade,
  name text not null,
  value text not null,
  is_secret bigint not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index configuration_variables_company on configuration_variables (company_id, name) where tag_id is null and device_id is null;
create unique index configuration_variables_tag on configuration_variables (tag_id, name) where tag_id is not null;
create unique index configuration_variables_device on configuration_variables (device_id, name) where device_id is not null;

create table change_sets (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  state text not null,
  sealed_edits text not null,
  edits_count bigint not null,
  devices_count bigint not null,
  created_by bigint references users (id) on delete set null,
  user_name text not null,
  reviewed_by bigint references users (id) on delete set null,
  reviewer_name text not null default '',
  reviewed_at bigint,
  review_note text not null default '',
  applied_at bigint,
  applied_changes text,
  sealed_undo text,
  created_at bigint not null,
  updated_at bigint not null
);
create index change_sets_company on change_sets (company_id);

create table device_templates (
  id id_column,
  device_id bigint not null references devices (id) on delete cascade,
  template_id bigint not null references configuration_templates (id) on delete cascade,
  state text not null,
  revision bigint not null,
  differences text not null,
  differences_count bigint not null,
  applied_at bigint not null,
  compared_at bigint
);
create unique index device_templates_device on device_templates (device_id, template_id);
create index device_templates_template on device_templates (template_id, state);

create table installation (
  key text primary key,
  value text not null
);

create table companies (
  id id_column,
  name sorted_text not null,
  level integer not null check (level between 1 and 3),
  parent_id bigint references companies (id),
  path sorted_text not null,
  created_at bigint not null,
  updated_at bigint not null,
  requires_mfa integer not null default 0,
  removed_at bigint,
  can_use_parent_license integer not null default 0,
  show_payment integer not null default 1,
  email text not null default '',
  asks_reason integer not null default 0,
  asks_review integer not null default 0
);
create unique index companies_path on companies (path);
create unique index companies_parent_name on companies (parent_id, name) where removed_at is null;
create index companies_removed on companies (removed_at) where removed_at is not null;
create index companies_name on companies (name, id);
create index companies_parent on companies (parent_id);

create table company_days (
  company_id bigint not null references companies (id) on delete cascade,
  day bigint not null,
  devices bigint not null,
  online bigint not null,
  users bigint not null,
  primary key (company_id, day)
);

create table company_months (
  company_id bigint not null references companies (id) on delete cascade,
  month bigint not null,
  devices bigint not null,
  primary key (company_id, month)
);

create table company_traffic (
  company_id bigint not null references companies (id) on delete cascade,
  day bigint not null,
  sent bigint not null,
  received bigint not null,
  primary key (company_id, day)
);

create table roles (
  id id_column,
  name text not null,
  title text not null,
  description text not null,
  scope text not null,
  company_id bigint references companies (id),
  created_at bigint not null,
  updated_at bigint not null,
  start_page text not null default 'last'
);
create unique index roles_company_title on roles (company_id, title);

create table role_permissions (
  role_id bigint not null references roles (id) on delete cascade,
  permission text not null,
  primary key (role_id, permission)
);

create table users (
  id id_column,
  email sorted_text not null,
  username text not null,
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  company_id bigint not null references companies (id),
  last_login_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  impersonation_until bigint,
  email_unverified integer not null default 0,
  accepted_terms text
);
create unique index users_email on users (email);
create index users_company on users (company_id);
create index users_username on users (username, id);

create table memberships (
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id),
  role_id bigint not null references roles (id),
  disabled_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (user_id, company_id)
);
create index memberships_company on memberships (company_id, user_id);
create index memberships_role on memberships (role_id);

create table service_accounts (
  user_id bigint primary key references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  description text not null
);
create index service_accounts_company on service_accounts (company_id);

create table views (
  id id_column,
  resource text not null,
  name text not null,
  share text not null,
  company_id bigint references companies (id) on delete cascade,
  owner_id bigint references users (id) on delete cascade,
  created_by bigint references users (id) on delete set null,
  user_name text not null,
  query text not null,
  columns text,
  created_at bigint not null,
  updated_at bigint not null
);
create index views_company on views (company_id, resource);
create index views_owner on views (owner_id, resource);
create index views_creator on views (created_by);
create table view_roles (
  view_id bigint not null references views (id) on delete cascade,
  role_id bigint not null references roles (id) on delete cascade,
  primary key (view_id, role_id)
);
create index view_roles_role on view_roles (role_id);

create table dashboards (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  owner_id bigint references users (id) on delete cascade,
  kind text not null,
  name text not null,
  is_default integer not null,
  widgets text not null,
  version integer not null,
  user_name text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index dashboards_company on dashboards (company_id);
create index dashboards_owner on dashboards (owner_id) where owner_id is not null;

create table images (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  name text not null,
  description text not null,
  type text not null,
  content_type text not null,
  size bigint not null,
  original_width integer not null,
  original_height integer not null,
  bytes text not null,
  thumbnail text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index images_company on images (company_id);

create table themes (
  company_id bigint primary key references companies (id) on delete cascade,
  host_name text,
  branding text not null,
  updated_at bigint not null
);
create unique index themes_host_name on themes (host_name);

create table theme_pictures (
  key text primary key,
  company_id bigint not null references companies (id) on delete cascade,
  kind text not null,
  type text not null,
  bytes text not null
);
create unique index theme_pictures_kind on theme_pictures (company_id, kind);

create table storage (
  user_id bigint not null references users (id) on delete cascade,
  key text not null,
  value text not null,
  updated_at bigint not null,
  primary key (user_id, key)
);

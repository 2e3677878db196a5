create table notices (
  id id_column,
  at bigint not null,
  kind text not null,
  company_id bigint not null references companies (id) on delete cascade,
  subject_id bigint,
  subject_name text not null,
  user_id bigint references users (id) on delete cascade,
  details text not null
);

create table notifications (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  kind text not null,
  group_key sorted_text not null,
  subject_id bigint,
  subject_name text not null,
  details text not null,
  count integer not null,
  in_console integer not null,
  by_mail integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  seen_at bigint
);
create unique index notifications_unseen on notifications (user_id, group_key) where seen_at is null;
create index notifications_newest on notifications (user_id, updated_at);
create index notifications_age on notifications (updated_at);
create index notifications_mail on notifications (user_id) where by_mail = 1;

create table notification_rules (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint references companies (id) on delete cascade,
  in_console text not null,
  by_mail text not null,
  updated_at bigint not null,
  alert_mail text not null default 'none',
  remind_minutes integer not null default 0
);
create unique index notification_rules_place on notification_rules (user_id, coalesce(company_id, 0));

create table notification_digests (
  user_id bigint primary key references users (id) on delete cascade,
  hour integer not null,
  timezone text not null,
  language text not null,
  sent_on text
);

create table announcements (
  id id_column,
  type text not null,
  summary text not null,
  company_id bigint references companies (id) on delete cascade,
  audience text not null,
  starts_at bigint,
  ends_at bigint,
  created_at bigint not null
);

create table announcement_dismissals (
  user_id bigint not null references users (id) on delete cascade,
  announcement_id bigint not null references announcements (id) on delete cascade,
  at bigint not null,
  primary key (user_id, announcement_id)
);

create table email_configurations (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  host text not null,
  port integer not null,
  security text not null,
  email text not null,
  username text not null,
  sealed_password text not null,
  is_default integer not null default 0,
  created_at bigint not null
);
create index email_configurations_company on email_configurations (company_id);
create unique index email_configurations_default on email_configurations (company_id) where is_default = 1;

create table email_templates (
  company_id bigint not null references companies (id) on delete cascade,
  kind text not null,
  language text not null,
  subject text not null,
  text text not null,
  updated_at bigint not null,
  primary key (company_id, kind, language)
);

create table suppressed_emails (
  id id_column,
  email sorted_text not null,
  company_id bigint not null references companies (id) on delete cascade,
  reason text not null,
  created_at bigint not null
);
create unique index suppressed_emails_email on suppressed_emails (email, company_id);

create table mail_log (
  id id_column,
  at bigint not null,
  company_id bigint not null references companies (id) on delete cascade,
  email sorted_text not null,
  subject text not null,
  status text not null,
  error text,
  kind text not null default '',
  tries integer not null default 1,
  next_try_at bigint,
  sealed_text text,
  server_id bigint,
  server text
);
create index mail_log_company on mail_log (company_id, at);
create index mail_log_at on mail_log (at);
create index mail_log_next_try on mail_log (next_try_at) where next_try_at is not null;

create table sessions (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  access_hash text not null,
  access_expires_at bigint not null,
  refresh_hash text not null,
  previous_refresh_hash text,
  previous_access_hash text,
  rotated_at bigint not null,
  idle_expires_at bigint not null,
  absolute_expires_at bigint not null,
  ip text not null,
  user_agent text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  password_confirmed_at bigint not null default 0,
  company_id bigint not null default 0,
  on_behalf_of bigint references users (id) on delete cascade,
  own_session_id text,
  asked_call text,
  confirmed_call text,
  call_confirmed_at bigint not null default 0
);
create unique index sessions_access on sessions (access_hash);
create index sessions_previous_access on sessions (previous_access_hash);
create index sessions_user on sessions (user_id);
create index sessions_company on sessions (company_id);
create index sessions_on_behalf_of on sessions (on_behalf_of);

create table account_links (
  token_hash text primary key,
  kind text not null,
  user_id bigint not null references users (id) on delete cascade,
  email text not null,
  expires_at bigint not null,
  created_at bigint not null
);
create index account_links_user on account_links (user_id, kind);

create table avatars (
  user_id bigint primary key references users (id) on delete cascade,
  key text not null,
  type text not null,
  bytes text not null
);
create unique index avatars_key on avatars (key);

create table second_factors (
  user_id bigint primary key references users (id) on delete cascade,
  method text not null,
  sealed_secret text,
  last_step bigint,
  code_hash text,
  attempts integer not null,
  confirmed_at bigint,
  created_at bigint not null
);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  code_hash text not null,
  created_at bigint not null,
  primary key (user_id, code_hash)
);

create table mfa_challenges (
  id text primary key,
  uuid_hash text not null,
  user_id bigint not null references users (id) on delete cascade,
  session_id text not null,
  request_hash text not null,
  code_hash text,
  attempts integer not null,
  sends integer not null,
  expires_at bigint not null,
  created_at bigint not null
);
create index mfa_challenges_user on mfa_challenges (user_id, created_at);

create table passkeys (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  last_used_at bigint,
  created_at bigint not null
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

create table passkey_challenges (
  challenge_hash text primary key,
  user_id bigint references users (id) on delete cascade,
  expires_at bigint not null
);

create table external_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at bigint not null,
  primary key (issuer, subject)
);
create unique index external_identities_user on external_identities (user_id, issuer);

create table applications (
  id id_column,
  company_id bigint not null references companies (id) on delete cascade,
  name text not null,
  description text not null,
  client_id text not null,
  secret_hash text,
  redirect_uris text not null,
  scopes text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index applications_client on applications (client_id);
create unique index applications_name on applications (company_id, name);

create table application_codes (
  code_hash text primary key,
  application_id bigint not null references applications (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  redirect_uri text not null,
  scopes text not null,
  challenge text not null,
  expires_at bigint not null,
  token_id bigint
);

create table access_tokens (
  id id_column,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  token_hash text not null,
  token_hint text not null,
  scopes text not null,
  expires_at bigint not null,
  last_used_at bigint,
  last_used_ip text,
  created_at bigint not null,
  company_id bigint not null default 0,
  application_id bigint references applications (id) on delete cascade,
  access_expires_at bigint,
  refresh_hash text,
  former_refresh_hash text
);
create unique index access_tokens_hash on access_tokens (token_hash);
create index access_tokens_user on access_tokens (user_id);
create index access_tokens_company on access_tokens (company_id);
create index access_tokens_application on access_tokens (application_id);
create index access_tokens_refresh on access_tokens (refresh_hash);
create index access_tokens_former_refresh on access_tokens (former_refresh_hash);

create table invitations (
  id id_column,
  email sorted_text not null,
  company_id bigint not null references companies (id) on delete cascade,
  role_id bigint not null references roles (id) on delete cascade,
  is_distributor integer not null,
  token_hash text not null,
  invited_by bigint not null references users (id) on delete cascade,
  expires_at bigint not null,
  created_at bigint not null,
  inviter_company_id bigint not null default 0,
  sent_at bigint,
  mail_error text,
  is_independent bigint not null default 0
);
create unique index invitations_token on invitations (token_hash);
create unique index invitations_email on invitations (company_id, email);

create table impersonation_requests (
  id id_column,
  token_hash text not null,
  user_id bigint not null references users (id) on delete cascade,
  company_id bigint not null references companies (id) on delete cascade,
  requested_by bigint not null references users (id) on delete cascade,
  requester_company_id bigint not null,
  reason text not null,
  expires_at bigint not null,
  created_at bigint not null,
  confirmed_at bigint
);
create unique index impersonation_requests_token on impersonation_requests (token_hash);
create index impersonation_requests_user on impersonation_requests (user_id);

create table impersonation_logs (
  id id_column,
  actor_id bigint,
  actor_name text not null,
  user_id bigint,
  user_name text not null,
  company_id bigint not null references companies (id) on delete cascade,
  reason text not null,
  ip text not null,
  session_id text not null,
  started_at bigint not null,
  expires_at bigint not null,
  ended_at bigint
);
create index impersonation_logs_company on impersonation_logs (company_id, id);
create index impersonation_logs_session on impersonation_logs (session_id);

create table audit (
  id id_column,
  at bigint not null,
  actor_id bigint,
  actor_name text not null,
  on_behalf_of bigint,
  action text not null,
  entity text not null,
  entity_id bigint,
  entity_name text not null,
  company_id bigint,
  before text,
  after text,
  ip text not null,
  token_name text,
  request_id text not null,
  undoes bigint,
  left_for_id bigint,
  form text
);
create index audit_entity on audit (entity, entity_id, id);
create index audit_company on audit (company_id, id);
create unique index audit_undoes on audit (undoes) where undoes is not null;
create index audit_request on audit (request_id, action, id);

create table audit_seals (
  id id_column,
  first_id bigint not null,
  last_id bigint not null,
  count bigint not null,
  last_at bigint not null,
  previous text not null,
  hash text not null,
  sealed_at bigint not null,
  expired bigint not null default 0
);
create unique index audit_seals_first on audit_seals (first_id);
create index audit_seals_last on audit_seals (last_id);

create table api_descriptions (
  system text primary key,
  file_name text not null,
  size bigint not null,
  sha256 text not null,
  uploaded_by bigint references users (id) on delete set null,
  created_at bigint not null,
  document text,
  sources text
);

create table form_versions (
  form_id sorted_text not null,
  number integer not null,
  text text not null,
  sha256 text not null,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  note text not null,
  at bigint not null,
  primary key (form_id, number)
);

create table webhook_deliveries (
  id id_column,
  form_id sorted_text not null,
  target text not null,
  path text not null,
  sealed_body text not null,
  state text not null,
  attempts integer not null,
  next_at bigint not null,
  user_id bigint references users (id) on delete set null,
  user_name text not null,
  created_at bigint not null,
  finished_at bigint,
  log_id bigint,
  log_action integer
);
create unique index webhook_deliveries_log on webhook_deliveries (log_id, log_action) where log_id is not null;
create index webhook_deliveries_due on webhook_deliveries (state, next_at);
create index webhook_deliveries_form on webhook_deliveries (form_id, id);

create table webhook_attempts (
  id id_column,
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  at bigint not null,
  status integer,
  reason text,
  duration_ms integer not null
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);

create table credit_accounts (
  id id_column,
  kind text not null,
  company_id bigint,
  credit_type_id integer not null,
  balance bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  received bigint not null default 0,
  entries_count bigint not null default 0,
  check (balance >= 0 or kind = 'issued')
);
create unique index credit_accounts_place on credit_accounts (kind, coalesce(company_id, 0), credit_type_id, coalesce(expires_at, 0));
create index credit_accounts_company on credit_accounts (company_id, kind, credit_type_id, balance, entries_count);
create index credit_accounts_type on credit_accounts (kind, credit_type_id, company_id, balance, received, entries_count);

create table credit_transfers (
  id id_column,
  kind text not null,
  credit_type_id integer not null,
  user_id bigint,
  price_cents bigint,
  pro_form_nr text,
  code_id bigint,
  created_at bigint not null,
  from_company_id bigint,
  to_company_id bigint,
  device_id bigint,
  device_serial text,
  device_mac text,
  user_name text not null default '',
  idempotency_key text,
  move_nr bigint
);
create unique index credit_transfers_key on credit_transfers (user_id, idempotency_key) where idempotency_key is not null;
create index credit_transfers_code on credit_transfers (code_id) where code_id is not null;
create index credit_transfers_kind on credit_transfers (kind, id);
create unique index credit_transfers_moves on credit_transfers (move_nr);
create index credit_transfers_from on credit_transfers (from_company_id, move_nr);
create index credit_transfers_to on credit_transfers (to_company_id, move_nr, from_company_id);

create table credit_entries (
  id id_column,
  transfer_id bigint not null references credit_transfers (id),
  account_id bigint not null references credit_accounts (id),
  amount bigint not null,
  company_id bigint,
  balance_after bigint not null default 0,
  history_nr bigint
);
create index credit_entries_account on credit_entries (account_id);
create index credit_entries_transfer on credit_entries (transfer_id);
create unique index credit_entries_history on credit_entries (history_nr, company_id);
create index credit_entries_company on credit_entries (company_id, history_nr);

create table credit_codes (
  id id_column,
  company_id bigint not null,
  credit_type_id integer not null,
  amount bigint not null,
  code_hash text not null,
  hint text not null,
  comment text not null,
  created_by bigint references users (id) on delete set null,
  used_by_company_id bigint,
  used_at bigint,
  created_at bigint not null
);
create unique index credit_codes_hash on credit_codes (code_hash);

create table device_credits (
  device_id bigint not null,
  service text not null,
  credit_type_id integer not null,
  state text not null,
  company_id bigint not null,
  credit_expires_at bigint,
  auto_extend integer not null,
  starts_at bigint,
  ends_at bigint,
  updated_at bigint not null,
  bytes_left bigint not null default 0,
  primary key (device_id, service)
);
create index device_credits_due on device_credits (state, ends_at);

create extension if not exists pg_trgm;

-- Lower case by the rules of Unicode, as SQLite's function of the same name.
create function lower_text(text) returns text language sql immutable as $$select lower($1 collate "und-x-icu")$$;

create index devices_search on devices using gin (search_text gin_trgm_ops);
create index companies_search on companies using gin (lower_text(name) gin_trgm_ops);
create index users_search on users using gin (lower_text(username) gin_trgm_ops, lower_text(email) gin_trgm_ops);

-- Rows of the history are final; those under an expired seal may be deleted.
create function audit_is_final() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and exists (select 1 from audit_seals where expired = 1 and old.id between first_id and last_id) then return old; end if;
  raise exception 'history rows are final'; end $$;
create trigger audit_is_final before update or delete on audit for each row execute function audit_is_final();

create function audit_seals_are_final() returns trigger language plpgsql as $$ begin raise exception 'seals of the history are final'; end $$;
create trigger audit_seals_no_update before update of first_id, last_id, count, last_at, previous, hash, sealed_at on audit_seals
  for each row execute function audit_seals_are_final();
create trigger audit_seals_no_delete before delete on audit_seals for each row execute function audit_seals_are_final();

-- The ledger is append-only.
create function refuse_ledger_change() returns trigger language plpgsql as $$ begin raise exception 'the ledger is append-only'; end $$;
create trigger credit_transfers_no_update before update on credit_transfers for each row execute function refuse_ledger_change();
create trigger credit_transfers_no_delete before delete on credit_transfers for each row execute function refuse_ledger_change();
create trigger credit_transfers_no_truncate before truncate on credit_transfers for each statement execute function refuse_ledger_change();
create trigger credit_entries_no_update before update on credit_entries for each row execute function refuse_ledger_change();
create trigger credit_entries_no_delete before delete on credit_entries for each row execute function refuse_ledger_change();
create trigger credit_entries_no_truncate before truncate on credit_entries for each statement execute function refuse_ledger_change();

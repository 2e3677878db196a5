-- The search index of devices reads their own text; those of companies and users hold a copy of names in lower case.
create virtual table device_search using fts5 (search_text, content='devices', content_rowid='id', tokenize='trigram');

create trigger devices_search_insert after insert on devices begin
  insert into device_search (rowid, search_text) values (new.id, new.search_text);
end;

create trigger devices_search_delete after delete on devices begin
  insert into device_search (device_search, rowid, search_text) values ('delete', old.id, old.search_text);
end;

create trigger devices_search_update after update of search_text on devices begin
  insert into device_search (device_search, rowid, search_text) values ('delete', old.id, old.search_text);
  insert into device_search (rowid, search_text) values (new.id, new.search_text);
end;

create virtual table company_search using fts5 (text, tokenize='trigram');

create trigger companies_search_insert after insert on companies begin
  insert into company_search (rowid, text) values (new.id, lower_text(new.name));
end;

create trigger companies_search_delete after delete on companies begin
  delete from company_search where rowid = old.id;
end;

create trigger companies_search_update after update of name on companies begin
  update company_search set text = lower_text(new.name) where rowid = new.id;
end;

create virtual table user_search using fts5 (text, tokenize='trigram');

create trigger users_search_insert after insert on users begin
  insert into user_search (rowid, text) values (new.id, lower_text(new.username) || char(10) || lower_text(new.email));
end;

create trigger users_search_delete after delete on users begin
  delete from user_search where rowid = old.id;
end;

create trigger users_search_update after update of username, email on users begin
  update user_search set text = lower_text(new.username) || char(10) || lower_text(new.email) where rowid = new.id;
end;

-- Rows of the history are final; those under an expired seal may be deleted.
create trigger audit_no_update before update on audit begin
  select raise(abort, 'history rows are final');
end;

create trigger audit_no_delete before delete on audit
when not exists (select 1 from audit_seals where expired = 1 and old.id between first_id and last_id) begin
  select raise(abort, 'history rows are final');
end;

create trigger audit_seals_no_update before update of first_id, last_id, count, last_at, previous, hash, sealed_at on audit_seals begin
  select raise(abort, 'seals of the history are final');
end;

create trigger audit_seals_no_delete before delete on audit_seals begin
  select raise(abort, 'seals of the history are final');
end;

-- The ledger is append-only.
create trigger credit_transfers_no_update before update on credit_transfers begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger credit_transfers_no_delete before delete on credit_transfers begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger credit_entries_no_update before update on credit_entries begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger credit_entries_no_delete before delete on credit_entries begin
  select raise(abort, 'the ledger is append-only');
end;

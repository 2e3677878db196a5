alter table devices add column name_key text not null default '';

update devices set name_key = sort_key(name), search_text = fold_text(search_text);

create trigger devices_name_key_insert after insert on devices begin
  update devices set name_key = sort_key(new.name) where id = new.id;
end;

create trigger devices_name_key_update after update of name, name_key on devices when new.name_key <> sort_key(new.name) begin
  update devices set name_key = sort_key(new.name) where id = new.id;
end;

drop trigger companies_search_insert;
drop trigger companies_search_update;
drop trigger users_search_insert;
drop trigger users_search_update;

create trigger companies_search_insert after insert on companies begin
  insert into company_search (rowid, text) values (new.id, fold_text(new.name));
end;

create trigger companies_search_update after update of name on companies begin
  update company_search set text = fold_text(new.name) where rowid = new.id;
end;

create trigger users_search_insert after insert on users begin
  insert into user_search (rowid, text) values (new.id, fold_text(new.username) || char(10) || fold_text(new.email));
end;

create trigger users_search_update after update of username, email on users begin
  update user_search set text = fold_text(new.username) || char(10) || fold_text(new.email) where rowid = new.id;
end;

update company_search set text = fold_text(text);

update user_search set text = fold_text(text);

-- The order of code points, under the name that SQLite has for it.
create collation if not exists "BINARY" (provider = libc, locale = 'C');

-- A text in lower case, its upper case first: "ß" is "SS" only there. In plpgsql, so that its collation stays inside.
create function fold_case(text) returns text language plpgsql immutable parallel safe as $$ begin
  return lower(upper($1 collate "und-x-icu") collate "und-x-icu"); end $$;

-- As `foldText` of schemas/kit/text/text-order.ts. A text as long in bytes as in characters is ASCII.
create function fold_text(text) returns text language sql immutable parallel safe as $$select case when octet_length($1) = length($1) then translate($1, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz') else
  normalize(replace(replace(replace(translate(regexp_replace(
    normalize(fold_case(normalize($1, NFKD)), NFKD),
    '[\u0300-\u036f]+', '', 'g'), 'øđðłħŧς', 'oddlhtσ'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFKC) end$$;

-- Letters with a place of their own, as `PLACES` there.
create function place_letters(text) returns text language sql immutable parallel safe as $$select case when octet_length($1) = length($1) then $1 else
  replace(replace(replace(replace(replace(replace(translate(
    normalize(fold_case(normalize($1, NFKC)), NFKC),
    'æäøöå', '{{||}'), 'ґ', 'гӿ'), 'є', 'еӿ'), 'ё', 'еӿӿ'), 'і', 'иӿ'), 'ї', 'иӿӿ'), 'й', 'иӿӿӿ') end$$;

-- As `sortKey` there: numbers are padded and cut to 20 digits or more.
create function sort_key(text) returns text language sql immutable parallel safe as $$select left(regexp_replace(regexp_replace(translate(fold_text(place_letters($1)),
    'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ',
    'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ'),
    '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20,})', '\1', 'g'), 300)$$;

alter table devices add column name_key text collate "C" not null default '';

update devices set name_key = sort_key(name), search_text = fold_text(search_text);

create function keep_device_name_key() returns trigger language plpgsql as $$ begin
  new.name_key := sort_key(new.name);
  return new; end $$;
create trigger devices_name_key before insert or update of name, name_key on devices for each row execute function keep_device_name_key();

drop index companies_search;
drop index users_search;
create index companies_search on companies using gin (fold_text(name) gin_trgm_ops);
create index users_search on users using gin (fold_text(username) gin_trgm_ops, fold_text(email) gin_trgm_ops);

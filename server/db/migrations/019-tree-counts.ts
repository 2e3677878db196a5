import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { DialectTools } from '../dialect.ts';

/** What is counted of a company, and the column that has the count. */
const COUNTED = [
  { table: 'devices', count: 'devices' },
  { table: 'memberships', count: 'users' },
] as const;

async function keepCountsOnSqlite(db: Db): Promise<void> {
  await sql`create trigger company_counts_insert after insert on companies begin
    insert into company_counts (company_id) values (new.id); end`.execute(db);
  for (const { table, count } of COUNTED) {
    const [of, column] = [sql.table(table), sql.ref(count)];
    const trigger = (event: string) => sql.ref(`${table}_count_${event}`);
    const less = sql`update company_counts set ${column} = ${column} - 1 where company_id = old.company_id;`;
    const more = sql`update company_counts set ${column} = ${column} + 1 where company_id = new.company_id;`;
    await sql`create trigger ${trigger('insert')} after insert on ${of} begin ${more} end`.execute(db);
    await sql`create trigger ${trigger('delete')} after delete on ${of} begin ${less} end`.execute(db);
    await sql`create trigger ${trigger('update')} after update of company_id on ${of} begin ${less} ${more} end`.execute(db);
  }
}

async function keepCountsOnPostgres(db: Db): Promise<void> {
  await sql`create function company_counts_insert() returns trigger language plpgsql as $$
    begin insert into company_counts (company_id) values (new.id); return null; end $$`.execute(db);
  await sql`create trigger company_counts_insert after insert on companies for each row execute function company_counts_insert()`.execute(
    db,
  );
  for (const { table, count } of COUNTED) {
    const [of, column, name] = [sql.table(table), sql.ref(count), sql.ref(`${table}_count`)];
    // Both rows are locked in one order, so that two that move things to each other's company do not wait for one another.
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin
      if tg_op = 'UPDATE' then
        perform 1 from company_counts where company_id in (old.company_id, new.company_id) order by company_id for update;
      end if;
      if tg_op <> 'INSERT' then update company_counts set ${column} = ${column} - 1 where company_id = old.company_id; end if;
      if tg_op <> 'DELETE' then update company_counts set ${column} = ${column} + 1 where company_id = new.company_id; end if;
      return null; end $$`.execute(db);
    await sql`create trigger ${name} after insert or delete or update of company_id on ${of} for each row execute function ${name}()`.execute(
      db,
    );
  }
}

/** Texts in lower case, by the rules of the console's language and not of ASCII, found by any three signs. */
async function createSearchOnSqlite(db: Db): Promise<void> {
  const texts = {
    company: { table: 'companies', columns: ['name'] },
    user: { table: 'users', columns: ['username', 'email'] },
  };
  for (const [entity, { table, columns }] of Object.entries(texts)) {
    const search = sql.table(`${entity}_search`);
    const trigger = (event: string) => sql.ref(`${table}_search_${event}`);
    // Parts are on lines of their own, so that nothing is found across them.
    const textOf = (row: string) =>
      sql.join(
        columns.map((column) => sql`lower_text(${sql.ref(`${row}.${column}`)})`),
        sql` || char(10) || `,
      );
    await sql`create virtual table ${search} using fts5 (text, tokenize='trigram')`.execute(db);
    await sql`insert into ${search} (rowid, text) select id, ${textOf(table)} from ${sql.table(table)}`.execute(db);
    await sql`create trigger ${trigger('insert')} after insert on ${sql.table(table)} begin
      insert into ${search} (rowid, text) values (new.id, ${textOf('new')}); end`.execute(db);
    await sql`create trigger ${trigger('delete')} after delete on ${sql.table(table)} begin
      delete from ${search} where rowid = old.id; end`.execute(db);
    await sql`create trigger ${trigger('update')} after update of ${sql.join(columns.map((column) => sql.ref(column)))} on ${sql.table(table)} begin
      update ${search} set text = ${textOf('new')} where rowid = new.id; end`.execute(db);
  }
}

async function createSearchOnPostgres(db: Db): Promise<void> {
  await sql`create index companies_search on companies using gin (lower_text(name) gin_trgm_ops)`.execute(db);
  await sql`create index users_search on users using gin (lower_text(username) gin_trgm_ops, lower_text(email) gin_trgm_ops)`.execute(db);
}

/** How many devices and memberships each company has, kept by the database; names of companies and people by a search index. */
export async function up(db: Db, tools: DialectTools): Promise<void> {
  const big = sql.raw(tools.bigint);
  await sql`create table company_counts (company_id ${big} primary key references companies (id) on delete cascade,
    devices ${big} not null default 0, users ${big} not null default 0)`.execute(db);
  await sql`insert into company_counts (company_id, devices, users) select id,
    (select count(*) from devices where devices.company_id = companies.id),
    (select count(*) from memberships where memberships.company_id = companies.id) from companies`.execute(db);
  await sql`create index users_username on users (username, id)`.execute(db);
  if (tools.kind === 'postgres') {
    await keepCountsOnPostgres(db);
    await createSearchOnPostgres(db);
    return;
  }
  await keepCountsOnSqlite(db);
  await createSearchOnSqlite(db);
}

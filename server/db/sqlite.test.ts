import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteDialect } from './sqlite.ts';

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__'];

test('a query that was run before its table changed answers the columns of now, by their names', async () => {
  await using db = new Kysely<Record<string, Record<string, number>>>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
  const wide = async (): Promise<[string, unknown][]> => {
    const { rows } = await sql<object>`select * from wide`.execute(db);
    return rows.flatMap((row) => Object.entries(row));
  };
  await sql`create table wide (${sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} integer`))})`.execute(db);
  await sql`insert into wide values (${sql.join(COLUMNS.map((_, index) => index))})`.execute(db);
  expect(await wide()).toEqual(COLUMNS.map((name, index) => [name, index]));
  await sql`alter table wide drop column a`.execute(db);
  await sql`alter table wide add column h integer default 8`.execute(db);
  expect(await wide()).toEqual([...COLUMNS.slice(1).map((name, index) => [name, index + 1]), ['h', 8]]);
});

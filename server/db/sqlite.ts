import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqliteDialect, type SqliteStatement } from 'kysely';
import { bindValues } from './open-sqlite.ts';

const STATEMENT_CACHE = 500;
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

/** Rows of so few columns are not worth a function of their own. */
const NARROW = 6;

type Values = readonly unknown[];

/** Makes the rows of a statement, which all have one shape. Node's own are dictionaries: slower to make than their values are to read, and slower to use. */
function rowMaker(names: readonly string[]): (values: Values) => Record<string, unknown> {
  const members = names.map((name, index) => `[${JSON.stringify(name)}]: values[${index}]`);
  // The names are those of our own queries.
  return new Function('values', `return { ${members.join(', ')} };`) as ReturnType<typeof rowMaker>;
}

/** What Kysely asks of a statement. What it answers is found out once: describing the columns of a wide table costs as much as a short query. */
function readyStatement(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name);
  const isWide = names.length > NARROW;
  const makeRow = isWide ? rowMaker(names) : (row: unknown) => row;
  statement.setReturnArrays(isWide);
  return {
    reader: names.length > 0,
    all: (parameters) => statement.all(...bindValues(parameters)).map((row) => makeRow(row as unknown as Values)),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...bindValues(parameters));
      return { changes, lastInsertRowid };
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...bindValues(parameters))) yield makeRow(row as unknown as Values);
    },
  };
}

/** Kysely's SQLite dialect over `node:sqlite`; statements are prepared once per text. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const cache = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = cache.get(sql);
    if (known) return known;
    // Afterwards `select *` may answer other columns.
    if (CHANGES_TABLES.test(sql)) cache.clear();
    const statement = readyStatement(database.prepare(sql));
    if (cache.size >= STATEMENT_CACHE) cache.delete(cache.keys().next().value ?? '');
    cache.set(sql, statement);
    return statement;
  };
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      // SQLite has rolled back by itself when the disk is full; a second rollback would hide that error behind its own.
      prepare: (sql) => prepare(sql === 'rollback' && !database.isTransaction ? 'select 1 where false' : sql),
    },
  });
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqliteDialect, type SqliteStatement } from 'kysely';
import { bindValues } from './open-sqlite.ts';

const STATEMENT_CACHE = 500;
const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

function readyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindValues(parameters)),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...bindValues(parameters));
      return { changes, lastInsertRowid };
    },
    iterate: (parameters) => statement.iterate(...bindValues(parameters)),
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

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteDialect } from 'kysely';

const STATEMENT_CACHE = 500;

/** Opens a SQLite file with the settings that make acknowledged writes durable. `readOnly` connections see the last commit (WAL). */
export function openSqlite(file: string, { readOnly = false } = {}): DatabaseSync {
  if (!readOnly) mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { readOnly });
  if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 10000; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;');
  // SQLite's own lower() knows ASCII only; names are not. PostgreSQL has a function of this name from the first migration.
  database.function('lower_text', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  return database;
}

/** Query parameters as SQLite takes them: flags as numbers. */
export function bindValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value === undefined ? null : (value as SQLInputValue)));
}

/** Kysely's SQLite dialect over `node:sqlite`; statements are prepared once per text. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const cache = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = cache.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (cache.size >= STATEMENT_CACHE) cache.delete(cache.keys().next().value ?? '');
    cache.set(sql, statement);
    return statement;
  };
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare: (sql) => {
        // SQLite has rolled back by itself when the disk is full; a second rollback would hide that error behind its own.
        const statement = prepare(sql === 'rollback' && !database.isTransaction ? 'select 1 where false' : sql);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...bindValues(parameters)),
          run: (parameters) => {
            const { changes, lastInsertRowid } = statement.run(...bindValues(parameters));
            return { changes, lastInsertRowid };
          },
          iterate: (parameters) => statement.iterate(...bindValues(parameters)),
        };
      },
    },
  });
}

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

// @NOTE Imports nothing of ours and no query builder: worker threads load it, and each of them would pay for that.

/**
 * How long a write waits while another program holds the file's lock. Nothing else happens in this process meanwhile, so it is short; the write is
 * then refused as busy, and who asked tries again.
 */
const LOCK_WAIT_MS = 1000;

/** Opens a SQLite file with the settings that make acknowledged writes durable. `readOnly` connections see the last commit (WAL). */
export function openSqlite(file: string, { readOnly = false } = {}): DatabaseSync {
  if (!readOnly) mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { readOnly });
  if (!readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(`PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${LOCK_WAIT_MS}; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;`);
  // SQLite's own lower() knows ASCII only; names are not. PostgreSQL has a function of this name from the first migration.
  database.function('lower_text', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  return database;
}

/** Query parameters as SQLite takes them: flags as numbers. */
export function bindValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value === undefined ? null : (value as SQLInputValue)));
}

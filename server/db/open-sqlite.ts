import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { foldText, sortKey } from '../../schemas/kit/text/text-order.ts';

// @NOTE Imports no query builder and little of ours: worker threads load it, and each of them would pay for that.

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
  // SQLite's own lower() knows ASCII only; names are not. PostgreSQL has functions of these names.
  const functions = { lower_text: (text: string) => text.toLowerCase(), fold_text: foldText, sort_key: remember(sortKey) };
  for (const [name, change] of Object.entries(functions))
    database.function(name, { deterministic: true }, (text) => (typeof text === 'string' ? change(text) : text));
  return database;
}

const MAX_REMEMBERED = 1000;

/** The same function, faster where the same texts come again and again: the company's name in each row of its devices. */
function remember(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const changed = change(text);
    known.set(text, changed);
    return changed;
  };
}

/** Query parameters as SQLite takes them: flags as numbers. */
export function bindValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value === undefined ? null : (value as SQLInputValue)));
}

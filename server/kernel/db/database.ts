import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { HandleEmptyInListsPlugin, Kysely, PostgresDialect, replaceWithNoncontingentExpression, sql, type Dialect } from 'kysely';
import type pg from 'pg';
import { ConfigError } from '../../config.ts';
import { isDeadlock, postgresTools, sqliteTools, type DialectTools } from '../../db/dialect.ts';
import { openSqlite } from '../../db/open-sqlite.ts';
import { sqliteDialect } from '../../db/sqlite.ts';
import type { Db, Tables, Trx } from '../../db/schema.ts';
import { MINUTE } from '../clock.ts';
import { postgresLongReads } from './long-reads-postgres.ts';
import { sqliteLongReads } from './long-reads-sqlite.ts';
import type { LongReads } from './long-reads.ts';

/** Both ends of the database: `db` writes, `reads` sees the last commit and never waits for a writer. */
export interface Database extends AsyncDisposable {
  db: Db;
  reads: Db;
  /** Reads that may take long: exports, statistics, counts over everything. */
  longReads: LongReads;
  tools: DialectTools;
  /** The SQLite file, for worker threads that read on their own; undefined on PostgreSQL. */
  file: string | undefined;
  url: string | undefined;
}

const INT8 = 20;
const CONNECTIONS = 10;
const LONG_CONNECTIONS = 6;
const LONGEST_STATEMENT_MS = MINUTE;

/** `in` an empty list finds nothing on both databases; PostgreSQL would refuse the statement. */
const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
const openKysely = (dialect: Dialect): Db => new Kysely<Tables>({ dialect, plugins });

/** A connection that breaks while nothing runs on it is no fault of ours: the pool opens another one for the next query. */
function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  // Loaded here, so that an installation on SQLite does not pay for it.
  const { Pool, types } = createRequire(import.meta.url)('pg') as typeof pg;
  types.setTypeParser(INT8, Number);
  const pool = new Pool({ connectionString: url, ...options });
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** Opens the file; one that is damaged or no database is reported as such, not as an error of the library. */
function openFile(file: string): ReturnType<typeof openSqlite> {
  try {
    return openSqlite(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `DATA_DIR="${dirname(file)}": the database canopy.db cannot be used (${reason}). Check who may read and write it; when it is damaged, restore a back-up, or move the file away to start empty.`,
    );
  }
}

/** Opens PostgreSQL when a URL is given, else `canopy.db` in the data folder. Throws ConfigError for a file that is no database. */
export function openDatabase({ url, dataDir }: { url: string | undefined; dataDir: string }): Database {
  if (url) {
    const db = openKysely(new PostgresDialect({ pool: openPool(url, { max: CONNECTIONS }) }));
    // Connections of their own: what takes long never holds those that sign-ins need.
    const long = openKysely(
      new PostgresDialect({ pool: openPool(url, { max: LONG_CONNECTIONS, statement_timeout: LONGEST_STATEMENT_MS }) }),
    );
    return {
      db,
      reads: db,
      longReads: postgresLongReads(long),
      tools: postgresTools,
      file: undefined,
      url,
      async [Symbol.asyncDispose]() {
        await long.destroy();
        await db.destroy();
      },
    };
  }
  const file = join(dataDir, 'canopy.db');
  const db: Db = openKysely(sqliteDialect(openFile(file), () => assertOutside(db)));
  const longReads = sqliteLongReads(file);
  let reads: Db | undefined;
  return {
    db,
    longReads,
    tools: sqliteTools,
    file,
    url: undefined,
    // @NOTE Opened on first use: a read-only connection to a file without tables yet would fail.
    get reads() {
      reads ??= openKysely(sqliteDialect(openSqlite(file, { readOnly: true })));
      return reads;
    },
    async [Symbol.asyncDispose]() {
      await longReads[Symbol.asyncDispose]();
      await reads?.destroy();
      // Without them queries are slower, not wrong: a full disk must not keep the server from stopping.
      await updateStatistics(db).catch(() => undefined);
      await db.destroy();
    },
  };
}

/** A connection of its own that only reads, for a helper process. */
export interface OwnReads extends AsyncDisposable {
  reads: Db;
  tools: DialectTools;
}

/** Opens a second connection to a database that is open elsewhere; `statementMs` bounds each query on PostgreSQL. */
export function openOwnReads({ url, file = '' }: Pick<Database, 'url' | 'file'>, statementMs: number): OwnReads {
  const reads = openKysely(
    url === undefined
      ? sqliteDialect(openSqlite(file, { readOnly: true }))
      : new PostgresDialect({ pool: openPool(url, { max: 1, statement_timeout: statementMs }) }),
  );
  return { reads, tools: url === undefined ? sqliteTools : postgresTools, [Symbol.asyncDispose]: () => reads.destroy() };
}

/** Lets SQLite count the rows of tables that have grown much, by which it chooses among indexes. Takes a tenth of a second for 100,000 devices, once. */
export async function updateStatistics(db: Db): Promise<void> {
  const ALL_TABLES_THAT_NEED_IT = 0x1_00_02;
  await sql`pragma optimize = ${sql.lit(ALL_TABLES_THAT_NEED_IT)}`.execute(db);
}

type Effect = () => void | Promise<void>;
const afterCommitWork = new WeakMap<Trx, Effect[]>();

const ATTEMPTS = 5;

/** The transaction that the present call is within. */
const within = new AsyncLocalStorage<{ db: Db; isOver: boolean }>();

/** Throws where a query would wait for the transaction that waits for it: SQLite has one connection that writes. */
function assertOutside(db: Db): void {
  const open = within.getStore();
  if (open?.db === db && !open.isOver) throw new Error('a query on the outer connection inside a transaction: hand `trx` to it');
}

async function runWithin<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const open = { db, isOver: false };
  try {
    return await within.run(open, work);
  } finally {
    open.isOver = true;
  }
}

/**
 * Runs `work` in one transaction; side effects handed to `afterCommit` run once it is durable, and not at all when it fails. `work` runs again
 * when PostgreSQL ended it because it and another transaction waited for each other.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const attempt = async (left: number): Promise<{ result: T; effects: Effect[] }> => {
    const effects: Effect[] = [];
    try {
      const result = await db.transaction().execute(async (trx) => {
        afterCommitWork.set(trx, effects);
        return runWithin(db, () => work(trx));
      });
      return { result, effects };
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error;
      return attempt(left - 1);
    }
  };
  const { result, effects } = await attempt(ATTEMPTS - 1);
  for (const effect of effects) await effect();
  return result;
}

/** Keeps a side effect (a live event, a mail) until the transaction is committed. */
export function afterCommit(trx: Trx, effect: Effect): void {
  const effects = afterCommitWork.get(trx);
  if (!effects) throw new Error('afterCommit outside inTransaction');
  effects.push(effect);
}

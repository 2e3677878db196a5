import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, type Driver, type SqliteStatement } from 'kysely';
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

/** Lets one after the other have the connection, in the order in which they ask. */
function createQueue(): { enter(): Promise<void>; leave(): void } {
  let last = Promise.resolve();
  let leave = (): void => undefined;
  return {
    async enter() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      leave = resolve;
    },
    leave: () => leave(),
  };
}

/** Says that there are several connections, because Kysely would wait for the one before a driver could refuse. */
class QueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class GuardedDialect extends SqliteDialect {
  readonly #beforeUse: () => void;

  constructor(config: ConstructorParameters<typeof SqliteDialect>[0], beforeUse: () => void) {
    super(config);
    this.#beforeUse = beforeUse;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const release = driver.releaseConnection.bind(driver);
    const queue = createQueue();
    driver.acquireConnection = async (options) => {
      this.#beforeUse();
      await queue.enter();
      return acquire(options);
    };
    driver.releaseConnection = async (connection, options) => {
      await release(connection, options);
      queue.leave();
    };
    return driver;
  }

  override createAdapter(): SqliteAdapter {
    return new QueuedAdapter();
  }
}

/** Kysely's SQLite dialect over `node:sqlite`; statements are prepared once per text. What `beforeUse` throws, a query or a transaction throws. */
export function sqliteDialect(database: DatabaseSync, beforeUse: () => void = () => undefined): SqliteDialect {
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
  const connection = {
    close: () => database.close(),
    // SQLite has rolled back by itself when the disk is full; a second rollback would hide that error behind its own.
    prepare: (sql: string) => prepare(sql === 'rollback' && !database.isTransaction ? 'select 1 where false' : sql),
  };
  return new GuardedDialect({ database: connection }, beforeUse);
}

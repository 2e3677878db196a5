import { setImmediate } from 'node:timers/promises';
import { createAdapter } from '@socket.io/postgres-adapter';
import { sql } from 'kysely';
import pg from 'pg';
import type { Server } from 'socket.io';
import type { Context } from '../../context.ts';

const GATHER_MS = 40;

type ConnectDone = Parameters<pg.Pool['connect']>[0];

/** Carries what one server process publishes to the others, over PostgreSQL's LISTEN and NOTIFY. */
export interface Relay<Item> extends AsyncDisposable {
  send(item: Item): void;
}

/** A pool that knows which of its connections the adapter listens on: the one taken by hand; queries take theirs with a callback. */
class RelayPool extends pg.Pool {
  #listening: Promise<pg.PoolClient> | undefined;

  override connect(): Promise<pg.PoolClient>;
  override connect(done: ConnectDone): void;
  override connect(done?: ConnectDone): Promise<pg.PoolClient> | void {
    if (done) return super.connect(done);
    this.#listening = super.connect();
    return this.#listening;
  }

  /** Resolves when the adapter listens: it does so at once, and queries of one connection run in order. */
  async subscribed(): Promise<void> {
    const client = await this.#listening;
    await setImmediate();
    await client?.query('select 1');
  }
}

/** Joins the processes of one installation. Items are gathered, so that a burst is one notification. */
export async function openRelay<Item>(
  ctx: Context,
  io: Server,
  databaseUrl: string,
  receive: (items: Item[]) => void,
): Promise<Relay<Item>> {
  // Notifications longer than 8,000 bytes travel through this table, which the adapter expects.
  await sql`create table if not exists socket_io_attachments (id bigserial unique, created_at timestamptz default now(), payload bytea)`.execute(
    ctx.db,
  );
  const pool = new RelayPool({ connectionString: databaseUrl, max: 3 });
  pool.on('error', (error) => ctx.log.warn({ err: error }, 'the live channel lost its database connection'));
  io.adapter(
    createAdapter(pool, { errorHandler: (error) => ctx.log.warn({ err: error }, 'the live channel could not reach other servers') }),
  );
  // @NOTE A relay that is closed before its subscription is ready would keep the connection that it is waiting for.
  await pool.subscribed();
  io.on('canopy', (items: Item[]) => receive(items));
  let gathered: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    io.serverSideEmit('canopy', gathered);
    gathered = [];
  };
  return {
    send(item) {
      gathered.push(item);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await io.of('/').adapter.close();
      await pool.end();
    },
  };
}

import { createRequire } from 'node:module';
import type pg from 'pg';
import { ConfigError, shownUrl } from '../../config.ts';
import { SECOND } from '../clock.ts';

const CONNECT_WITHIN_MS = 10 * SECOND;

/** Throws ConfigError when nothing answers at this address, or refuses the user or the database. The pool of the server waits and tries again for ever. */
export async function requirePostgres(url: string): Promise<void> {
  const { Client } = createRequire(import.meta.url)('pg') as typeof pg;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message || String('code' in error && error.code) : String(error);
    throw new ConfigError(`DATABASE_URL="${shownUrl(url)}": PostgreSQL cannot be used (${reason}).`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

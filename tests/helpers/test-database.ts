import { copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { migrateToLatest } from '../../server/db/migrate.ts';
import { syncBuiltInRoles } from '../../server/kernel/auth/sync-roles.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { START_OF_TIME } from './test-clock.ts';

/** Where the database of one world is, ready to be opened. */
export interface TestDatabase {
  url: string | undefined;
  dataDir: string;
  remove(): Promise<void>;
}

/** Rounds of a test that tries many cases: half of them on PostgreSQL, where each takes longer and the rules were tried on SQLite already. */
export function roundsOf(rounds: number): number {
  return inject('databaseTemplate').serverUrl === undefined ? rounds : Math.ceil(rounds / 2);
}

const WORLDS_BYTES = 512 * 1024 ** 2;
let counter = 0;

/** The folder in memory when it has that much room, else the one for temporary files. */
export function findRoomyFolder(bytes: number): string {
  if (!existsSync('/dev/shm')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= bytes ? '/dev/shm' : tmpdir();
}

function newFolder(): string {
  return mkdtempSync(join(findRoomyFolder(WORLDS_BYTES), 'canopy-world-'));
}

async function prepare(url: string | undefined, dataDir: string): Promise<void> {
  await using database = openDatabase({ url, dataDir });
  await migrateToLatest(database.db, database.tools);
  await syncBuiltInRoles(database.db, database.tools, START_OF_TIME);
}

async function onServer(serverUrl: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database that was migrated once, for all tests of this run to copy; vitest's global setup provides it. */
export interface TestTemplate {
  /** Of PostgreSQL; undefined: SQLite. */
  serverUrl?: string;
  /** Its file, or what follows `create database <name>` to copy it. */
  source: string;
}

/** Makes the template of a run: in that PostgreSQL, else a file. */
export async function makeTestTemplate(serverUrl?: string): Promise<TestTemplate> {
  const folder = newFolder();
  if (serverUrl === undefined) {
    await prepare(undefined, folder);
    return { source: join(folder, 'canopy.db') };
  }
  const name = 'canopy_template';
  await onServer(serverUrl, `create database ${name}`);
  await prepare(urlOf(serverUrl, name), folder);
  rmSync(folder, { recursive: true, force: true });
  // From version 15 on there are two ways to copy; this one, the only one before, takes half the time.
  const hasStrategies =
    (await onServer(serverUrl, `select from pg_settings where name = 'server_version_num' and setting::int >= 150000`)).length > 0;
  return { serverUrl, source: `template ${name}${hasStrategies ? ' strategy file_copy' : ''}` };
}

/** Removes the file of a template; one in PostgreSQL goes with the server. */
export function removeTestTemplate({ serverUrl, source }: TestTemplate): void {
  if (serverUrl === undefined) rmSync(dirname(source), { recursive: true, force: true });
}

/** A database of its own for one test: a copy of one that was migrated once. PostgreSQL in the project `postgres`, else SQLite. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const { serverUrl, source } = inject('databaseTemplate');
  const dataDir = newFolder();
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (serverUrl === undefined) {
    copyFileSync(source, join(dataDir, 'canopy.db'));
    return { url: undefined, dataDir, remove: async () => removeFolder() };
  }
  counter += 1;
  const name = `canopy_world_${process.pid}_${counter}`;
  await onServer(serverUrl, `create database ${name} ${source}`);
  return {
    url: urlOf(serverUrl, name),
    dataDir,
    async remove() {
      removeFolder();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

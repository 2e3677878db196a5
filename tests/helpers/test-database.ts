import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const serverUrl = process.env['TEST_DATABASE_URL'];
let counter = 0;

function newFolder(): string {
  return mkdtempSync(join(memory, 'canopy-world-'));
}

async function prepare(url: string | undefined, dataDir: string): Promise<void> {
  await using database = openDatabase({ url, dataDir });
  await migrateToLatest(database.db, database.tools);
  await syncBuiltInRoles(database.db, database.tools, START_OF_TIME);
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(serverUrl ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

/** A database that was migrated once, for all tests of this run to copy: its name on the server of TEST_DATABASE_URL, else a file. */
export interface TestTemplate {
  source: string;
  remove(): Promise<void>;
}

/** Makes the template of a run; vitest's global setup provides its `source`. */
export async function makeTestTemplate(): Promise<TestTemplate> {
  const folder = newFolder();
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  if (!serverUrl) {
    await prepare(undefined, folder);
    return { source: join(folder, 'canopy.db'), remove: async () => removeFolder() };
  }
  const name = `canopy_template_${process.pid}`;
  await onServer(`drop database if exists ${name}`);
  await onServer(`create database ${name}`);
  await prepare(urlOf(name), folder);
  removeFolder();
  return { source: name, remove: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** A database of its own for one test: a copy of one that was migrated once. PostgreSQL when TEST_DATABASE_URL is set, else SQLite. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const source = inject('databaseTemplate');
  const dataDir = newFolder();
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (!serverUrl) {
    copyFileSync(source, join(dataDir, 'canopy.db'));
    return { url: undefined, dataDir, remove: async () => removeFolder() };
  }
  counter += 1;
  const name = `canopy_world_${process.pid}_${counter}`;
  await onServer(`create database ${name} template ${source}`);
  return {
    url: urlOf(name),
    dataDir,
    async remove() {
      removeFolder();
      await onServer(`drop database if exists ${name} with (force)`);
    },
  };
}

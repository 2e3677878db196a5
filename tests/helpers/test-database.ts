import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
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

async function makePostgresTemplate(): Promise<string> {
  const name = `canopy_template_${process.pid}`;
  const folder = newFolder();
  await onServer(`drop database if exists ${name}`);
  await onServer(`create database ${name}`);
  await prepare(urlOf(name), folder);
  rmSync(folder, { recursive: true, force: true });
  return name;
}

async function makeSqliteTemplate(): Promise<string> {
  const folder = newFolder();
  await prepare(undefined, folder);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'canopy.db');
}

let template: Promise<string> | undefined;

/** A database of its own for one test: a copy of one that was migrated once. PostgreSQL when TEST_DATABASE_URL is set, else SQLite. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  template ??= serverUrl ? makePostgresTemplate() : makeSqliteTemplate();
  const source = await template;
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

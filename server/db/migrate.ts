import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { ConfigError } from '../config.ts';
import type { Db } from './schema.ts';
import type { DialectTools } from './dialect.ts';
import { up as initial } from './migrations/001-initial.ts';
import { up as retention } from './migrations/002-retention.ts';
import { up as textOrder } from './migrations/003-text-order.ts';
import { up as companyNames } from './migrations/004-company-names.ts';
import { up as counting } from './migrations/005-counting.ts';
import { up as oneNotice } from './migrations/006-one-notice.ts';
import { up as flapping } from './migrations/007-flapping.ts';

/** Every step by its name, in their order. Once a version is tagged, its steps are never edited: a change of the schema is a step of its own. */
export const steps: Record<string, (db: Db, tools: DialectTools) => Promise<void>> = {
  '001-initial': initial,
  '002-retention': retention,
  '003-text-order': textOrder,
  '004-company-names': companyNames,
  '005-counting': counting,
  '006-one-notice': oneNotice,
  '007-flapping': flapping,
};

/**
 * Brings the database to the newest schema; answers whether it was empty. Throws with the step's name when one fails; the step is rolled back. Throws
 * ConfigError when a newer version has used the database, whose steps are unknown here, and for a file of another program: nothing is touched.
 */
export async function migrateToLatest(db: Db, tools: DialectTools): Promise<{ isNew: boolean }> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, up]): [string, Migration] => [name, { up: (step) => up(step, tools) }]),
  );
  const done = await stepsDone(db, tools);
  const unknown = done.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0)
    throw new ConfigError(
      `The database was used by a newer version of Canopy (step ${unknown.join(', ')}). Start that version, or restore a back-up from before.`,
    );
  if (done.length === Object.keys(steps).length) return { isNew: false };
  const { error, results } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  const failed = results?.find((result) => result.status === 'Error');
  if (error)
    throw new Error(
      `Database step ${failed?.migrationName ?? '(unknown)'} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  return { isNew: done.length === 0 };
}

async function stepsDone(db: Db, tools: DialectTools): Promise<string[]> {
  const tables = await listTables(db, tools);
  if (!tables.includes('kysely_migration')) {
    // A database of PostgreSQL may be shared with others.
    if (tables.length > 0 && tools.kind === 'sqlite')
      throw new ConfigError('The database canopy.db belongs to another program. Restore a back-up, or move the file away to start empty.');
    return [];
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** By one look into the catalogue: what Kysely asks to know a table's columns takes a third of a start on PostgreSQL. */
async function listTables(db: Db, tools: DialectTools): Promise<string[]> {
  const { rows } =
    tools.kind === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db)
      : await sql<{ name: string }>`select 'kysely_migration' as name where to_regclass('kysely_migration') is not null`.execute(db);
  return rows.map(({ name }) => name);
}

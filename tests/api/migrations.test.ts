import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { migrateToLatest, steps } from '../../server/db/migrate.ts';
import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import { sortKey } from '../../schemas/kit/text/text-order.ts';
import { syncBuiltInRoles } from '../../server/kernel/auth/sync-roles.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { makeCompany, makeDevice, makeRole, roleIdOf } from '../helpers/factories.ts';
import { testClock } from '../helpers/test-clock.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const OURS = /^(?!kysely_|sqlite_|socket_io_)/;

/** Every table with its columns, in the same words for both databases. */
async function columnsOf(world: World): Promise<string[]> {
  const tables = await world.ctx.db.introspection.getTables();
  return tables
    .filter((table) => OURS.test(table.name) && !/_search(_|$)/.test(table.name))
    .flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}${column.isNullable ? '' : ' not null'}`))
    .sort();
}

describe('the database schema', () => {
  test('is the one in schema.sql: a change to it shows as a difference here', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'canopy-schema-'));
    await using database = openDatabase({ url: undefined, dataDir: folder });
    await migrateToLatest(database.db, database.tools);
    const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where sql is not null and name not like 'kysely_%'
      and name not like 'sqlite_%' and name not like '%\\_search\\_%' escape '\\' order by type desc, name`.execute(database.db);
    rmSync(folder, { recursive: true, force: true });
    const text = `${rows
      .map(
        (row) =>
          `${row.sql
            .replace(/\s+/g, ' ')
            .replaceAll(' )', ')')
            .replace(/([(,]) ?(?=\w+ (?:integer|text|real))/g, '$1\n  ')};`,
      )
      .join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('schema.sql');
  });

  test('has the same tables, columns and required columns in the database at hand as in schema.sql', async () => {
    await using world = await makeWorld();
    const dump = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');
    for (const name of await columnsOf(world)) {
      const [table = '', column = ''] = name.replace(' not null', '').split('.');
      const definition = new RegExp(`create table "?${table}"? \\(([\\s\\S]*?)\\);`, 'i').exec(dump)?.[1] ?? '';
      expect([name, new RegExp(`\\b${column}"? `).test(definition)]).toEqual([name, true]);
    }
  });

  test('migrating again changes nothing', async () => {
    await using world = await makeWorld();
    const before = await columnsOf(world);
    await migrateToLatest(world.ctx.db, world.ctx.database.tools);
    expect(await columnsOf(world)).toEqual(before);
  });

  test('a failing step is named, and leaves the database as it was', async () => {
    await using world = await makeWorld();
    await world.ctx.db.deleteFrom('kysely_migration' as 'roles').execute();
    await expect(migrateToLatest(world.ctx.db, world.ctx.database.tools)).rejects.toThrow(
      /^Database step 001-initial failed: .*already exists/,
    );
    expect(await world.ctx.db.selectFrom('roles').select('id').execute()).toHaveLength(6);
  });
});

describe('a database of another version', () => {
  test('that a newer version has used is refused in words, and not touched [FT6 FT9]', async () => {
    await using world = await makeWorld();
    const { db, database } = world.ctx;
    const now = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) values ('999-from-the-future', ${now})`.execute(db);
    await expect(migrateToLatest(db, database.tools)).rejects.toThrow(/newer version of Canopy \(step 999-from-the-future\)/);
    expect(await db.selectFrom('roles').select('id').execute()).toHaveLength(6);
  });

  test('a file that is no database is refused in words, and left as it is [FT6]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'canopy-damaged-'));
    const text = 'This was a database once. '.repeat(400);
    writeFileSync(join(folder, 'canopy.db'), text);
    expect(() => openDatabase({ url: undefined, dataDir: folder })).toThrow(
      /^DATA_DIR="[^"]*": the database canopy\.db cannot be used .*restore a back-up/,
    );
    expect(readFileSync(join(folder, 'canopy.db'), 'utf8')).toBe(text);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a file of another program is refused in words, and left as it is [FT6]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'canopy-foreign-'));
    await using database = openDatabase({ url: undefined, dataDir: folder });
    await sql`create table invoices (id integer)`.execute(database.db);
    await expect(migrateToLatest(database.db, database.tools)).rejects.toThrow('canopy.db belongs to another program');
    expect((await database.db.introspection.getTables()).map(({ name }) => name)).toEqual(['invoices']);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['001-initial'])('one that stopped at %s comes to the newest schema with what is in it [FT9]', async (last) => {
    const folder = mkdtempSync(join(tmpdir(), 'canopy-older-'));
    await using database = openDatabase({ url: undefined, dataDir: folder });
    const { db, tools } = database;
    const migrations = Object.fromEntries(Object.entries(steps).map(([name, up]) => [name, { up: (step: typeof db) => up(step, tools) }]));
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(last);
    expect(error).toBeUndefined();
    await syncBuiltInRoles(db, tools, 1);
    const company = await makeCompany({ ctx: { db, clock: testClock() } }, { name: 'Fjordline' });
    await makeCompany({ ctx: { db, clock: testClock() } }, { name: 'Ålesund Straße' });
    await makeDevice({ ctx: { db, clock: testClock() } }, { company, name: 'Quay 4' });
    await db.updateTable('devices').set({ search_text: ' quay 4 straße' }).execute();
    await migrateToLatest(db, tools);
    expect(await db.selectFrom('devices').select(['name', 'company_id', 'name_key', 'search_text']).execute()).toEqual([
      { name: 'Quay 4', company_id: company.id, name_key: sortKey('Quay 4'), search_text: ' quay 4 strasse' },
    ]);
    expect(await db.selectFrom('companies').select('name').orderBy('id').execute()).toEqual([
      { name: 'Fjordline' },
      { name: 'Ålesund Straße' },
    ]);
    expect((await sql`select rowid from company_search where company_search match '"alesund strasse"'`.execute(db)).rows).toHaveLength(1);
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
    expect(rows).toEqual([{ integrity_check: 'ok' }]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('built-in roles', () => {
  test('hold what schemas/permissions.json says, also after it changes; custom roles stay', async () => {
    await using world = await makeWorld();
    const { db } = world.ctx;
    const custom = await makeRole(world, { permissions: ['view_tags'] });
    await db.deleteFrom('role_permissions').where('role_id', '=', roleIdOf('admin')).execute();
    await db
      .insertInto('role_permissions')
      .values({ role_id: roleIdOf('read_only'), permission: 'create_users' })
      .execute();
    await syncBuiltInRoles(db, world.ctx.database.tools, 1);
    for (const role of permissionsFile.roles) {
      const rows = await db.selectFrom('role_permissions').select('permission').where('role_id', '=', role.id).execute();
      const expected = permissionsFile.permissions
        .filter((permission) => permission.roles.includes(role.key))
        .map((permission) => permission.name);
      expect([role.key, rows.map((row) => row.permission).sort()]).toEqual([role.key, expected.sort()]);
    }
    expect(await db.selectFrom('role_permissions').select('permission').where('role_id', '=', custom.id).execute()).toEqual([
      { permission: 'view_tags' },
    ]);
  });
});

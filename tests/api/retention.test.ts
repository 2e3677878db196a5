import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { AGES, retentions, type AgeRule } from '../../server/db/retention.ts';
import type { TableName } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { ageCondition, ageRules, cleanTables } from '../../server/kernel/db/clean.ts';
import { makeDevice } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const NOT_OURS = /^(?:kysely_|sqlite_|socket_io_)|_search(?:_|$)/;

const columnsOf = async (world: World) =>
  new Map((await world.ctx.db.introspection.getTables()).map(({ name, columns }) => [name, columns] as const));

/** What makes a rule look at a row at all. */
const SETTLED: Partial<Record<TableName, Record<string, string | number>>> = {
  jobs: { state: 'finished' },
  mail_log: { status: 'sent' },
  remote_sessions: { ended_at: 1 },
  tag_runs: { state: 'started' },
};

let counter = 1000;

/** Writes a row of which only the rule's column is this old; the rows that it refers to need not be there. */
async function insertRow(world: World, table: TableName, rule: AgeRule, at: number): Promise<void> {
  const { db, database } = world.ctx;
  const columns = (await columnsOf(world)).get(table) ?? [];
  const otherTimes = new Set(
    ageRules().flatMap((other) => (other.table === table && other.rule.from !== rule.from ? [other.rule.from] : [])),
  );
  const isImpersonation = table === 'sessions' && rule.where === undefined;
  const values: Record<string, unknown> = { ...SETTLED[table], ...(isImpersonation ? { on_behalf_of: 1 } : {}), [rule.from]: at };
  for (const { name, dataType, isNullable, isAutoIncrementing } of columns) {
    counter += 1;
    if (isAutoIncrementing || name in values || isNullable) continue;
    if (otherTimes.has(name)) values[name] = world.clock.now() + 1000 * DAY;
    else values[name] = /int|real|double/i.test(dataType) ? counter : String(counter);
  }
  const names = Object.keys(values);
  await db.transaction().execute(async (trx) => {
    if (database.tools.kind === 'postgres') await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(Object.values(values))})`.execute(
      trx,
    );
  });
}

const countRows = async ({ ctx }: World, table: TableName): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(ctx.db);
  return Number(rows[0]?.n);
};

async function withoutForeignKeys(world: World, work: () => Promise<void>): Promise<void> {
  const isSqlite = world.ctx.database.tools.kind === 'sqlite';
  if (isSqlite) await sql`pragma foreign_keys = off`.execute(world.ctx.db);
  await work();
  if (isSqlite) await sql`pragma foreign_keys = on`.execute(world.ctx.db);
}

describe('every table says how long its rows live', () => {
  test('a table of the database that is not in server/db/retention.ts fails here, and one that is there alone as well [HN4]', async () => {
    await using world = await makeWorld();
    const tables = [...(await columnsOf(world)).keys()].filter((name) => !NOT_OURS.test(name)).sort();
    expect(Object.keys(retentions).sort()).toEqual(tables);
  });

  test('rows that live with others are deleted with them, and what else removes rows is there [HN4]', () => {
    const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');
    const wrong = Object.entries(retentions).filter(([table, retention]) => {
      if (retention.lives === 'until-done' || retention.lives === 'purged') return !existsSync(retention.by);
      const definition = new RegExp(`CREATE TABLE ${table} \\(([\\s\\S]*?)\\);`).exec(schema)?.[1] ?? '';
      return (
        retention.lives === 'with' &&
        !new RegExp(`references ${retention.owner} \\(\\w+\\) on delete cascade|job_id integer not null references`).test(definition)
      );
    });
    expect(wrong.map(([table]) => table)).toEqual([]);
  });

  test('docs/operations.md has the table of them [HN4]', () => {
    const lines = Object.entries(retentions).flatMap(([table, retention]) => {
      if (retention.lives !== 'aged') return [];
      const ages = [...new Set(retention.rules.map(({ age }) => AGES[age]))];
      const texts = ages.map((age) => ('setting' in age ? `\`${age.setting}\` (${age.text})` : age.text));
      return [`| \`${table}\` | ${texts.join(', ')} | ${[...new Set(retention.rules.map(({ from }) => `\`${from}\``))].join(', ')} |`];
    });
    const documented = readFileSync('docs/operations.md', 'utf8').replace(/ +/g, ' ').split('\n');
    expect(lines.filter((line) => !documented.includes(line))).toEqual([]);
  });
});

describe('cleaning', () => {
  test('deletes what is older than it is kept and nothing else, by every rule [HN4]', async () => {
    await using world = await makeWorld();
    const before = new Map<TableName, number>();
    await withoutForeignKeys(world, async () => {
      for (const { table, rule } of ageRules()) {
        const end = world.clock.now() - AGES[rule.age].ms(world.ctx.config);
        if (!before.has(table)) before.set(table, await countRows(world, table));
        await insertRow(world, table, rule, end - MINUTE);
        await insertRow(world, table, rule, end + HOUR);
      }
      await cleanTables(world.ctx);
    });
    for (const { table, rule } of ageRules()) {
      const { length: youngRows } = ageRules().filter((other) => other.table === table);
      expect([table, (await countRows(world, table)) - (before.get(table) ?? 0)]).toEqual([table, youngRows]);
      const { rows } = await sql`select 1 from ${sql.table(table)} where ${ageCondition(rule, world.ctx)}`.execute(world.ctx.db);
      expect([table, rule.from, rows]).toEqual([table, rule.from, []]);
    }
  });

  test('begins a minute after the start and goes on until nothing old is left, however much there is [HN4]', async () => {
    await using world = await makeWorld();
    const device = await makeDevice(world);
    const { db, clock } = world.ctx;
    const samples = Array.from({ length: 30_000 }, (_, index) => ({ device_id: device.id, metric: 'a', at: index, value: 1 }));
    const young = Array.from({ length: 50 }, (_, index) => ({ device_id: device.id, metric: 'a', at: clock.now() - index, value: 1 }));
    // All of one moment, as those of an hour of a fleet are.
    const hours = Array.from({ length: 8000 }, (_, index) => ({
      ...{ device_id: device.id, metric: `m${index}`, at: HOUR, readings: 1, lowest: 1, highest: 1, total: 1, last: 1 },
    }));
    for (let start = 0; start < samples.length; start += 2000)
      await db
        .insertInto('device_samples')
        .values(samples.slice(start, start + 2000))
        .execute();
    await db.insertInto('device_samples').values(young).execute();
    for (let start = 0; start < hours.length; start += 2000)
      await db
        .insertInto('device_hours')
        .values(hours.slice(start, start + 2000))
        .execute();
    await world.clock.advance(MINUTE);
    expect([await countRows(world, 'device_samples'), await countRows(world, 'device_hours')]).toEqual([50, 0]);
  });

  test('a table that cannot be cleaned is named in the log and keeps no other one from it [HN4]', async () => {
    await using world = await makeWorld();
    const rules = ageRules().filter(({ table }) => table === 'remote_sessions' || table === 'webhook_deliveries');
    expect(rules.map(({ table }) => table)).toEqual(['remote_sessions', 'webhook_deliveries']);
    await withoutForeignKeys(world, async () => {
      for (const { table, rule } of rules)
        await insertRow(world, table, rule, world.clock.now() - AGES[rule.age].ms(world.ctx.config) - MINUTE);
      await cleanTables(world.ctx, { remote_sessions: () => Promise.reject(new Error('EACCES: a recording')) });
    });
    expect([await countRows(world, 'remote_sessions'), await countRows(world, 'webhook_deliveries')]).toEqual([1, 0]);
    expect(world.log()).toMatch(/EACCES: a recording.*"table":"remote_sessions"|"table":"remote_sessions".*EACCES: a recording/);
  });

  test('of two servers each deletes what the other does not, and all of it goes [HN4]', async () => {
    await using world = await makeWorld();
    const device = await makeDevice(world);
    const rows = Array.from({ length: 6000 }, (_, index) => ({ device_id: device.id, name: `n${index}`, at: index, value: '1' }));
    for (let start = 0; start < rows.length; start += 2000)
      await world.ctx.db
        .insertInto('device_states')
        .values(rows.slice(start, start + 2000))
        .execute();
    const counts = await Promise.all([cleanTables(world.ctx), cleanTables(world.ctx)]);
    expect([counts[0] + counts[1], await countRows(world, 'device_states')]).toEqual([6000, 0]);
  });

  test('finds old rows of each table by an index [HN4]', async () => {
    await using world = await makeWorld();
    const { db, database } = world.ctx;
    const scans: string[] = [];
    for (const { table, rule } of ageRules()) {
      // The planner of PostgreSQL takes any of several indexes of an empty table, so there the index itself is looked for.
      const query =
        database.tools.kind === 'postgres'
          ? sql`select indexdef from pg_indexes where tablename = ${table}`
          : sql`explain query plan select 1 from ${sql.table(table)} where ${ageCondition(rule, world.ctx)} limit 100`;
      const { rows } = await query.execute(db);
      const found = rows.map((row) => JSON.stringify(row)).join(' ');
      const expected = database.tools.kind === 'postgres' ? `\\([^)]*\\b${rule.from}\\b` : 'SEARCH .* (?:COVERING )?INDEX';
      if (!new RegExp(expected).test(found)) scans.push(`${table}.${rule.from}: ${found}`);
    }
    expect(scans).toEqual([]);
  });
});

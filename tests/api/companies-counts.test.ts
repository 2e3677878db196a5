import { describe, expect, test } from 'vitest';
import type { Changes } from '../../server/db/schema.ts';
import { recordDays } from '../../server/features/companies/days.ts';
import { afterCommit, inTransaction } from '../../server/kernel/db/database.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('counts of a tree', () => {
  test('are exact after devices and people come, change their company and go, also with their account', async () => {
    await using world = await makeWorld();
    const { db } = world.ctx;
    const { top, middle, sibling, bottom } = await makeTree(world);
    const [moved, removed] = [await makeDevice(world, { company: bottom }), await makeDevice(world, { company: bottom })];
    await makeDevice(world, { company: middle });
    const person = await makeUser(world, { company: bottom });
    await makeUser(world, { company: sibling });
    await db.updateTable('devices').set({ company_id: sibling.id }).where('id', '=', moved.id).execute();
    await db.deleteFrom('devices').where('id', '=', removed.id).execute();
    await db.deleteFrom('users').where('id', '=', person.id).execute();
    const admin = await as(world, 'admin', { company: top });
    const node = async (id: number) => (await admin.get('/companies/tree', { id })).data[0];
    expect(await node(sibling.id)).toMatchObject({ devices_count: 1, users_count: 1, devices_below: 1, users_below: 1 });
    expect(await node(middle.id)).toMatchObject({ devices_count: 1, users_count: 0, devices_below: 1, users_below: 0 });
    expect(await node(top.id)).toMatchObject({ devices_count: 0, users_count: 1, devices_below: 2, users_below: 2 });
    await admin.post('/companies/move', { source: bottom.id, target: sibling.id });
    expect((await admin.get('/companies/tree', { id: sibling.id })).data).toMatchObject([{ devices_below: 1, users_below: 1 }]);
  });
});

test('the list of companies says how many devices each has with all below it, and how many are online', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, sibling } = await makeTree(world);
  await makeDevice(world, { company: bottom, status: 1 });
  await makeDevice(world, { company: bottom, status: 0 });
  await makeDevice(world, { company: sibling, status: 1 });
  const other = await makeCompany(world);
  await makeDevice(world, { company: other, status: 1 });
  const rows = (await (await as(world, 'admin', { company: top })).get('/companies')).data as { id: number }[];
  const of = (id: number) => rows.find((row) => row.id === id);
  expect(of(top.id)).toMatchObject({ devices_below: 3, online_below: 2 });
  expect(of(middle.id)).toMatchObject({ devices_below: 2, online_below: 1 });
  expect(of(sibling.id)).toMatchObject({ devices_below: 1, online_below: 1 });
  expect(of(other.id)).toBeUndefined();
});

test('lists show the exact number of each status after devices come, change their status and company, and go', async () => {
  await using world = await makeWorld();
  const { db } = world.ctx;
  const { top, middle, bottom, sibling } = await makeTree(world);
  const device = (company: { id: number }, status: 0 | 1 | 2 | null) => makeDevice(world, { company, status });
  const [online, moved, removed] = [await device(bottom, 1), await device(bottom, 1), await device(middle, 0)];
  const [waiting, unused] = [await device(sibling, 2), await device(sibling, null)];
  await device(middle, 1);
  const change = (id: number, values: Changes<'devices'>) => db.updateTable('devices').set(values).where('id', '=', id).execute();
  await change(online.id, { status: 0 });
  await change(moved.id, { company_id: sibling.id });
  await change(waiting.id, { status: 1, company_id: top.id });
  await change(unused.id, { status: null });
  await db.deleteFrom('devices').where('id', '=', removed.id).execute();
  const admin = await as(world, 'admin', { company: top });
  const totals = async (query: Record<string, string | number>): Promise<number[]> => {
    const filters = [
      {},
      { status: 'online' },
      { status: 'offline' },
      { status: 'pending' },
      { status: 'not_activated' },
      { 'ne:status': 'online' },
    ];
    const answers = await Promise.all(filters.map((filter) => admin.get('/devices', { ...query, ...filter, limit: 1 })));
    return answers.map(({ meta }) => Number(meta['total']));
  };
  expect(await totals({})).toEqual([5, 3, 1, 0, 1, 2]);
  expect(await totals({ company_id: middle.id })).toEqual([2, 1, 1, 0, 0, 1]);
  expect(await totals({ company_id: sibling.id })).toEqual([2, 1, 0, 0, 1, 1]);
  await admin.delete(`/companies/${sibling.id}`);
  expect(await totals({})).toEqual([3, 2, 1, 0, 0, 1]);
});

test('programs are counted as people neither in the list, nor in the tree, nor by day', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await makeUser(world, { company: middle });
  const role = await world.ctx.db.selectFrom('roles').select('id').where('name', '=', 'read_only').executeTakeFirstOrThrow();
  expect((await admin.post('/service-accounts', { name: 'Robot', company_id: middle.id, role_id: role.id })).status).toBe(201);
  expect((await admin.get(`/companies/${middle.id}`)).data.users_count).toBe(1);
  expect((await admin.get('/companies/tree', { id: middle.id })).data).toMatchObject([{ users_count: 1, users_below: 1 }]);
  expect((await admin.get('/companies/tree', { id: top.id })).data).toMatchObject([{ users_count: 1, users_below: 2 }]);
  await recordDays(world.ctx);
  const day = await world.ctx.db.selectFrom('company_days').selectAll().where('company_id', '=', middle.id).executeTakeFirstOrThrow();
  expect(day.users).toBe(1);
});

describe('transactions that wait for each other', () => {
  test('two that move the same devices in opposite order both get through, and their events come once', async () => {
    await using world = await makeWorld();
    const { db } = world.ctx;
    const { middle, sibling, bottom } = await makeTree(world);
    const [one, other] = [await makeDevice(world, { company: bottom }), await makeDevice(world, { company: bottom })];
    // On PostgreSQL each first attempt holds one device and waits until the other holds the second one; SQLite has one writer at a time.
    const holding = Promise.withResolvers<void>();
    const counter = { started: 0, events: 0 };
    const move = (ids: readonly number[], companyId: number) =>
      inTransaction(db, async (trx) => {
        afterCommit(trx, () => void (counter.events += 1));
        for (const id of ids) {
          await trx.updateTable('devices').set({ company_id: companyId }).where('id', '=', id).execute();
          counter.started += 1;
          if (counter.started >= 2 || world.ctx.database.tools.kind === 'sqlite') holding.resolve();
          await holding.promise;
        }
      });
    await Promise.all([move([one.id, other.id], middle.id), move([other.id, one.id], sibling.id)]);
    const companies = await db.selectFrom('devices').select('company_id').distinct().execute();
    expect(companies).toHaveLength(1);
    expect(counter.events).toBe(2);
  });
});

describe('free text', () => {
  test('finds companies and people by parts of any length, upper and lower case alike in every script, and wildcard characters as themselves', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const company = await makeCompany(world, { parent: top, name: 'ÅLESUND "Ferry" 100%' });
    const admin = await as(world, 'admin', { company: top });
    for (const q of ['ålesund', 'ÅL', 'ål', '"ferry"', '0%', '100%'])
      expect([q, (await admin.get('/companies', { q })).data.map((row: { id: number }) => row.id)]).toEqual([q, [company.id]]);
    for (const q of ['%', 'ferry*', 'ålesund ferry', '10_']) {
      const { data } = await admin.get('/companies', { q });
      expect([q, data.length]).toEqual([q, q === '%' ? 1 : 0]);
    }
    await admin.put(`/companies/${company.id}`, { name: 'Їжак' });
    expect((await admin.get('/companies', { q: 'їжа' })).data).toMatchObject([{ name: 'Їжак' }]);
    expect((await admin.get('/companies', { q: 'ålesund' })).data).toEqual([]);
    const person = await makeUser(world, { company: top });
    await world.ctx.db
      .updateTable('users')
      .set({ username: 'Øyvind Ås', email: 'oyvind@fleet.example' })
      .where('id', '=', person.id)
      .execute();
    for (const q of ['øyvind', 'ÅS', 'VIND@fleet'])
      expect([q, (await admin.get('/users', { q })).data]).toMatchObject([q, [{ username: 'Øyvind Ås' }]]);
    // Nothing is found across the name and the address.
    expect((await admin.get('/users', { q: 'ås oyvind' })).data).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, wireTime } from '../../server/kernel/clock.ts';
import { isLoopback } from '../../server/features/home/first-steps.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTree } from '../helpers/factories.ts';
import { answer, reboot, startJob } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const GIGABYTE = 1024 ** 3;
const names = (part: { rows: { name: string }[] }) => part.rows.map(({ name }) => name);

let world: World;
let tree: Awaited<ReturnType<typeof makeTree>>;
let admin: Caller;
beforeAll(async () => {
  world = await makeWorld();
  tree = await makeTree(world);
  admin = await as(world, 'admin', { company: tree.top });
});
afterAll(() => world[Symbol.asyncDispose]());

/** What the start page says to somebody. */
async function attentionOf(caller: Caller) {
  const { data } = await caller.get('/home');
  return data.attention;
}

async function addDisconnects(device: { id: number; company_id: number }, count: number): Promise<void> {
  const at = world.clock.now() - MINUTE;
  const event = { device_id: device.id, company_id: device.company_id, at, type: 'disconnected', level: 'warning', message: '' } as const;
  await world.ctx.db
    .insertInto('device_events')
    .values(Array.from({ length: count }, () => event))
    .execute();
}

test('devices that are offline come the longest first, with how their connection ended; five of them, and the number of all', async () => {
  const now = world.clock.now();
  for (let hours = 1; hours <= 6; hours += 1)
    await makeDevice(world, { company: tree.middle, name: `off ${hours}`, status: 0, status_changed_at: now - hours * 60 * MINUTE });
  const lost = await makeDevice(world, { company: tree.top, name: 'lost', status: 0, status_changed_at: now - 2 * DAY });
  await makeDevice(world, { company: tree.foreign, name: 'foreign', status: 0, status_changed_at: 1 });
  await addDisconnects(lost, 1);
  const { offline } = await attentionOf(admin);
  expect(offline.count).toBe(7);
  expect(names(offline)).toEqual(['lost', 'off 6', 'off 5', 'off 4', 'off 3']);
  expect(offline.rows[0]).toMatchObject({
    company_name: 'Top',
    since: wireTime(now - 2 * DAY),
    ended: 'silent',
    code: null,
    last_kind: null,
  });
});

test('a device that disconnected three times within an hour is unstable', async () => {
  const [often, twice] = [
    await makeDevice(world, { company: tree.bottom, name: 'often' }),
    await makeDevice(world, { company: tree.bottom, name: 'twice' }),
  ];
  await addDisconnects(often, 3);
  await addDisconnects(twice, 2);
  const { flapping } = await attentionOf(admin);
  expect(flapping).toMatchObject({ count: 1, rows: [{ name: 'often', disconnects: 3 }] });
});

test('a device in quarantine is there, and is not called offline as well', async () => {
  await makeDevice(world, { company: tree.sibling, name: 'twin', status: 0, quarantine: 'duplicate_serial' });
  const sibling = await as(world, 'admin', { company: tree.sibling });
  const { offline, quarantine } = await attentionOf(sibling);
  expect([offline.count, quarantine.count, names(quarantine)]).toEqual([0, 1, ['twin']]);
});

test('what runs out: data of a month, and a device whose credit ends', async () => {
  const fleet = await as(world, 'admin', { company: tree.bottom });
  const device = await makeDevice(world, { company: tree.bottom, name: 'talker' });
  const day = Math.floor(world.clock.now() / DAY) * DAY;
  const { db } = world.ctx;
  await db.insertInto('device_data_limits').values({ device_id: device.id, limit_bytes: GIGABYTE, starts_on: 1 }).execute();
  await db
    .insertInto('device_traffic')
    .values({ device_id: device.id, day, sim: 1, sent: 0, received: 0.5 * GIGABYTE })
    .execute();
  expect((await attentionOf(fleet)).running_out.count).toBe(0);
  await db
    .updateTable('device_traffic')
    .set({ received: Math.round(0.9 * GIGABYTE) })
    .where('device_id', '=', device.id)
    .execute();
  const { running_out: data } = await attentionOf(fleet);
  expect(data).toMatchObject({ count: 1, rows: [{ kind: 'data', name: 'talker', limit_bytes: GIGABYTE }] });
  const ends_at = world.clock.now() + 3 * DAY;
  const credit = { device_id: device.id, service: 'management', credit_type_id: 1, state: 'running', company_id: tree.bottom.id } as const;
  await db
    .insertInto('device_credits')
    .values({ ...credit, credit_expires_at: null, auto_extend: 0, starts_at: 1, ends_at, updated_at: 1 })
    .execute();
  expect((await attentionOf(fleet)).running_out.rows).toMatchObject([{ kind: 'data' }, { kind: 'device_credit', at: wireTime(ends_at) }]);
});

test('the parts that somebody may not see are null, and the first steps are those that they can take', async () => {
  const role = await makeRole(world, { permissions: ['view_device_actions'] });
  const watcher = await as(world, role, { company: tree.top });
  const { data } = await watcher.get('/home');
  expect(data.attention).toMatchObject({ offline: null, flapping: null, quarantine: null, running_out: null });
  expect(data.attention.failed_jobs).toEqual({ count: expect.any(Number), rows: expect.any(Array) });
  expect(data.first_steps).toEqual({ address: null, mail: null, factor: false, device: null, colleague: null });
  const root = await as(world, 'super_admin', { company: tree.top });
  expect((await root.get('/home')).data.first_steps).toEqual({ address: false, mail: false, factor: false, device: true, colleague: true });
});

test('a role sets the start page of its holders, and their profile says so', async () => {
  const made = await admin.post('/roles', { title: 'Watch', company_id: [tree.top.id], start_page: 'home', permission_id: [] });
  const [{ id }] = made.data;
  expect((await admin.get(`/roles/${id}`)).data.start_page).toBe('home');
  await admin.put(`/roles/${id}`, { title: 'Watch', start_page: 'devices' });
  const row = await world.ctx.db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const holder = await as(world, row, { company: tree.top });
  expect((await holder.get('/user')).data.start_page).toBe('devices');
  expect((await admin.get('/user')).data.start_page).toBe('last');
});

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://localhost', true],
  ['http://[::1]:80', true],
  [undefined, true],
  ['https://fleet.example.org', false],
])('whether %s leads only to the machine itself: %s', (url, is) => {
  expect(isLoopback(url)).toBe(is);
});

test('a job with failures is there until somebody starts it again for them, or a week has passed', async () => {
  const device = await makeDevice(world, { company: tree.middle });
  const caller = await as(world, 'admin', { company: tree.middle });
  const { meta } = await startJob(world, caller, '/devices/actions', reboot([device]));
  await answer(world, device, { state: 'failed', message: 'no' });
  expect((await attentionOf(caller)).failed_jobs).toMatchObject({ count: 1, rows: [{ id: meta['job_id'], kind: 'reboot', total: 1 }] });
  const again = await startJob(world, caller, `/jobs/${meta['job_id']}/retry`, {});
  expect((await attentionOf(caller)).failed_jobs.count).toBe(0);
  await answer(world, device, { state: 'failed', message: 'no' });
  expect((await attentionOf(caller)).failed_jobs.rows).toMatchObject([{ id: again.meta['job_id'] }]);
  await world.clock.jump(8 * DAY);
  expect((await attentionOf(await as(world, 'admin', { company: tree.middle }))).failed_jobs.count).toBe(0);
});

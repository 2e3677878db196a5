import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { BALANCED, sums } from '../helpers/credits.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeEntry, openSocket, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const GIGABYTE = 1024 ** 3;
const SECOND = 1000;

let echo: Service;
beforeAll(async () => {
  echo = await startService();
});
afterAll(() => echo[Symbol.asyncDispose]());

async function start(resources: boolean): Promise<World> {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  const world = await makeWorld({ listen: true, config: { remote, hasResources: resources } });
  registerPipe(world, 'telnet');
  return world;
}

async function setUp(world: World) {
  const company = await makeCompany(world);
  const root = await as(world, 'super_admin', { company });
  const device = await makeDevice(world, { company, status: 1, activated_at: world.clock.now() });
  const entry = await makeEntry(root, { device_id: device.id, port: echo.port });
  return { company, root, device, entry };
}

const dataOf = async (root: Caller, company: { id: number }): Promise<number> =>
  (await root.get('/credits/holdings', { id: company.id })).data[0].remaining_data;
const packOf = (world: World, device: { id: number }) =>
  world.ctx.db.selectFrom('device_credits').select('bytes_left').where('device_id', '=', device.id).executeTakeFirst();

/** Opens a session, ends it, and lets it have carried so many bytes each way. */
async function carry(world: World, root: Caller, entry: number, bytes: number): Promise<number> {
  const { data } = await root.post(`/devices/connect/${entry}`, { duration: 600 });
  const browser = await openSocket(world, root, data.url);
  browser.socket.send('hello');
  await browser.until('hello');
  browser.socket.close();
  await browser.closed;
  const row = () => world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow();
  await expect.poll(async () => (await row()).ended_at).not.toBeNull();
  await world.ctx.db.updateTable('remote_sessions').set({ bytes_in: bytes, bytes_out: bytes }).where('id', '=', data.id).execute();
  await world.clock.advance(10 * SECOND);
  return data.id;
}

describe('bytes of remote sessions', () => {
  test('are taken off the data of the company of the device, once, in a ledger that stays in order', async () => {
    await using world = await start(true);
    const { company, root, entry } = await setUp(world);
    const id = await carry(world, root, entry, GIGABYTE);
    expect(await dataOf(root, company)).toBe(3 * GIGABYTE);
    await world.clock.advance(60 * SECOND);
    expect(await dataOf(root, company)).toBe(3 * GIGABYTE);
    const session = await world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(session.bytes_charged).toBe(2 * GIGABYTE);
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('are taken off the data pack of the device first, and only then off company data', async () => {
    await using world = await start(true);
    const { company, root, device, entry } = await setUp(world);
    await root.post('/credits', { credit_type_id: 14, credit_count: 1, company_id: company.id, credit_price: 1, pro_form_nr: 'PF-1' });
    await root.put('/devices/credit', { device_id: [device.id], credit_enabled: true, credit_type_id: 14, auto_extend_credit: false });
    await expect.poll(async () => (await packOf(world, device))?.bytes_left).toBe(150 * GIGABYTE);
    await carry(world, root, entry, GIGABYTE);
    expect(await packOf(world, device)).toEqual({ bytes_left: 148 * GIGABYTE });
    await world.clock.advance(60 * SECOND);
    expect(await dataOf(root, company)).toBe(5 * GIGABYTE);
    await carry(world, root, entry, 75 * GIGABYTE);
    expect(await packOf(world, device)).toEqual({ bytes_left: 0 });
    expect(await dataOf(root, company)).toBe(3 * GIGABYTE);
    expect((await root.get('/remote/terms', { entry })).data).toMatchObject({
      company_name: company.name,
      cost: { pack_bytes: 0, company_bytes: 3 * GIGABYTE },
    });
  });

  test('end an open session once nothing is left, and the next one is refused by name of the company', async () => {
    await using world = await start(true);
    const { company, root, entry } = await setUp(world);
    const { data } = await root.post(`/devices/connect/${entry}`, { duration: 600 });
    const browser = await openSocket(world, root, data.url);
    browser.socket.send('hello');
    await browser.until('hello');
    await world.ctx.db
      .updateTable('remote_sessions')
      .set({ bytes_charged: -6 * GIGABYTE })
      .where('id', '=', data.id)
      .execute();
    await world.clock.advance(10 * SECOND);
    expect(await browser.closed).toEqual({ code: 4000, reason: 'no-data' });
    expect(await dataOf(root, company)).toBe(0);
    const refused = await root.post(`/devices/connect/${entry}`, { duration: 600 });
    expect(refused).toMatchObject({ status: 409, codes: ['REMOTE_NO_DATA'] });
    expect(refused.errors[0]?.message).toContain(company.name);
  });

  test('cost nothing where the installation is without resources', async () => {
    await using world = await start(false);
    const { root, entry } = await setUp(world);
    expect((await root.get('/remote/terms', { entry })).data.cost).toBeNull();
    const id = await carry(world, root, entry, 6 * GIGABYTE);
    const session = await world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(session.bytes_charged).toBeNull();
    expect(await world.ctx.db.selectFrom('credit_entries').selectAll().execute()).toEqual([]);
    await carry(world, root, entry, 6 * GIGABYTE);
  });
});

test('what a session will cost is said to those who may open it only', async () => {
  await using world = await start(true);
  const { company, entry, device } = await setUp(world);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get('/remote/terms', { entry })).codes).toEqual(['NOT_FOUND']);
  expect((await stranger.get('/remote/terms', { device: device.id })).codes).toEqual(['NOT_FOUND']);
  const admin = await as(world, 'admin', { company });
  expect((await admin.get('/remote/terms', { device: device.id })).data).toMatchObject({ device_name: device.name });
  expect((await admin.get('/remote/terms', { link: 9_999_999 })).codes).toEqual(['REMOTE_LINK_INVALID']);
});

test('a VPN hub uses the data of its company, and is turned off with the reason when none is left', async () => {
  await using world = await start(true);
  const { company, root } = await setUp(world);
  const made = await root.post('/vpn/hubs', {
    company_id: company.id,
    name: 'Quay',
    endpoint: 'vpn.example',
    port: 51820,
    ip: '10.77.0.0',
    netmask: '255.255.255.0',
  });
  const id = made.data?.id as number;
  await world.ctx.db
    .updateTable('vpn_hubs')
    .set({ bytes_used: 2 * GIGABYTE })
    .where('id', '=', id)
    .execute();
  await world.clock.advance(60 * SECOND);
  expect(await dataOf(root, company)).toBe(3 * GIGABYTE);
  expect((await root.get(`/vpn/hubs/${id}`)).data).toMatchObject({ enabled: 1, disabled_on_company_data_used: 0 });
  await world.ctx.db
    .updateTable('vpn_hubs')
    .set({ bytes_used: 20 * GIGABYTE })
    .where('id', '=', id)
    .execute();
  await world.clock.advance(120 * SECOND);
  expect(await dataOf(root, company)).toBe(0);
  expect((await root.get(`/vpn/hubs/${id}`)).data).toMatchObject({ enabled: 0, disabled_on_company_data_used: 1 });
});

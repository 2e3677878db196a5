import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const MINUTE = 60_000;
const clientsOf = async (hub: number) => (await admin.get('/vpn/hubs/users', { vpn_hub_id: hub, sort: 'ip' })).data;

test('a quick hub joins its maker and one device with the chosen hosts, and is gone by itself', async () => {
  const device = await makeDevice(world, { company, name: 'ferry' });
  const made = await admin.post('/vpn/hubs/connect', {
    company_id: company.id,
    hub_name: 'Engine',
    hub_zone: 'local',
    endpoint: { device_id: device.id, routes: [{ ip: '192.168.1.20', name: 'PLC', netmask: '255.255.255.255' }] },
    duration: 30,
  });
  expect(made).toMatchObject({ status: 201, meta: { channel: expect.stringMatching(/^jobs\.\d+$/) } });
  const hub = made.data.id;
  const [far, near] = await clientsOf(hub);
  expect([far, near]).toMatchObject([
    { type: 'device', object_id: device.id, forward_lan: 1, sync_state: 'waiting' },
    { type: 'user', state: 'no_profile' },
  ]);
  const reach = async (from: number, ip_address: string) => (await admin.get(`/vpn/hubs/users/${from}/reach`, { ip_address })).data.reaches;
  expect([await reach(near.id, '192.168.1.20'), await reach(near.id, '192.168.1.21'), await reach(far.id, near.ip)]).toEqual([
    true,
    false,
    false,
  ]);
  expect((await admin.get(`/vpn/quick-hubs/${hub}/routes`)).data).toMatchObject([{ ip: '192.168.1.20', name: 'PLC' }]);
  expect((await admin.get('/vpn/quick-hubs')).data).toMatchObject([{ id: hub, device_name: 'ferry' }]);
  expect((await admin.get('/vpn/hubs')).data).toEqual([]);
  await world.clock.jump(31 * MINUTE);
  admin = await as(world, 'admin', { company });
  expect((await admin.get(`/vpn/hubs/${hub}`)).data).toMatchObject({ enabled: 0, disabled_reason: 'expired', disabled_because_expired: 1 });
  await world.clock.jump(25 * 60 * MINUTE);
  admin = await as(world, 'admin', { company });
  expect((await admin.get(`/vpn/hubs/${hub}`)).status).toBe(404);
});

test('a rule between groups holds for clients with these tags, their own or those of their device', async () => {
  const hub = (await admin.post('/vpn/hubs', { name: 'Groups', vpn_type: 'tun' })).data.id;
  const [crew, plant] = [await makeTag(world, { company }), await makeTag(world, { company })];
  const client = async (username: string) => (await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub, username })).data.id;
  const [one, other] = [await client('one'), await client('other')];
  const rule = await admin.post('/vpn/hubs/rules', { vpn_hub_id: hub, from_tag_id: crew.id, to_tag_id: plant.id });
  expect(rule.status).toBe(201);
  const ways = async () => (await admin.get(`/vpn/hubs/${hub}/reach`)).data;
  expect(await ways()).toEqual([]);
  await admin.put(`/vpn/hubs/users/${one}/tags`, { tag_id: [crew.id] });
  await admin.put(`/vpn/hubs/users/${other}/tags`, { tag_id: [plant.id] });
  expect(await ways()).toEqual([{ from: one, to: [other] }]);
  expect(
    (await admin.post('/vpn/hubs/rules', { vpn_hub_id: hub, from_tag_id: crew.id, from_client_id: one, to_tag_id: plant.id })).status,
  ).toBe(400);
  await admin.put(`/vpn/hubs/users/${one}/tags`, { tag_id: [] });
  expect(await ways()).toEqual([]);
});

test('a profile of OpenVPN is shown once and has all that a client needs; certificates say when they expire', async () => {
  const { id: hub } = (await admin.post('/vpn/hubs', { name: 'Certificates', vpn_type: 'tap' })).data;
  const client = (await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub, username: 'one' })).data.id;
  const { data } = await admin.post(`/vpn/hubs/users/${client}/new-profile`, {});
  expect(data.name).toBe('Certificates-one.ovpn');
  for (const part of ['ca', 'cert', 'key', 'tls-crypt']) expect(data.text).toMatch(new RegExp(`<${part}>\\n[\\s\\S]+\\n</${part}>`));
  const key = /<key>\n([\s\S]+?)\n<\/key>/.exec(data.text)?.[1]?.split('\n')[1] ?? '-';
  const kept = [
    await world.ctx.db.selectFrom('vpn_clients').selectAll().execute(),
    await world.ctx.db.selectFrom('audit').selectAll().execute(),
  ];
  expect(JSON.stringify(kept)).not.toContain(key);
  expect((await clientsOf(hub))[0]).toMatchObject({ state: 'ready', expiry: 'fine' });
  expect((await admin.get(`/vpn/hubs/${hub}`)).data).toMatchObject({ run_state: 'configuration', ca_crt_expire_at: expect.any(String) });
  await admin.post(`/vpn/hubs/users/${client}/new-profile`, {});
  expect(await world.ctx.db.selectFrom('vpn_revoked').select('serial').where('vpn_hub_id', '=', hub).execute()).toHaveLength(1);
});

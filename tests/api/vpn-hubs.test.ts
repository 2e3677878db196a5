import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeUser } from '../helpers/factories.ts';
import { programOf } from '../helpers/program.ts';
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

let number = 0;
async function makeHub(given: object = {}): Promise<number> {
  number += 1;
  const body = {
    company_id: company.id,
    name: `Hub ${number}`,
    endpoint: 'vpn.example',
    port: 51820,
    ip: '10.77.0.0',
    netmask: '255.255.255.0',
  };
  const answer = await admin.post('/vpn/hubs', { ...body, ...given });
  expect(answer.status).toBe(201);
  return answer.data.id;
}
async function addClient(hub: number, username: string): Promise<number> {
  const answer = await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub, username });
  expect(answer.status).toBe(201);
  return answer.data.id;
}
const allow = (hub: number, from: number, to: number) =>
  admin.post('/vpn/hubs/rules', { vpn_hub_id: hub, from_client_id: from, to_client_id: to });
const reach = async (from: number, ip: string) => (await admin.get(`/vpn/hubs/users/${from}/reach`, { ip_address: ip })).data;
const addRoute = (hub: number, client: number, ip_address: string, netmask = '255.255.255.0') =>
  admin.post('/vpn/hubs/routes', { vpn_hub_id: hub, vpn_hub_user_id: client, ip_address, netmask });
const configurationOf = async (hub: number) => (await admin.post(`/vpn/hubs/${hub}/configuration`, {})).text;
const clientsOf = async (hub: number) => (await admin.get('/vpn/hubs/users', { vpn_hub_id: hub, sort: 'ip' })).data;
const publicOf = (text: string): string => {
  const d = /PrivateKey = (\S+)/.exec(text)?.[1] ?? '';
  const raw = Buffer.from('302e020100300506032b656e04220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([raw, Buffer.from(d, 'base64')]), format: 'der', type: 'pkcs8' });
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
};

test('a client has no name that a program could take for an option or a folder [HN14]', async () => {
  for (const username of ['--up', '-', '..', '.', '.ssh'])
    expect(await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: 1, username })).toMatchObject({
      status: 400,
      errors: [{ source: 'username' }],
    });
});

test('a client of a hub reaches nothing until a rule allows it, and then only that [DV5]', async () => {
  const hub = await makeHub();
  const [one, other, third] = [await addClient(hub, 'one'), await addClient(hub, 'other'), await addClient(hub, 'third')];
  expect((await addRoute(hub, other, '192.168.8.0')).status).toBe(201);
  expect(await reach(one, '10.77.0.3')).toMatchObject({ reaches: false, reason: 'no_rule', to_client_id: other });
  const rule = await allow(hub, one, other);
  expect(await reach(one, '10.77.0.3')).toMatchObject({ reaches: true, reason: 'rule', rule_id: rule.data.id });
  expect(await reach(one, '192.168.8.20')).toMatchObject({ reaches: true, to_client_id: other, from_name: 'one', to_client_name: 'other' });
  expect(await reach(other, '10.77.0.2')).toMatchObject({ reaches: false, reason: 'no_rule' });
  expect(await reach(third, '192.168.8.20')).toMatchObject({ reaches: false, reason: 'no_rule' });
  for (const ip of ['10.77.0.1', '127.0.0.1', '8.8.8.8', '10.77.0.250'])
    expect(await reach(one, ip)).toMatchObject({ reaches: false, reason: 'no_client' });
  expect((await admin.delete(`/vpn/hubs/rules/${rule.data.id}`)).status).toBe(200);
  expect(await reach(one, '10.77.0.3')).toMatchObject({ reaches: false, reason: 'no_rule' });
});

test('the configuration of a hub drops what no rule allows, towards clients, the machine and what is behind it [DV5]', async () => {
  const hub = await makeHub({ port: 51999 });
  const [one, other] = [await addClient(hub, 'one'), await addClient(hub, 'other')];
  await addRoute(hub, other, '192.168.8.0');
  await admin.post(`/vpn/hubs/users/${one}/profile`, {});
  const closed = await configurationOf(hub);
  expect(closed).not.toContain('ip saddr');
  expect(closed).toContain('input iifname %i drop');
  expect(closed).toContain('forward iifname %i drop');
  expect(closed).toContain('forward oifname %i drop');
  await allow(hub, one, other);
  const open = await configurationOf(hub);
  const accepted = open.indexOf('iifname %i oifname %i ip saddr 10.77.0.2 ip daddr { 10.77.0.3/32, 192.168.8.0/24 } accept');
  expect(accepted).toBeGreaterThan(0);
  expect(open.indexOf('forward iifname %i drop')).toBeGreaterThan(accepted);
  expect(open).toContain('ListenPort = 51999');
  await admin.put(`/vpn/hubs/${hub}/toggle`, { enabled: false });
  const off = await configurationOf(hub);
  expect(off).not.toContain('ip saddr');
  expect(off).not.toContain('[Peer]');
});

test('a profile has keys that fit the configuration of its hub, is kept nowhere, and replaces the one before', async () => {
  const hub = await makeHub();
  const [one, other] = [await addClient(hub, 'one'), await addClient(hub, 'other')];
  await addRoute(hub, other, '192.168.8.0');
  expect(await clientsOf(hub)).toMatchObject([{ state: 'no_profile' }, { state: 'no_profile' }]);
  const first = await admin.post(`/vpn/hubs/users/${one}/profile`, {});
  expect(first.headers['cache-control']).toBe('no-store');
  expect(first.text).toContain('AllowedIPs = 10.77.0.0/24\n');
  await allow(hub, one, other);
  const second = await admin.post(`/vpn/hubs/users/${one}/profile`, {});
  expect(second.text).toContain('AllowedIPs = 10.77.0.0/24, 192.168.8.0/24');
  const text = await configurationOf(hub);
  expect(second.text).toContain(`PublicKey = ${publicOf(text)}`);
  expect(text).toContain(`PublicKey = ${publicOf(second.text)}\nAllowedIPs = 10.77.0.2/32`);
  expect(text).not.toContain(publicOf(first.text));
  expect(await clientsOf(hub)).toMatchObject([{ state: 'ready' }, { state: 'no_profile' }]);
  const secret = /PrivateKey = (\S+)/.exec(second.text)?.[1] ?? '-';
  const kept = [
    await world.ctx.db.selectFrom('vpn_clients').selectAll().execute(),
    await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'vpn_hub').execute(),
    await world.ctx.db.selectFrom('vpn_hubs').selectAll().execute(),
  ];
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(JSON.stringify(kept)).not.toContain(/PrivateKey = (\S+)/.exec(text)?.[1] ?? '-');
  expect(JSON.stringify(kept[1])).not.toContain('sealed_key');
});

test('a program gets new profiles of several clients, and more than fifty at once are refused, not left out', async () => {
  const hub = await makeHub();
  const program = await programOf(world, admin.user);
  const ids = [await addClient(hub, 'one'), await addClient(hub, 'other')];
  const { data } = await program.get('/vpn/hubs/users/config', { id: ids.join(',') });
  expect(data.map(({ id, config }: { id: number; config: string }) => [id, config.includes('PrivateKey')])).toEqual(
    ids.map((id) => [id, true]),
  );
  const many = Array.from({ length: 51 }, (_one, index) => index + 1).join(',');
  expect(await program.get('/vpn/hubs/users/config', { id: many })).toMatchObject({ status: 400, errors: [{ source: 'id' }] });
});

test('networks that overlap with others of the hub, and texts that are no networks, are refused at their field', async () => {
  const hub = await makeHub();
  const client = await addClient(hub, 'one');
  await addRoute(hub, client, '192.168.8.0');
  const codeAt = async (ip: string, mask: string) => (await addRoute(hub, client, ip, mask)).errors[0];
  for (const [ip, mask, source] of [
    ['192.168.8.128', '255.255.255.128', 'ip_address'],
    ['192.168.0.0', '255.255.0.0', 'ip_address'],
    ['10.77.0.0', '255.255.255.0', 'ip_address'],
    ['10.0.0.0', '255.0.0.0', 'ip_address'],
    ['192.168.9.1', '255.255.255.0', 'ip_address'],
    ['192.168.9.300', '255.255.255.0', 'ip_address'],
    ['192.168.9.0', '255.0.255.0', 'netmask'],
    ['0.0.0.0', '0.0.0.0', 'netmask'],
  ] as const)
    expect([ip, await codeAt(ip, mask)]).toMatchObject([ip, { code: 'INVALID_FIELD', source }]);
  const bad = { company_id: company.id, name: 'Bad', port: 1, ip: '10.1.0.0', netmask: '255.255.255.0' };
  for (const endpoint of ['a\nb', 'host name', '-a', 'a;b']) {
    const { status, errors } = await admin.post('/vpn/hubs', { ...bad, endpoint });
    expect([endpoint, status, errors[0]?.source]).toEqual([endpoint, 400, 'endpoint']);
  }
});

test('clients get free addresses of the hub, and may be given others that nobody has', async () => {
  const hub = await makeHub({ ip: '10.9.0.0', netmask: '255.255.255.248' });
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await addClient(hub, name));
  expect((await clientsOf(hub)).map(({ ip }: { ip: string }) => ip)).toEqual(['10.9.0.2', '10.9.0.3', '10.9.0.4', '10.9.0.5', '10.9.0.6']);
  expect((await admin.post('/vpn/hubs/users/custom', { vpn_hub_id: hub, username: 'f' })).codes).toEqual(['INVALID_FIELD']);
  await admin.delete(`/vpn/hubs/users/${ids[1]}`);
  const set = async (ip_address: string) => (await admin.post(`/vpn/hubs/users/${ids[0]}`, { ip_address })).status;
  expect(await set('10.9.0.3')).toBe(200);
  for (const ip of ['10.9.0.4', '10.9.0.1', '10.9.0.7', '10.8.0.3']) expect([ip, await set(ip)]).toEqual([ip, 400]);
});

test('devices are clients while they are of the hub’s company or below it', async () => {
  const hub = await makeHub();
  const below = await makeCompany(world, { parent: company });
  const [device, theirs] = [
    await makeDevice(world, { company: below, name: 'ferry' }),
    await makeDevice(world, { company: await makeCompany(world) }),
  ];
  expect((await admin.post(`/vpn/hubs/${hub}/devices`, { device_id: [device.id] })).status).toBe(201);
  expect((await admin.post(`/vpn/hubs/${hub}/devices`, { device_id: [device.id] })).codes).toEqual(['INVALID_FIELD']);
  expect((await admin.post(`/vpn/hubs/${hub}/devices`, { device_id: [theirs.id] })).status).toBe(404);
  const root = await as(world, 'super_admin', { company });
  expect((await root.post(`/vpn/hubs/${hub}/devices`, { device_id: [theirs.id] })).codes).toEqual(['INVALID_FIELD']);
  const [client] = await clientsOf(hub);
  expect(client).toMatchObject({ name: 'ferry', type: 'device', object_id: device.id, state: 'no_profile' });
  await admin.post(`/vpn/hubs/users/${client.id}/profile`, {});
  expect(await configurationOf(hub)).toContain('[Peer]');
  await root.post('/devices/move', { device_id: [device.id], company_id: (await makeCompany(world)).id });
  await world.ctx.jobs.settled();
  expect((await clientsOf(hub))[0]).toMatchObject({ state: 'moved_away' });
  expect(await configurationOf(hub)).not.toContain('[Peer]');
});

test('a user is added who is of the company of the hub, one above or one below, and nobody else', async () => {
  const hub = await makeHub();
  const root = await as(world, 'super_admin', { company });
  const below = await makeUser(world, { company: await makeCompany(world, { parent: company }) });
  const theirs = await makeUser(world, { company: await makeCompany(world) });
  expect((await admin.post('/vpn/hubs/users', { vpn_hub_id: hub, user_id: below.id })).status).toBe(201);
  expect((await admin.post('/vpn/hubs/users', { vpn_hub_id: hub, user_id: theirs.id })).status).toBe(404);
  const refused = await root.post('/vpn/hubs/users', { vpn_hub_id: hub, user_id: theirs.id });
  expect(refused.errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'user_id' }]);
  expect((await clientsOf(hub)).map(({ object_id }: { object_id: number }) => object_id)).toEqual([below.id]);
});

test('hubs of other companies, and clients of other hubs, are not found [DV5]', async () => {
  const [hub, beside] = [await makeHub(), await makeHub()];
  const [client, foreign] = [await addClient(hub, 'one'), await addClient(beside, 'two')];
  expect(await allow(hub, client, foreign)).toMatchObject({ status: 404, errors: [{ source: 'to_client_id' }] });
  expect((await addRoute(hub, foreign, '192.168.1.0')).status).toBe(404);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get(`/vpn/hubs/${hub}`)).status).toBe(404);
  expect((await stranger.post(`/vpn/hubs/${hub}/configuration`, {})).status).toBe(404);
  expect((await stranger.post(`/vpn/hubs/users/${client}/profile`, {})).status).toBe(404);
  expect((await stranger.get(`/vpn/hubs/users/${client}/reach`)).status).toBe(404);
  expect((await stranger.delete('/vpn/hubs', { id: [hub] })).status).toBe(404);
  expect((await stranger.get('/vpn/hubs/users', { vpn_hub_id: hub })).data).toEqual([]);
  const reader = await as(world, 'readonly_admin', { company });
  expect((await reader.get(`/vpn/hubs/${hub}`)).status).toBe(200);
  expect((await reader.post(`/vpn/hubs/users/${client}/profile`, {})).status).toBe(403);
});

test('hubs, their clients, routes and rules are found by name', async () => {
  const hub = await makeHub({ name: 'Quay of the north' });
  const [one, other] = [await addClient(hub, 'laptop of the mate'), await addClient(hub, 'engine')];
  await addRoute(hub, other, '192.168.8.0');
  await allow(hub, one, other);
  const found = async (path: string, q: string) =>
    (await admin.get(path, { q, ...(path === '/vpn/hubs' ? {} : { vpn_hub_id: hub }) })).data;
  expect(await found('/vpn/hubs', 'north')).toMatchObject([{ id: hub, clients_count: 2 }]);
  expect(await found('/vpn/hubs/users', 'MATE')).toMatchObject([{ id: one }]);
  expect(await found('/vpn/hubs/rules', 'mate')).toMatchObject([{ from_name: 'laptop of the mate', to_name: 'engine' }]);
  expect(await found('/vpn/hubs/routes', 'engine')).toEqual([]);
});

test('a hub that is removed takes its clients, routes and rules along, and its history stays', async () => {
  const hub = await makeHub();
  const [one, other] = [await addClient(hub, 'one'), await addClient(hub, 'other')];
  await addRoute(hub, other, '192.168.8.0');
  await allow(hub, one, other);
  expect((await admin.delete('/vpn/hubs', { id: [hub, 987_654_321] })).status).toBe(404);
  expect((await admin.delete('/vpn/hubs', { id: [hub] })).status).toBe(200);
  for (const table of ['vpn_clients', 'vpn_routes', 'vpn_rules'] as const)
    expect(await world.ctx.db.selectFrom(table).select('id').where('vpn_hub_id', '=', hub).execute()).toEqual([]);
  const lines = await world.ctx.db
    .selectFrom('audit')
    .select('action')
    .where('entity', '=', 'vpn_hub')
    .where('entity_id', '=', hub)
    .execute();
  expect(lines.map(({ action }) => action).toSorted()).toEqual(
    ['vpn-clients.new', 'vpn-clients.new', 'vpn-hubs.new', 'vpn-hubs.remove', 'vpn-routes.new', 'vpn-rules.new'].toSorted(),
  );
});

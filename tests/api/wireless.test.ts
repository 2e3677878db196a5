import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeUser } from '../helpers/factories.ts';
import { answer, startJob } from '../helpers/jobs.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import { until } from '../helpers/until.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: Awaited<ReturnType<typeof makeCompany>>;

const ROUTER = { model: 'RUTX11', firmware: 'RUTX_R_00.07.14.2' };
const admin = (): Promise<Caller> => as(place.world, 'admin', { company });

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

const network = (values: object = {}) => ({
  interface: 'wlan0',
  ssid: 'Quay',
  active: true,
  band: '5 GHz',
  channel: 36,
  clients: 3,
  rx_bytes: 1000,
  tx_bytes: 2000,
  ...values,
});
const hotspot = (values: object = {}) => ({
  index: 1,
  ssid: 'Guests',
  active: true,
  ip: '10.0.0.1',
  users: 2,
  auth: 'password',
  ...values,
});

async function makeRouter(values: Partial<Row<'devices'>> = {}, report: object = {}): Promise<Row<'devices'>> {
  const device = await makeDevice(place.world, { company, status: 1, ...ROUTER, ...values });
  await place.say(device, 'details', { wireless: [network()], hotspots: [hotspot()], ...report });
  return device;
}
const lastBody = ({ device_key }: Row<'devices'>) => place.world.commands.findLast((sent) => sent.deviceKey === device_key)?.command.body;
const output = (accounts: unknown, sessions: unknown = []) => JSON.stringify({ accounts, sessions });

test('devices with Wi-Fi are listed with the clients and bytes of all their networks, found by the name of a network, and seen by nobody else', async () => {
  const device = await makeRouter({ name: 'ferry' }, { wireless: [network(), network({ interface: 'wlan1', ssid: 'Crew', clients: 1 })] });
  await makeDevice(place.world, { company, name: 'no wifi' });
  const caller = await admin();
  const { data } = await caller.get('/wireless', { q: 'crew' });
  expect(data).toMatchObject([
    { id: device.id, name: 'ferry', status: 'online', ssid_names: 'Quay, Crew', clients_count: 4, received: 2000, sent: 4000 },
  ]);
  expect((await caller.get('/wireless', { ssid_names: 'crew', status: 'online', wireless_id: String(device.id) })).data).toHaveLength(1);
  expect((await caller.get('/wireless', { status: 'offline' })).data).toHaveLength(0);
  expect((await caller.get(`/devices/${device.id}/wireless`)).data).toMatchObject([
    { wlan_id: 'wlan0', ssid: 'Quay', active: 1, clients_count: 3, channel: 36 },
    { wlan_id: 'wlan1', ssid: 'Crew' },
  ]);
  const stranger = await as(place.world, 'admin', { company: await makeCompany(place.world) });
  expect((await stranger.get('/wireless')).data).toEqual([]);
  expect((await stranger.get('/hotspots')).data).toEqual([]);
  for (const path of ['wireless', 'wireless/graph', 'hotspots', 'hotspots/1/users/active'])
    expect((await stranger.get(`/devices/${device.id}/${path}`)).status).toBe(404);
});

test('networks that a device no longer names go, and a report that leaves Wi-Fi out changes nothing', async () => {
  const device = await makeRouter();
  await place.say(device, 'details', { dns: ['1.1.1.1'] });
  expect((await (await admin()).get(`/devices/${device.id}/wireless`)).data).toHaveLength(1);
  await place.say(device, 'details', { wireless: [network({ interface: 'wlan9' })], hotspots: [] });
  const caller = await admin();
  expect((await caller.get(`/devices/${device.id}/wireless`)).data).toMatchObject([{ wlan_id: 'wlan9' }]);
  expect((await caller.get(`/devices/${device.id}/hotspots`)).data).toEqual([]);
});

test('the graph has clients and the bytes since the report before, and a counter that begins again is counted from zero', async () => {
  const device = await makeRouter();
  await place.world.clock.jump(15 * MINUTE);
  await place.say(device, 'details', { wireless: [network({ rx_bytes: 5000, tx_bytes: 2500, clients: 5 })] });
  await place.world.clock.jump(HOUR);
  await place.say(device, 'details', { wireless: [network({ rx_bytes: 70, tx_bytes: 30 })] });
  const { data } = await (await admin()).get(`/devices/${device.id}/wireless/graph`, { wlan: 'wlan0' });
  const hours = data[0].wlan0 as { received: number; sent: number; clients_count: number }[];
  expect(hours.reduce((sum, { received }) => sum + received, 0)).toBe(4000 + 70);
  expect(hours.reduce((sum, { sent }) => sum + sent, 0)).toBe(500 + 30);
  expect(hours.map(({ clients_count }) => clients_count)).toEqual([4, 3]);
});

test('accounts of a hotspot are added and removed by jobs, and listed as the device named them last', async () => {
  const device = await makeRouter();
  const caller = await admin();
  const [first] = (await caller.get(`/devices/${device.id}/hotspots`)).data as { id: number; read_at: null }[];
  expect(first).toMatchObject({
    hotspot_index: '1',
    status: true,
    hotspot_ip: '10.0.0.1',
    online_users: 2,
    auth_type: 'password',
    read_at: null,
  });
  const path = `/hotspots/networks/${first?.id}/users`;
  expect((await startJob(place.world, caller, path, { username: 'room 1', password: 'x' })).status).toBe(400);
  expect((await startJob(place.world, caller, path, { username: 'room-1', password: 'secret-9', minutes: 60 })).status).toBe(200);
  await until('the command', () => lastBody(device) === 'do=add\nindex=1\naccount=room-1 secret-9 60 0 0\n');
  const { input } = await place.world.ctx.db.selectFrom('jobs').select('input').orderBy('id', 'desc').executeTakeFirstOrThrow();
  expect(input).not.toContain('secret-9');
  const session = { name: 'room-1', mac: '02:00:00:00:00:0a', ip: '10.0.0.9', started_at: 1_767_225_600, rx_bytes: 5, tx_bytes: 6 };
  const account = { name: 'room-1', minutes: 60, megabytes: 0, ends_at: 0, first_at: 1_767_225_600 };
  await answer(place.world, device, { output: output([account, { name: '<b>\u0000' }, 7], [session, { mac: 'no' }]) });
  expect((await caller.get(`/devices/${device.id}/hotspots`)).data).toMatchObject([
    {
      online_users: 1,
      accounts: [{ name: 'room-1', minutes: 60, ends_at: null, first_at: '2026-01-01 00:00:00' }],
      sessions: [{ name: 'room-1', mac: '02:00:00:00:00:0A', received: 5, sent: 6 }],
    },
  ]);
  expect((await caller.get(`/devices/${device.id}/hotspots/1/users/active`)).data).toMatchObject([{ username: 'room-1', ip: '10.0.0.9' }]);
  expect((await startJob(place.world, caller, `${path}/remove`, { username: 'room-1' })).status).toBe(200);
  await until('the command', () => lastBody(device) === 'do=remove\nindex=1\nname=room-1\n');
});

test('programs add, ask for and remove accounts of a hotspot by its number, and follow the channel', async () => {
  const device = await makeRouter();
  const user = await makeUser(place.world, { role: 'admin', company });
  const { secret } = await makeAccessToken(place.world, { user, scopes: ['device_hotspots:read', 'device_hotspots:write'] });
  const headers = { authorization: `Bearer ${secret}` };
  const path = `/devices/${device.id}/hotspots`;
  const added = await send(place.world, 'POST', `${path}/1/users`, { headers, body: { username: 'a', password: 'b' } });
  expect(added).toMatchObject({ status: 200, meta: { channel: expect.stringMatching(/^jobs\./) } });
  await place.world.ctx.jobs.settled();
  await answer(place.world, device, { output: output([]) });
  expect(await send(place.world, 'GET', `${path}/1/users`, { headers })).toMatchObject({
    status: 200,
    meta: { channel: expect.any(String) },
  });
  expect((await send(place.world, 'DELETE', `${path}/1/users`, { headers, query: { username: 'a' } })).status).toBe(200);
  expect((await send(place.world, 'GET', `${path}/2/users`, { headers })).status).toBe(404);
});

test('vouchers are made for hotspots of the own company, printed by those who may, and revoked on the devices', async () => {
  const device = await makeRouter({ name: 'tickets' });
  const caller = await admin();
  const body = { company_id: company.id, name: 'June', device_id: [device.id], ssid: 'Guests', amount: 3, minutes: 60, megabytes: 100 };
  const made = await startJob(place.world, caller, '/hotspots/vouchers', body);
  expect(made.status).toBe(201);
  const id = Number(made.data['id']);
  const codes = (await caller.get(`/hotspots/vouchers/${id}/codes`)).data.codes as string[];
  expect(new Set(codes).size).toBe(3);
  await until(
    'the command',
    () => lastBody(device) === `do=add\nindex=1\n${codes.map((code) => `account=${code} ${code} 60 100 0\n`).join('')}`,
  );
  expect((await caller.get('/hotspots/vouchers')).data).toMatchObject([{ id, name: 'June', state: 'active', amount: 3, devices_count: 1 }]);
  const { sealed_codes } = await place.world.ctx.db.selectFrom('hotspot_vouchers').select('sealed_codes').executeTakeFirstOrThrow();
  expect(sealed_codes).not.toContain(codes[0]);
  const guest = await as(place.world, 'readonly_admin', { company });
  expect((await guest.get(`/hotspots/vouchers/${id}`)).status).toBe(200);
  expect((await guest.get(`/hotspots/vouchers/${id}/codes`)).status).toBe(403);
  expect((await caller.delete(`/hotspots/vouchers/${id}`)).status).toBe(400);
  expect((await startJob(place.world, caller, `/hotspots/vouchers/${id}/revoke`, {})).status).toBe(200);
  expect((await caller.get(`/hotspots/vouchers/${id}`)).data).toMatchObject({ state: 'revoked' });
  expect((await caller.delete(`/hotspots/vouchers/${id}`)).status).toBe(200);
  const other = await makeRouter({ company_id: (await makeCompany(place.world)).id });
  expect((await startJob(place.world, caller, '/hotspots/vouchers', { ...body, device_id: [other.id] })).status).toBe(404);
  const past = await startJob(place.world, caller, '/hotspots/vouchers', { ...body, ends_at: '2020-01-01 00:00:00' });
  expect(past).toMatchObject({ status: 400, errors: [{ source: 'ends_at' }] });
});

test('codes of vouchers are neither in what the job of the device says, nor shown to those who may not change hotspots', async () => {
  const device = await makeRouter({ name: 'codes' });
  const caller = await admin();
  const body = { company_id: company.id, name: 'Codes', device_id: [device.id], amount: 1, minutes: 60 };
  const made = await startJob(place.world, caller, '/hotspots/vouchers', body);
  const [code = ''] = (await caller.get(`/hotspots/vouchers/${made.data['id']}/codes`)).data.codes as string[];
  await until('the command', () => lastBody(device)?.includes(code) === true);
  const account = { name: code, minutes: 60, megabytes: 0, ends_at: 0, first_at: 0 };
  const session = { name: code, mac: '02:00:00:00:00:01', ip: '10.0.0.2', started_at: 1767225600, rx_bytes: 1, tx_bytes: 1 };
  await answer(place.world, device, { output: output([account, { ...account, name: 'crew' }], [session]) });
  const names = async (who: Caller) => {
    const { data } = await who.get(`/devices/${device.id}/hotspots`);
    const active = await who.get(`/devices/${device.id}/hotspots/1/users/active`);
    return [...data[0].accounts, ...data[0].sessions].map(({ name }) => name).concat(active.data[0].username);
  };
  await until('the accounts', async () => (await caller.get(`/devices/${device.id}/hotspots`)).data[0].accounts.length === 2);
  expect(await names(caller)).toEqual([code, 'crew', code, code]);
  const hidden = `${code.slice(0, 2)}••••••`;
  expect(await names(await as(place.world, 'readonly_admin', { company }))).toEqual([hidden, 'crew', hidden, hidden]);
  const kept = await place.world.ctx.db.selectFrom('job_targets').select('output').where('device_id', '=', device.id).execute();
  expect(kept).toEqual([{ output: null }]);
});

test('a voucher without a time is limited by its data alone', async () => {
  const device = await makeRouter({ name: 'data tickets' });
  const caller = await admin();
  const body = { company_id: company.id, name: 'One gigabyte', device_id: [device.id], amount: 1, megabytes: 1000 };
  const made = await startJob(place.world, caller, '/hotspots/vouchers', body);
  expect(made.status).toBe(201);
  const [code] = (await caller.get(`/hotspots/vouchers/${made.data['id']}/codes`)).data.codes as string[];
  await until('the command', () => lastBody(device) === `do=add\nindex=1\naccount=${code} ${code} 0 1000 0\n`);
});

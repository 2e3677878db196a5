import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { statesOf } from '../helpers/jobs.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const channel = recordingChannel();
let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld({ parts: { devices: async () => channel } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const say = (device: { device_key: string }, topic: 'hello' | 'status' | 'details', payload: object) =>
  channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic, payload: { v: 1, ...payload } } }]);
const periodsFor = (device: { device_key: string }) =>
  channel.commands.flatMap(({ deviceKey, command }) =>
    deviceKey === device.device_key && command.verb === 'settings' ? [command.body] : [],
  );

async function setMonitoring(device: { id: number }, monitoring_enabled: boolean) {
  const started = await admin.put('/devices/monitoring', { device_id: [device.id], monitoring_enabled });
  await world.ctx.jobs.settled();
  return started;
}

test('a device is asked at once to report at another period, and again when it comes back with a different one', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const hello = { serial: device.serial, mac: device.mac };
  expect((await admin.put(`/devices/${device.id}`, { name: device.name, dynamic_monitoring: 300 })).status).toBe(200);
  expect(periodsFor(device)).toEqual(['report_seconds=300\n']);
  await say(device, 'hello', { ...hello, report_seconds: 300 });
  expect(periodsFor(device)).toHaveLength(1);
  await say(device, 'hello', { ...hello, report_seconds: 60 });
  await say(device, 'hello', { ...hello, report_seconds: 60 });
  expect(periodsFor(device)).toEqual(['report_seconds=300\n', 'report_seconds=300\n']);
  expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject({ dynamic_monitoring: 300, report_seconds: 60 });
  expect((await admin.put(`/devices/${device.id}`, { name: device.name, dynamic_monitoring: 59 })).errors[0]?.source).toBe(
    'dynamic_monitoring',
  );
});

test('a position has latitude and longitude or neither, and is undone with the change', async () => {
  const device = await makeDevice(world, { company, name: 'here' });
  const half = await admin.put(`/devices/${device.id}`, { name: 'here', user_set_latitude: 60.39 });
  expect(half.errors[0]).toMatchObject({ code: 'INVALID_FIELD', source: 'user_set_longitude' });
  const many = await admin.put('/devices', { data: [{ id: device.id, user_set_longitude: 5.3 }] });
  expect(many.errors[0]?.source).toBe('data.0.user_set_latitude');
  const place = { user_set_latitude: 60.39, user_set_longitude: 5.32 };
  const { headers } = await admin.put(`/devices/${device.id}`, { name: 'here', ...place });
  expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject(place);
  expect((await admin.get('/devices/export/csv', { fields: 'name,user_set_latitude', q: 'here' })).text).toContain('60.39');
  expect((await admin.post('/history/undo', { request_id: headers['x-request-id'] })).status).toBe(200);
  expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject({ user_set_latitude: null, user_set_longitude: null });
});

test('a device that is not monitored is offline with code 14 and nothing is taken from it, until monitoring is turned on again', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const off = await setMonitoring(device, false);
  expect(await statesOf(admin, off.meta['job_id'])).toEqual(['ok']);
  const read = async () => (await admin.get(`/devices/${device.id}`)).data;
  expect(await read()).toMatchObject({ monitoring_enabled: false, status: 0, failed_auth_reason: 14 });
  await say(device, 'hello', { serial: device.serial, mac: device.mac, report_seconds: 60 });
  await say(device, 'status', { uptime: 4711 });
  expect(await read()).toMatchObject({ status: 0, router_uptime: null });
  await channel.handlers?.deliver([{ kind: 'refused', deviceKey: device.device_key, reason: 'password', detail: '', ip: '127.0.0.1' }]);
  expect((await admin.get('/devices', { fields: 'id,failed_auth_reason', id: device.id })).data[0].failed_auth_reason).toBe(14);
  await setMonitoring(device, true);
  await say(device, 'hello', { serial: device.serial, mac: device.mac, report_seconds: 60 });
  expect(await read()).toMatchObject({ monitoring_enabled: true, status: 1, failed_auth_reason: null });
});

test('what a device reports is listed with its periods and costs, and a job gives many devices other periods', async () => {
  const gps = await makeDevice(world, { company, status: 1, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' });
  const plain = await makeDevice(world, { company, status: 1, model: 'TRB140', firmware: 'TRB1_R_00.07.14.2' });
  const entriesOf = async (device: { id: number }) => {
    const { data } = await admin.get(`/devices/${device.id}/monitoring-configs`);
    return new Map<string, Record<string, unknown>>(data.map((entry: { key: string }) => [entry.key, entry]));
  };
  const hello = { serial: gps.serial, mac: gps.mac, report_seconds: 60, periods: {} };
  expect((await entriesOf(gps)).get('gps_monitoring')).toMatchObject({ compatKey: 'has_periods', period: 900, config_id: null });
  await say(gps, 'hello', hello);
  await say(plain, 'hello', { serial: plain.serial, mac: plain.mac, report_seconds: 60, periods: {} });
  const before = await entriesOf(gps);
  expect([...before.keys()]).toEqual(['dynamic', 'static', 'io', 'gps', 'wireless', 'hotspot'].map((part) => `${part}_monitoring`));
  expect(before.get('gps_monitoring')).toEqual({
    label: 'Position',
    key: 'gps_monitoring',
    down: expect.any(Number),
    up: expect.any(Number),
    min: 60,
    max: 31_536_000,
    period: 900,
    default: 900,
    config_id: null,
    compatKey: 'has_gps',
    compatNotice: null,
  });
  expect((await entriesOf(plain)).get('gps_monitoring')).toMatchObject({ compatNotice: 'This model has no GPS.' });

  const nothing = await admin.put('/devices/monitoring-periods', { device_id: [gps.id] });
  expect(nothing.errors[0]?.source).toBe('dynamic_monitoring');
  const started = await admin.put('/devices/monitoring-periods', { device_id: [gps.id, plain.id], gps_monitoring: 60 });
  await world.ctx.jobs.settled();
  expect((await statesOf(admin, started.meta['job_id'])).toSorted()).toEqual(['ok', 'skipped']);
  expect(periodsFor(gps)).toEqual(['report_seconds=60\ngps_seconds=60\n']);
  expect(periodsFor(plain)).toEqual([]);
  expect((await entriesOf(gps)).get('gps_monitoring')).toMatchObject({ period: 60 });

  // One that comes back with the periods is left alone, one that comes back without them is asked again.
  await say(gps, 'hello', { ...hello, periods: { gps: 60 } });
  expect(periodsFor(gps)).toHaveLength(1);
  await say(gps, 'hello', hello);
  expect(periodsFor(gps)).toHaveLength(2);
  await admin.put('/devices/monitoring-periods', { device_id: [gps.id], others_as_usual: true });
  await world.ctx.jobs.settled();
  expect(periodsFor(gps)[2]).toBe('report_seconds=60\n');
  expect((await entriesOf(gps)).get('gps_monitoring')).toMatchObject({ period: 900 });
});

test('of a report about one part the others stay as they were said', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const pins = [{ name: 'din1', direction: 'in', kind: 'digital', state: 1 }];
  await say(device, 'details', { pins, position: { lat: 60.39, lon: 5.32 }, dns: ['9.9.9.9'] });
  await say(device, 'details', { only: ['gps'], position: { lat: 61, lon: 5.32 }, dns: ['1.1.1.1'] });
  const read = async () => (await admin.get(`/devices/${device.id}/details`)).data;
  expect(await read()).toMatchObject({ dns: ['9.9.9.9'], position: { latitude: 61 }, pins: [{ name: 'din1', state: 1 }] });
  await say(device, 'details', { only: 'all', dns: [] });
  expect(await read()).toMatchObject({ dns: [], position: null, pins: null });
});

test('programs set the documented periods of a device and read them', async () => {
  const device = await makeDevice(world, { company, name: 'periods' });
  const change = { data: [{ id: device.id, gps_monitoring: 120, static_monitoring: 86_400 }] };
  expect((await admin.put('/devices', change)).status).toBe(200);
  const row = await world.ctx.db.selectFrom('devices').selectAll().where('id', '=', device.id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ gps_monitoring: 120, static_monitoring: 86_400, io_monitoring: null });
  const wrong = await admin.put('/devices', { data: [{ id: device.id, gps_monitoring: 59 }] });
  expect(wrong.errors[0]?.source).toBe('data.0.gps_monitoring');
});

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

const say = (device: { device_key: string }, topic: 'hello' | 'status', payload: object) =>
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

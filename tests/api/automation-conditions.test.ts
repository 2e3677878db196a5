import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import { makeHubSession } from '../helpers/vpn-session.ts';
import type { World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world);
  return () => world[Symbol.asyncDispose]();
});

// Time passes in a test: the session of the one before is over.
beforeEach(async () => {
  admin = await as(world, 'admin', { company });
});

const weak = { parameter: 'signal', operator: '<', value: '-100' };
const branch = (
  actions: object[] = [{ name: 'RaiseAlert', options: { severity: 'critical', message: '%rn: %ex' } }],
  expression: object[] = [weak],
) => ({
  type: 'if',
  expression,
  actions,
});
const body = (more: object = {}) => ({
  name: 'Weak signal',
  conditions_body: [branch()],
  cooldown_duration: 0,
  recovery_duration: 0,
  ...more,
});

type Device = Awaited<ReturnType<typeof makeDevice>>;
async function settled(): Promise<void> {
  await world.clock.advance(3 * SECOND);
}

const alertsOf = async (device: Device) => (await admin.get('/alerts', { device_id: String(device.id), sort: 'id' })).data;

describe('a condition', () => {
  const alone = (expression: object[], device: Device) =>
    admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id], conditions_body: [branch(undefined, expression)] }));

  test('of missing data is met when nothing comes for so many minutes, and ends with the next reading', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    await alone([{ parameter: 'tank_level', operator: 'missing', value: '4' }], device);
    await settled();
    await say(device, 'telemetry', { values: { tank_level: 40 } });
    await world.clock.advance(3 * MINUTE);
    expect(await alertsOf(device)).toEqual([]);
    await world.clock.advance(2 * MINUTE);
    expect(await alertsOf(device)).toMatchObject([{ state: 'open' }]);
    await say(device, 'telemetry', { values: { tank_level: 41 } });
    await settled();
    expect(await alertsOf(device)).toMatchObject([{ state: 'ended' }]);
  });

  test('of an event is met by each one, whose alert stays until the next, and by nothing else', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data: rule } = await alone(
      [
        { parameter: 'event', operator: '==', value: 'log', joins_with: '&&' },
        { parameter: 'event_text', operator: 'contains', value: 'login failed' },
      ],
      device,
    );
    await settled();
    await say(device, 'telemetry', { values: { load1: 1 } });
    await say(device, 'log', { level: 'warning', message: 'Wired WAN is up' });
    await settled();
    expect(await alertsOf(device)).toEqual([]);
    await say(device, 'log', { level: 'warning', message: 'Login failed for root' });
    await settled();
    await say(device, 'telemetry', { values: { load1: 2 } });
    await settled();
    expect(await alertsOf(device)).toMatchObject([{ state: 'open', message: expect.stringContaining('Login failed for root') }]);
    await say(device, 'log', { level: 'warning', message: 'Login failed for admin' });
    await settled();
    expect(await alertsOf(device)).toMatchObject([
      { state: 'ended' },
      { state: 'open', message: expect.stringContaining('Login failed for admin') },
    ]);
    expect((await admin.post('/automations/back-test', { automation_id: rule.id })).data).toMatchObject({ count: 2 });
    const { data: why } = await admin.get(`/automations/${rule.id}/explain/${device.id}`);
    expect(why.conditions.map(({ value }: { value: boolean }) => value)).toEqual([false, false]);
  });

  test('of an event takes one of those that there are', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const refused = await alone([{ parameter: 'event', operator: 'in', value: 'restarted, exploded' }], device);
    expect(refused.errors).toMatchObject([{ source: 'conditions_body.0.expression.0.value' }]);
    await alone([{ parameter: 'event', operator: 'in', value: 'restarted, disconnected' }], device);
    await settled();
    await say(device, 'status', { online: false });
    await settled();
    expect(await alertsOf(device)).toMatchObject([{ state: 'open' }]);
  });

  test('of a regular expression is met by the texts that it is found in, live, over the past and when asked why', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data: rule } = await alone([{ parameter: 'operator', operator: 'matches', value: '^Tel(ia|enor)\\b' }], device);
    for (const operator of ['Ice', 'telia', 'Telenor N', 'Telia', 'Telegram']) {
      await say(device, 'status', { operator });
      await world.clock.advance(MINUTE);
    }
    expect(await alertsOf(device)).toMatchObject([{ state: 'ended', message: expect.stringContaining('Telenor N') }]);
    expect((await admin.post('/automations/back-test', { automation_id: rule.id })).data).toMatchObject({ count: 1 });
    const { data: why } = await admin.get(`/automations/${rule.id}/explain/${device.id}`);
    expect(why.conditions).toMatchObject([{ operator: 'matches', actual: 'Telegram', value: false }]);
  });

  test('of the host name is met live and over the past', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data: rule } = await alone([{ parameter: 'hostname', operator: '==', value: 'openwrt' }], device);
    for (const hostname of ['quay', 'OpenWrt', 'quay']) {
      await say(device, 'hello', { serial: device.serial, mac: device.mac, hostname });
      await world.clock.advance(MINUTE);
    }
    expect(await alertsOf(device)).toMatchObject([{ state: 'ended' }]);
    expect((await admin.post('/automations/back-test', { automation_id: rule.id })).data).toMatchObject({ count: 1 });
  });

  test('of Wi-Fi clients and hotspot users counts those of all networks and hotspots', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data: rule } = await alone(
      [
        { parameter: 'wireless_clients', operator: '>=', value: '5', joins_with: '&&' },
        { parameter: 'hotspot_users', operator: '==', value: '3' },
      ],
      device,
    );
    await settled();
    const hotspots = [
      { index: 1, users: 1 },
      { index: 2, users: 2 },
    ];
    for (const clients of [1, 2]) {
      await say(device, 'details', {
        hotspots,
        wireless: [
          { interface: 'wlan0', clients: 3 },
          { interface: 'wlan1', clients },
        ],
      });
      await world.clock.advance(20 * MINUTE);
      admin = await as(world, 'admin', { company });
      expect(await alertsOf(device)).toHaveLength(clients - 1);
    }
    expect((await admin.post('/automations/back-test', { automation_id: rule.id })).data).toMatchObject({ count: 1 });
  });

  test('of VPN is met by what the hubs say with the next report, over the past and when asked why; a client of none is neither', async () => {
    const [device, other] = [await makeDevice(world, { company, status: 1 }), await makeDevice(world, { company, status: 1 })];
    const { client, session } = await makeHubSession(world, device);
    const down = [{ parameter: 'vpn_connected', operator: 'is', value: 'no' }];
    const { data: rule } = await admin.post(
      '/automations',
      body({ applies_to: 'device', device_ids: [device.id, other.id], conditions_body: [branch(undefined, down)] }),
    );
    const report = async (load1: number): Promise<void> => {
      for (const one of [device, other]) await say(one, 'telemetry', { values: { load1 } });
      await world.clock.advance(MINUTE);
    };
    await report(1);
    expect(await alertsOf(device)).toEqual([]);
    const { db } = world.ctx;
    await db.updateTable('vpn_sessions').set({ ended_at: world.clock.now() }).where('id', '=', session).execute();
    await report(2);
    expect(await alertsOf(device)).toMatchObject([{ state: 'open', message: expect.stringContaining('VPN is not connected') }]);
    expect(await alertsOf(other)).toEqual([]);
    expect((await admin.post('/automations/back-test', { automation_id: rule.id })).data).toMatchObject({ count: 1, without_history: 1 });
    const { data: why } = await admin.get(`/automations/${rule.id}/explain/${device.id}`);
    expect(why.conditions).toMatchObject([{ parameter: 'vpn_connected', actual: 'no', value: true }]);
    await db.deleteFrom('vpn_clients').where('id', '=', client).execute();
    expect((await admin.get(`/automations/${rule.id}/explain/${device.id}`)).data.conditions).toMatchObject([
      { actual: null, value: null },
    ]);
  });

  test('of several reports counts those of the parameter alone', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    await alone([{ ...weak, parameter: 'tank_level', value: '10', times: 2, of: 3 }], device);
    for (const level of [5, 50, 50, 5]) {
      await say(device, 'telemetry', { values: { tank_level: level, other: 1 } });
      await say(device, 'telemetry', { values: { other: 2 } });
      await settled();
    }
    expect(await alertsOf(device)).toEqual([]);
    await say(device, 'telemetry', { values: { tank_level: 5 } });
    await settled();
    expect(await alertsOf(device)).toHaveLength(1);
  });

  test('is not met by a reading that is older than what is known, and two of one message count by their time', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    await alone([{ parameter: 'tank_level', operator: '<', value: '10' }], device);
    const at = (minutes: number): number => Math.floor((world.clock.now() - minutes * MINUTE) / SECOND);
    await say(device, 'telemetry', { at: at(1), values: { tank_level: 40 } });
    await say(device, 'telemetry', { at: at(5), values: { tank_level: 5 } });
    await settled();
    expect(await alertsOf(device)).toEqual([]);
    await say(device, 'telemetry', { at: at(0), values: { tank_level: 5 } });
    await settled();
    expect(await alertsOf(device)).toHaveLength(1);
  });

  test('of the usual band knows nothing in the first week, and then what is far from the hours of the days before', async () => {
    const [young, known] = [await makeDevice(world, { company, status: 1 }), await makeDevice(world, { company, status: 1 })];
    const hour = world.clock.now() - (world.clock.now() % (60 * MINUTE));
    const hours = Array.from({ length: 20 * 24 }, (_, index) => ({
      ...{ device_id: known.id, metric: 'tank_level', at: hour - (index + 1) * 60 * MINUTE, readings: 1, last: 50 },
      ...{ lowest: 50, highest: 50, total: 50 + (index % 5) },
    }));
    await world.ctx.db.insertInto('device_hours').values(hours).execute();
    for (const device of [young, known]) {
      await alone([{ parameter: 'tank_level', operator: 'unusual' }], device);
      for (const level of [52, 90]) {
        await say(device, 'telemetry', { values: { tank_level: level } });
        await settled();
      }
    }
    expect(await alertsOf(young)).toEqual([]);
    expect(await alertsOf(known)).toMatchObject([{ message: expect.stringContaining('tank_level is outside its usual band') }]);
  });

  test('that turns repeatedly is held back after thirty times in an hour, and the log says so', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data } = await alone([{ parameter: 'tank_level', operator: '<', value: '10' }], device);
    for (let turn = 0; turn < 31; turn += 1) for (const level of [50, 5]) await say(device, 'telemetry', { values: { tank_level: level } });
    await settled();
    const { data: logs, meta } = await admin.get(`/automations/${data.id}/logs`, { limit: '5' });
    expect(meta).toMatchObject({ total: 31 });
    expect(logs[0]).toMatchObject({ status: 'failed', actions: [{ status: 'failed', message: 'loop' }] });
  });
});

describe('the rules that an automation has had', () => {
  test('are kept with their authors, and one of them is restored as the newest', async () => {
    const { data } = await admin.post('/automations', body({ name: 'Versions' }));
    await admin.put(
      `/automations/${data.id}`,
      body({ name: 'Versions', conditions_body: [branch(undefined, [{ ...weak, value: '-90' }])] }),
    );
    await admin.put(
      `/automations/${data.id}`,
      body({ name: 'Only renamed', conditions_body: [branch(undefined, [{ ...weak, value: '-90' }])] }),
    );
    const { data: versions } = await admin.get(`/automations/${data.id}/versions`);
    expect(versions).toMatchObject([
      { version: 2, is_current: true, conditions_body: [{ expression: [{ value: '-90' }] }] },
      { version: 1, is_current: false, conditions_body: [{ expression: [{ value: '-100' }] }] },
    ]);
    expect((await admin.post(`/automations/${data.id}/restore`, { version: 9 })).status).toBe(404);
    await admin.post(`/automations/${data.id}/restore`, { version: 1 });
    expect((await admin.get(`/automations/${data.id}`)).data).toMatchObject({
      ...{ name: 'Only renamed', automation_version: 3 },
      conditions_body: [{ expression: [{ value: '-100' }] }],
    });
    const stranger = await as(world, 'admin', { company: await makeCompany(world) });
    expect((await stranger.get(`/automations/${data.id}/versions`)).status).toBe(404);
    await admin.delete(`/automations/${data.id}`);
  });
});

test('the automations of a device are overwritten, by the documented call and by its form; those of its company stay', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const other = await makeDevice(world, { company, status: 1 });
  const add = async (name: string, more: object) => (await admin.post('/automations', body({ name, ...more }))).data.id as number;
  const [one, two] = [
    await add('One', { applies_to: 'device', device_ids: [device.id, other.id] }),
    await add('Two', { applies_to: 'device', device_ids: [other.id] }),
  ];
  const all = await add('All', {});
  const namesOf = async (id: number) =>
    (await admin.get(`/devices/${id}/automations`)).data.map(({ name }: { name: string }) => name).toSorted();
  await admin.put('/devices/automations/overwrite', { data: [{ device_id: device.id, automation_id: [two] }] });
  expect(await namesOf(device.id)).toEqual(['All', 'Two']);
  expect(await namesOf(other.id)).toEqual(['All', 'One', 'Two']);
  await admin.put(`/devices/${device.id}/automations`, { automation_ids: [one, two] });
  expect((await admin.get(`/devices/${device.id}/automations/chosen`)).data).toEqual({ id: device.id, automation_ids: [one, two] });
  const refused = await admin.put('/devices/automations/overwrite', { data: [{ device_id: device.id, automation_id: [all] }] });
  expect(refused.errors).toMatchObject([{ source: 'data.0.automation_id.0' }]);
  expect(await namesOf(device.id)).toEqual(['All', 'One', 'Two']);
  for (const id of [one, two, all]) await admin.delete(`/automations/${id}`);
});

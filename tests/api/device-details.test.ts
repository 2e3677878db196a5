import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import detailsEntity from '../../schemas/entities/device-details.json' with { type: 'json' };
import { compileBody } from '../../schemas/kit/form/compile-body.ts';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { filePart, multipartBody, multipartHeaders } from '../helpers/multipart.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

/** A session of its own for each use: time passes in these tests, and sessions end. */
const admin = (): Promise<Caller> => as(place.world, 'admin', { company });
const newDevice = (values: Partial<Row<'devices'>> = {}): Promise<Row<'devices'>> => makeDevice(place.world, { company, ...values });
const read = async (device: { id: number }, path = 'details') => (await (await admin()).get(`/devices/${device.id}/${path}`)).data;
const check = compileBody(detailsEntity.schema as JsonSchema);

const REPORT = {
  ports: [
    {
      name: 'port1', link: true, speed: 1000, duplex: 'full', poe: true, poe_watts: 4.5,
      hosts: [{ mac: '00:1e:42:00:00:02', ip: '192.168.1.20', name: 'camera' }],
    },
    { name: 'port2', link: false },
  ],
  interfaces: [{ name: 'br-lan', up: true, mac: '00:1E:42:00:00:01', mtu: 1500, addresses: ['192.168.1.1/24', 'fe80::1/64'] }],
  leases: [{ mac: '00:1E:42:00:00:02', ip: '192.168.1.20', name: 'camera', expires_at: 1_800_000_000 }],
  routes: [{ to: 'default', via: '100.64.0.1', interface: 'wwan0', metric: 1 }],
  dns: ['1.1.1.1', '2606:4700:4700::1111'],
  pins: [
    { name: 'din1', direction: 'in', kind: 'digital', state: 0 },
    { name: 'relay0', direction: 'out', kind: 'relay', state: 0 },
    { name: 'acl0', direction: 'in', kind: 'analog', state: 12.5, unit: 'mA' },
  ],
  position: { lat: 60.39299, lon: 5.32415, altitude: 12, accuracy: 3, satellites: 9, speed: 0, at: 1_790_000_000 },
  modems: [{ name: '1', manufacturer: 'Quectel', model: 'RG520N', firmware: 'R01A06', signal: -70 }, { name: '2', signal: -91 }],
  wireless: [{ interface: 'wlan0', ssid: 'Kai', active: true, band: '5 GHz', channel: 36, clients: 3, rx_bytes: 10, tx_bytes: 20 }],
  hotspots: [{ index: 1, ssid: 'Guests', active: true, ip: '10.0.0.1', users: 2 }],
}; // prettier-ignore

describe('the details of a device', () => {
  test('are kept as it reported them last, with the time of arrival', async () => {
    const device = await newDevice();
    expect(await read(device)).toMatchObject({ id: device.id, received_at: null, ports: null, position: null });
    await place.say(device, 'details', REPORT);
    const details = await read(device);
    expect(details).toMatchObject({
      ports: [
        { name: 'port1', speed: 1000, poe_watts: 4.5, hosts: [{ mac: '00:1E:42:00:00:02', name: 'camera' }] },
        { name: 'port2', link: false, hosts: [] },
      ],
      interfaces: [{ name: 'br-lan', addresses: ['192.168.1.1/24', 'fe80::1/64'] }],
      leases: [{ ip: '192.168.1.20', expires_at: '2027-01-15 08:00:00' }],
      routes: [{ to: 'default', via: '100.64.0.1' }],
      dns: ['1.1.1.1', '2606:4700:4700::1111'],
      pins: [{ name: 'din1' }, { name: 'relay0' }, { name: 'acl0', state: 12.5, unit: 'mA' }],
      position: { latitude: 60.39299, satellites: 9 },
      modems: [{ model: 'RG520N' }, { name: '2', signal: -91 }],
      wireless: [{ ssid: 'Kai', clients: 3 }],
      hotspots: [{ users: 2 }],
    });
    expect(details.received_at).toBe(details.changed_at);
    expect(check(details)).toEqual([]);
    expect((await (await admin()).get(`/devices/${device.id}`)).data).toMatchObject({ id: device.id });
  });

  test('say whether the settings have changed since the last backup', async () => {
    const device = await newDevice();
    const backup = async () => {
      const { backed_up_at, has_changed_since_backup } = await read(device);
      return [backed_up_at, has_changed_since_backup];
    };
    await place.say(device, 'details', { ...REPORT, settings: 'a1b2c3' });
    expect(await backup()).toEqual([null, null]);
    await (await admin()).post('/devices/actions', { action: 'download_backup', device_id: [device.id] });
    await place.world.ctx.jobs.settled();
    const command = place.channel.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command;
    const signed = { authorization: `Basic ${Buffer.from(`${device.device_key}:secret`).toString('base64')}` };
    const given = { body: multipartBody([filePart('settings', 'backup.tar.gz')]), headers: multipartHeaders(signed) };
    expect((await send(place.world, 'POST', `/device-files/${command?.id}`, given)).status).toBe(200);
    expect(await backup()).toEqual([expect.stringMatching(/^2026/), null]);
    await place.say(device, 'details', { ...REPORT, settings: 'a1b2c3' });
    expect((await backup())[1]).toBe(false);
    await place.say(device, 'details', { ...REPORT, settings: 'ffffff' });
    expect((await backup())[1]).toBe(true);
    await place.say(device, 'details', { ...REPORT, settings: '<b>' });
    expect((await backup())[1]).toBe(null);
  });

  test('count as changed when something else is said, not when counters and signals move', async () => {
    const device = await newDevice();
    await place.say(device, 'details', REPORT);
    const first = await read(device);
    await place.world.clock.jump(15 * MINUTE);
    await place.say(device, 'details', { ...REPORT, modems: [{ ...REPORT.modems[0], signal: -75 }, REPORT.modems[1]] });
    const second = await read(device);
    expect([second.changed_at === first.changed_at, second.received_at === first.received_at]).toEqual([true, false]);
    await place.say(device, 'details', { ...REPORT, ports: [{ name: 'port1', link: false }] });
    expect((await read(device)).changed_at).toBe(second.received_at);
  });

  test('a hostile report is cut to its limits, wrong members are dropped, and what is kept fits the schema [AC6]', async () => {
    const device = await newDevice();
    const many = <T>(one: (index: number) => T): T[] => Array.from({ length: 500 }, (_, index) => one(index));
    await place.say(device, 'details', {
      ports: many((index) => ({ name: `p${index}`, hosts: many(() => ({ mac: '00:1E:42:00:00:02', name: 'x'.repeat(9999) })) })),
      interfaces: many((index) => ({ name: `\u001b[31mif${index}\u202e`, mtu: 1e99, addresses: many(() => '10.0.0.1/8') })),
      leases: [{ mac: 'no', ip: '1.1.1.1' }, { mac: '00:1E:42:00:00:02', ip: 'javascript:alert(1)' }, null, 7, [[]]],
      routes: many(() => ({ to: '10.0.0.0/8', via: '<b>', metric: -1 })),
      dns: many(() => '1.1.1.1'),
      pins: many((index) => ({ name: `in${index}`, direction: 'in', state: 1 })),
      position: { lat: 91, lon: 0 },
      modems: { 0: 'no list' },
      wireless: 'none',
      hotspots: [{ index: 'one' }],
      __proto__: { admin: true },
    });
    const details = await read(device);
    expect(check(details)).toEqual([]);
    expect([details.ports.length, details.interfaces.length, details.routes.length, details.dns.length, details.pins.length]).toEqual([
      64, 64, 128, 8, 32,
    ]);
    expect(details.ports.reduce((sum: number, { hosts }: { hosts: unknown[] }) => sum + hosts.length, 0)).toBe(128);
    expect(details.interfaces[0]).toEqual({ name: 'if0', up: null, mac: null, mtu: null, addresses: Array(8).fill('10.0.0.1/8') });
    expect([details.leases, details.position, details.modems, details.wireless, details.hotspots]).toEqual([[], null, null, null, []]);
    expect(JSON.stringify(details).length).toBeLessThan(64 * 1024);
  });

  test('come at most six times a minute', async () => {
    const device = await newDevice();
    for (let turn = 0; turn < 8; turn += 1) await place.say(device, 'details', { dns: [`10.0.0.${turn}`] });
    expect((await read(device)).dns).toEqual(['10.0.0.5']);
    await place.world.clock.jump(MINUTE);
    await place.say(device, 'details', { dns: ['10.0.0.9'] });
    expect((await read(device)).dns).toEqual(['10.0.0.9']);
  });

  test('of a device that is not activated or is in quarantine are not taken', async () => {
    for (const values of [{ status: null }, { status: 2, quarantine: 'rejoin' }] as const) {
      const device = await newDevice(values);
      await place.say(device, 'details', REPORT);
      expect((await read(device)).received_at).toBeNull();
    }
  });
});

describe('the history of inputs, outputs and places', () => {
  test('has each change of an input once, as texts over time and for the public API', async () => {
    const device = await newDevice();
    await place.say(device, 'details', REPORT);
    await place.world.clock.jump(HOUR);
    const pins = [{ ...REPORT.pins[0], state: 1 }, ...REPORT.pins.slice(1)];
    await place.say(device, 'details', { ...REPORT, pins });
    await place.say(device, 'details', { ...REPORT, pins });
    await place.world.clock.jump(MINUTE);
    const changes = await read(device, 'information/io');
    expect(changes.map(({ pin, state }: { pin: string; state: number }) => [pin, state])).toEqual([['din1', 0], ['relay0', 0], ['din1', 1]]); // prettier-ignore
    const { states } = (await (await admin()).get(`/devices/${device.id}/series`, { states: 'pin_din1', metrics: 'pin_acl0' })).data;
    expect(states[0].spans.map(([, , value]: [number, number, string]) => value)).toEqual(['0', '1']);
  });

  test('has a place when the device has moved, not when the place trembles', async () => {
    const device = await newDevice();
    const at = (lat: number) => ({ ...REPORT, position: { ...REPORT.position, lat } });
    for (const lat of [60.39299, 60.39301, 60.39303, 60.39399]) {
      await place.say(device, 'details', at(lat));
      await place.world.clock.jump(MINUTE);
    }
    const places = await read(device, 'locations/history');
    expect(places.map(({ latitude }: { latitude: number }) => latitude)).toEqual([60.39299, 60.39399]);
    expect((await read(device, 'information/gps'))[0]).toMatchObject({ satellites: 9, altitude: 12 });
    await place.world.clock.jump(2 * DAY);
    expect(await read(device, 'locations/history')).toEqual([]);
  });

  test('is no way to fill the disk: it counts as readings', async () => {
    const { world, say } = await makeReportingWorld({ config: { telemetryPerHour: 40 } });
    await using _world = world;
    const device = await makeDevice(world);
    const pins = (state: number) => Array.from({ length: 32 }, (_, index) => ({ name: `in${index}`, direction: 'in', state }));
    for (let turn = 0; turn < 5; turn += 1) await say(device, 'details', { pins: pins(turn % 2) });
    const rows = await world.ctx.db.selectFrom('device_states').selectAll().where('device_id', '=', device.id).execute();
    expect(rows.length).toBeLessThanOrEqual(40);
    expect(rows.length).toBeGreaterThan(30);
  });
});

describe('what is asked of a device', () => {
  test('details, places and ports of a device out of sight are not found [AC2]', async () => {
    const foreign = await makeDevice(place.world);
    for (const path of ['details', 'locations/history', 'information/io', 'information/gps'])
      for (const id of [foreign.id, 987_654_321])
        expect([path, (await (await admin()).get(`/devices/${id}/${path}`)).status]).toEqual([path, 404]);
  });

  test('a scan of ports, which the public API starts by a GET, is for programs: no page can make a browser start one [SE2]', async () => {
    const [own, foreign] = [await newDevice({ status: 1 }), await makeDevice(place.world)];
    const caller = await admin();
    expect((await caller.get(`/devices/${own.id}/port-scan`)).status).toBe(403);
    const { secret } = await makeAccessToken(place.world, { user: caller.user, scopes: ['execute_device_actions'] });
    const ask = (id: number) => send(place.world, 'GET', `/devices/${id}/port-scan`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await ask(own.id)).meta['channel']).toMatch(/^jobs\./);
    expect((await ask(foreign.id)).status).not.toBe(200);
  });

  test('an output is switched by a job with the verb io', async () => {
    const device = await newDevice({ status: 1 });
    const { meta, status } = await (await admin()).post('/devices/io', { device_id: [device.id], pin: 'relay0', state: 'on' });
    expect(status).toBe(200);
    const job = await place.world.ctx.db.selectFrom('jobs').selectAll().where('id', '=', Number(meta['job_id'])).executeTakeFirstOrThrow();
    expect([job.kind, JSON.parse(job.input)]).toEqual(['io', { pin: 'relay0', state: 'on' }]);
    const wrong = await (await admin()).post('/devices/io', { device_id: [device.id], pin: 'relay0\nx', state: 'on' });
    expect(wrong.status).toBe(400);
    const guest = await as(place.world, 'read_only', { company });
    expect((await guest.post('/devices/io', { device_id: [device.id], pin: 'relay0', state: 'on' })).status).toBe(403);
  });
});

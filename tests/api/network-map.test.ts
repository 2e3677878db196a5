import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostChange, NetworkMap } from '../../schemas/kit/devices/network-map.ts';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

let place: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: { id: number };

beforeAll(async () => {
  place = await makeReportingWorld();
  company = await makeCompany(place.world);
});
afterAll(() => place?.world[Symbol.asyncDispose]());

/** A session of its own for each use: time passes in these tests, and sessions end. */
const admin = () => as(place.world, 'admin', { company });
const mac = (number: number): string => `02:00:00:00:00:${number.toString(16).padStart(2, '0').toUpperCase()}`;
const host = (number: number, name?: string) => ({ mac: mac(number), ip: `192.168.1.${number}`, name });
const port = (name: string, ...hosts: object[]) => ({ name, link: hosts.length > 0, hosts });
const readMap = async (path: string): Promise<NetworkMap> => (await (await admin()).get(`${path}/network-map`)).data;
const parents = ({ nodes }: NetworkMap) => Object.fromEntries(nodes.map(({ id, parent }) => [id, parent]));
const short = (changes: HostChange[]) => changes.map(({ kind, mac: address, former_port, port: at }) => [kind, address, former_port, at]);
const newDevice = (values: Partial<Row<'devices'>> = {}) => makeDevice(place.world, { company, status: 1, ...values });

test('the network map of a device shows its ports, hosts and Wi-Fi clients below it', async () => {
  const device = await newDevice({ name: 'Quay router' });
  await place.say(device, 'details', {
    ports: [port('lan1', host(1, 'camera')), port('lan2')],
    leases: [host(2, 'printer')],
    wireless: [{ interface: 'wlan0', ssid: 'Kai', active: true, channel: 6, clients: 1, macs: [mac(3), mac(3), 'no address'] }],
  });
  const map = await readMap(`/devices/${device.id}`);
  const top = `d${device.id}`;
  expect(parents(map)).toEqual({
    [top]: null,
    [`${top}/lan1`]: top,
    [`${top}/wlan0`]: top,
    [`h${mac(1)}`]: `${top}/lan1`,
    [`h${mac(2)}`]: top,
    [`h${mac(3)}`]: `${top}/wlan0`,
  });
  expect(map.nodes.find(({ id }) => id === `h${mac(1)}`)).toMatchObject({ kind: 'host', name: 'camera', ip: '192.168.1.1' });
  expect(map.nodes.find(({ id }) => id === `h${mac(3)}`)).toMatchObject({ kind: 'station' });
  expect(map).toMatchObject({ changes: [], silent_devices: 0, is_cut: false });
});

test('a network map tells which hosts are new, gone or at another port since yesterday, and no longer a day after', async () => {
  const device = await newDevice();
  const path = `/devices/${device.id}`;
  await place.say(device, 'details', { ports: [port('lan1', host(1), host(2)), port('lan2', host(3))] });
  await place.world.clock.jump(2 * DAY);
  expect((await readMap(path)).changes).toEqual([]);
  await place.say(device, 'details', { ports: [port('lan1', host(1)), port('lan2', host(2), host(4))] });
  const map = await readMap(path);
  expect(short(map.changes).toSorted()).toEqual([
    ['gone', mac(3), null, 'lan2'],
    ['moved', mac(2), 'lan1', 'lan2'],
    ['new', mac(4), null, 'lan2'],
  ]);
  expect(map.nodes.find(({ id }) => id === `h${mac(3)}`)).toMatchObject({ change: 'gone', parent: `d${device.id}/lan2` });
  await place.world.clock.jump(HOUR);
  // Who came and went within the day is no change, and who moved back neither.
  await place.say(device, 'details', { ports: [port('lan1', host(1), host(2)), port('lan2', host(3))] });
  expect(short((await readMap(path)).changes)).toEqual([]);
  await place.world.clock.jump(HOUR);
  await place.say(device, 'details', { ports: [port('lan1', host(1)), port('lan2', host(2), host(3))] });
  expect(short((await readMap(path)).changes)).toEqual([['moved', mac(2), 'lan1', 'lan2']]);
  await place.world.clock.jump(DAY + MINUTE);
  expect((await readMap(path)).changes).toEqual([]);
});

test('on the network map of a site devices hang on the ports of those that see them, and hosts on the nearest one', async () => {
  const router = await newDevice({ name: 'Router', mac: mac(0xa1) });
  const cabinet = await newDevice({ name: 'Switch', mac: mac(0xb1) });
  const lonely = await newDevice({ name: 'Lonely', mac: mac(0xc1) });
  const site = await (await admin()).post('/sites', { company_id: company.id, name: 'Quay', router_id: router.id });
  await (await admin()).put('/devices/site', { device_id: [router.id, cabinet.id, lonely.id], site_id: site.data.id });
  await place.say(router, 'details', {
    ports: [port('lan1', host(1), host(2), { mac: mac(0xb1) }), port('lan2', host(3))],
    leases: [host(1, 'camera')],
  });
  // At its first port the switch sees all that is behind the router.
  await place.say(cabinet, 'details', { ports: [port('p1', { mac: mac(0xa1) }, host(3)), port('p2', host(1)), port('p3', host(2))] });
  const map = await readMap(`/sites/${site.data.id}`);
  expect(parents(map)).toMatchObject({
    [`d${router.id}`]: null,
    [`d${cabinet.id}`]: `d${router.id}/lan1`,
    [`d${lonely.id}`]: `d${router.id}`,
    [`h${mac(1)}`]: `d${cabinet.id}/p2`,
    [`h${mac(2)}`]: `d${cabinet.id}/p3`,
    [`h${mac(3)}`]: `d${router.id}/lan2`,
  });
  expect(map.nodes.find(({ id }) => id === `h${mac(1)}`)).toMatchObject({ name: 'camera' });
  expect(map.silent_devices).toBe(1);
});

test('a network map is found by those alone who see the device or the site', async () => {
  const device = await newDevice();
  const site = await (await admin()).post('/sites', { company_id: company.id, name: 'Closed' });
  const stranger = await as(place.world, 'admin', { company: await makeCompany(place.world) });
  expect((await stranger.get(`/devices/${device.id}/network-map`)).status).toBe(404);
  expect((await stranger.get(`/sites/${site.data.id}/network-map`)).status).toBe(404);
});

test('a device that invents hosts all the time fills no database', async () => {
  const device = await newDevice();
  const crowd = (round: number) =>
    Array.from({ length: 128 }, (_, index) => ({
      mac: `02:00:00:00:${round.toString(16).padStart(2, '0')}:${index.toString(16).padStart(2, '0')}`,
      ip: '10.0.0.1',
    }));
  for (let round = 0; round < 12; round += 1) {
    await place.say(device, 'details', { leases: crowd(round) });
    await place.world.clock.jump(HOUR);
  }
  const { count } = await place.world.ctx.db
    .selectFrom('device_hosts')
    .select((is) => is.fn.countAll().as('count'))
    .where('device_id', '=', device.id)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBeLessThan(1200);
});

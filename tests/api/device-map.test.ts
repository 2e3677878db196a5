import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
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

type Place = readonly [latitude: number, longitude: number];

async function makePlaced(name: string, [user_set_latitude, user_set_longitude]: Place, given: object = {}) {
  const device = await makeDevice(world, { company, name, status: 1, ...given });
  expect((await admin.put(`/devices/${device.id}`, { name, user_set_latitude, user_set_longitude })).status).toBe(200);
  return device;
}
const say = (device: { device_key: string }, details: object) =>
  channel.handlers?.deliver([
    { kind: 'message', message: { deviceKey: device.device_key, topic: 'details', payload: { v: 1, ...details } } },
  ]);
interface Mark {
  count: number;
  online: number;
  offline: number;
  latitude: number;
  longitude: number;
  device: { id: number; name: string } | null;
}
async function marksAt(zoom: number, query: Record<string, string> = {}): Promise<Mark[]> {
  const answer = await admin.get('/devices/map', { zoom: String(zoom), ...query });
  expect(answer.status).toBe(200);
  return answer.data['marks'] as Mark[];
}
const namesIn = async (area: string): Promise<string[]> => {
  const answer = await admin.get('/devices', { area, sort: 'name', limit: '100' });
  expect(answer.status).toBe(200);
  return answer.data.map(({ name }: { name: string }) => name);
};

test('devices that lie together are one mark of the map until it is near enough, with how many are online [M3]', async () => {
  await makePlaced('quay 1', [60.3951, 5.3221]);
  await makePlaced('quay 2', [60.3957, 5.3241], { status: 0 });
  await makePlaced('far away', [-33.87, 151.2]);
  const from = await marksAt(3);
  expect(from).toHaveLength(2);
  expect(from[0]).toMatchObject({ count: 2, online: 1, offline: 1, device: null });
  expect(from[0]?.latitude).toBeCloseTo(60.3954, 3);
  expect(from[1]?.device?.name).toBe('far away');
  const near = await marksAt(18, { area: '60:5,61:6' });
  expect(near.map((mark) => mark.device?.name).toSorted()).toEqual(['quay 1', 'quay 2']);
  expect(await marksAt(3, { status: 'offline' })).toMatchObject([{ count: 1, device: { name: 'quay 2' } }]);
});

test('the map shows nothing of other companies, and a device there has no location', async () => {
  const other = await makeCompany(world);
  const theirs = await makeDevice(world, { company: other, name: 'theirs' });
  const owner = await as(world, 'admin', { company: other });
  const place = { user_set_latitude: 1.5, user_set_longitude: 2.5 };
  expect((await owner.put(`/devices/${theirs.id}`, { name: 'theirs', ...place })).status).toBe(200);
  expect(await namesIn('1:2,2:3')).toEqual([]);
  expect(await marksAt(10, { area: '1:2,2:3' })).toEqual([]);
  expect((await admin.get(`/devices/${theirs.id}/location`)).status).toBe(404);
  expect((await owner.get(`/devices/${theirs.id}/location`)).data).toMatchObject({ latitude: 1.5, longitude: 2.5, source: 'user' });
});

test('a device is where it reports to be, or where people say while they do', async () => {
  const device = await makeDevice(world, { company, name: 'van', status: 1 });
  const read = async () => (await admin.get(`/devices/${device.id}/location`)).data;
  expect(await read()).toMatchObject({ latitude: null, longitude: null, source: null, updated_at: null });
  await say(device, { position: { lat: 59.91, lon: 10.75 } });
  expect(await read()).toMatchObject({ latitude: 59.91, longitude: 10.75, source: 'gps' });
  await admin.put(`/devices/${device.id}`, { name: 'van', user_set_latitude: 10, user_set_longitude: 20 });
  await world.clock.advance(60_000);
  await say(device, { position: { lat: 58, lon: 8 } });
  expect(await read()).toMatchObject({ latitude: 10, source: 'user' });
  await admin.put(`/devices/${device.id}`, { name: 'van', user_set_latitude: null, user_set_longitude: null });
  expect(await read()).toMatchObject({ latitude: 58, longitude: 8, source: 'gps' });
  await say(device, { position: { lat: 91, lon: 8 } });
  expect(await read()).toMatchObject({ latitude: 58, longitude: 8 });
});

test('an area chooses devices as it was drawn, over the date line as well', async () => {
  await makePlaced('Fiji', [-17.7, 178.1]);
  await makePlaced('Samoa', [-13.8, -171.8]);
  await makePlaced('Tonga', [-21.1, -175.2]);
  expect(await namesIn('-30:175,-10:-170')).toEqual(['Fiji', 'Samoa', 'Tonga']);
  expect(await namesIn('-30:175,-10:190')).toEqual(['Fiji', 'Samoa', 'Tonga']);
  expect(await namesIn('-30:170,-10:180')).toEqual(['Fiji']);
  // A triangle that the others lie outside of, though inside of the rectangle around it.
  expect(await namesIn('-10:175,-10:190,-25:190')).toEqual(['Samoa']);
  expect(await namesIn('-10:-185,-10:-170,-25:-170')).toEqual(['Samoa']);
  expect(await marksAt(2, { area: '-30:175,-10:190' })).toHaveLength(2);
});

test('a job runs on the devices of an area', async () => {
  const device = await makePlaced('island', [-51.7, -57.8]);
  const selection = { query: { area: '-55:-60,-50:-60,-50:-55,-55:-55' }, count: 1 };
  const started = await admin.post('/devices/actions', { action: 'reboot', selection });
  expect(started.status).toBe(200);
  const targets = await world.ctx.db.selectFrom('job_targets').selectAll().where('device_id', '=', device.id).execute();
  expect(targets).toHaveLength(1);
});

test.each(['x:1,2:3', '91:0,92:1', '1:2', '1:2,3:800', '1;2,3:4', Array.from({ length: 99 }, () => '1:1e9').join(',')])(
  'what is no area is refused by name: %s',
  async (area) => {
    const answer = await admin.get('/devices', { area });
    expect(answer).toMatchObject({ status: 400, errors: [{ source: 'area' }] });
  },
);

test.each(['', '-1', '20', '1.5', 'x'])('a map of no zoom is refused: "%s"', async (zoom) => {
  expect((await admin.get('/devices/map', { zoom })).errors[0]?.source).toBe('zoom');
});

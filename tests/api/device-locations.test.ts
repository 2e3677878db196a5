import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
const place = async (id: number, by = admin) => {
  const { data } = await by.get(`/devices/${id}/location`);
  return [data.latitude, data.longitude];
};

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a list says where devices are, each by serial number, MAC address or name', async () => {
  const [one, two, three] = [
    await makeDevice(world, { company, serial: '4711' }),
    await makeDevice(world, { company, mac: '00:1E:42:AA:BB:CC' }),
    await makeDevice(world, { company, name: 'ferry' }),
  ];
  const locations = [
    { device: '4711', latitude: 60.4, longitude: 5.3 },
    { device: ' 001e42aabbcc ', latitude: -16.5, longitude: 179.9 },
    { device: 'ferry', latitude: 0, longitude: 0 },
  ];
  expect(await admin.post('/devices/locations', { locations })).toMatchObject({ status: 200, data: [one.id, two.id, three.id] });
  expect([await place(one.id), await place(two.id), await place(three.id)]).toEqual([
    [60.4, 5.3],
    [-16.5, 179.9],
    [0, 0],
  ]);
});

test('each line that names no device, several, or one again is refused at its place, and nothing is saved', async () => {
  const stranger = await makeDevice(world, { company: await makeCompany(world), serial: '9999' });
  const own = await makeDevice(world, { company, serial: '1234' });
  await makeDevice(world, { company, name: 'twin' });
  await makeDevice(world, { company, name: 'twin' });
  const at = (device: string) => ({ device, latitude: 1, longitude: 2 });
  const { errors } = await admin.post('/devices/locations', {
    locations: [at('1234'), at('nobody'), at('9999'), at('twin'), at('1234')],
  });
  expect(errors.map(({ code, source }: { code: string; source?: string }) => [code, source])).toEqual([
    ['NOT_FOUND', 'locations.1.device'],
    ['NOT_FOUND', 'locations.2.device'],
    ['INVALID_FIELD', 'locations.3.device'],
    ['INVALID_FIELD', 'locations.4.device'],
  ]);
  expect(await place(own.id)).toEqual([null, null]);
  expect(await place(stranger.id, await as(world, 'super_admin'))).toEqual([null, null]);
  const high = await admin.post('/devices/locations', { locations: [{ device: '1234', latitude: 91, longitude: 0 }] });
  expect(high.errors[0]?.source).toBe('locations.0.latitude');
});

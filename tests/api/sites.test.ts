import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
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
async function makeSite(given: object = {}): Promise<number> {
  number += 1;
  const answer = await admin.post('/sites', { company_id: company.id, name: `Quay ${number}`, ...given });
  expect(answer.status).toBe(201);
  return answer.data['id'];
}
const put = (ids: number[], site_id: number | null, caller = admin) => caller.put('/devices/site', { device_id: ids, site_id });
const read = async (path: string) => (await admin.get(path)).data;

test('a site knows its devices, and a device its site, in lists, filters and exports', async () => {
  const site = await makeSite({ name: 'Strandkaien' });
  const [one, other] = [
    await makeDevice(world, { company, name: 'one', status: 1 }),
    await makeDevice(world, { company, name: 'other', status: 0 }),
  ];
  expect((await put([one.id, other.id], site)).status).toBe(200);
  expect(await read(`/sites/${site}`)).toMatchObject({ devices_count: 2, offline_count: 1, company_name: company.name });
  expect(await read(`/devices/${one.id}`)).toMatchObject({ site_id: site, site_name: 'Strandkaien' });
  const listed = await admin.get('/devices', { site_id: String(site), sort: 'name', fields: 'name,site_name' });
  expect(listed.data).toMatchObject([{ name: 'one', site_name: 'Strandkaien' }, { name: 'other' }]);
  expect((await admin.get('/devices/export/csv', { site_id: String(site), fields: 'name,site_name' })).text).toContain('Strandkaien');
  expect((await put([one.id], null)).status).toBe(200);
  expect((await admin.get('/devices', { site_id: String(site) })).data).toHaveLength(1);
  expect((await admin.get('/devices', { 'ne:site_id': String(site), q: 'one' })).data).toHaveLength(1);
});

test('devices without a position are on the map where their site is, and move with it', async () => {
  const site = await makeSite({ latitude: 60, longitude: 5 });
  const device = await makeDevice(world, { company, name: 'unplaced' });
  await put([device.id], site);
  expect(await read(`/devices/${device.id}/location`)).toMatchObject({ latitude: 60, longitude: 5, source: 'site' });
  const { name } = await read(`/sites/${site}`);
  expect((await admin.put(`/sites/${site}`, { name, latitude: 61, longitude: 6 })).status).toBe(200);
  expect(await read(`/devices/${device.id}/location`)).toMatchObject({ latitude: 61, source: 'site' });
  await admin.put(`/devices/${device.id}/location`, { user_set_latitude: 1, user_set_longitude: 2 });
  expect(await read(`/devices/${device.id}/location`)).toMatchObject({ latitude: 1, source: 'user' });
  await admin.put(`/devices/${device.id}/location`, { user_set_latitude: null, user_set_longitude: null });
  expect((await admin.delete(`/sites/${site}`)).status).toBe(200);
  expect(await read(`/devices/${device.id}/location`)).toMatchObject({ latitude: null, source: null });
  expect(await read(`/devices/${device.id}`)).toMatchObject({ site_id: null, site_name: null });
});

test('a device is at sites of its own company and those above it only', async () => {
  const site = await makeSite();
  const beside = await makeCompany(world);
  const theirs = await makeDevice(world, { company: beside });
  const root = await as(world, 'super_admin', { company });
  expect(await put([theirs.id], site, root)).toMatchObject({ errors: [{ code: 'INVALID_FIELD', source: 'site_id' }] });
  expect((await put([theirs.id], site)).status).toBe(404);
  const stranger = await as(world, 'admin', { company: beside });
  expect((await stranger.get(`/sites/${site}`)).status).toBe(404);
  expect((await stranger.get('/devices', { site_id: String(site) })).data).toEqual([]);
  expect((await put([theirs.id], site, stranger)).errors[0]?.source).toBe('site_id');
});

test('a device that moves to another company leaves its site', async () => {
  const site = await makeSite({ latitude: 3, longitude: 4 });
  const device = await makeDevice(world, { company });
  await put([device.id], site);
  const beside = await makeCompany(world);
  const root = await as(world, 'super_admin', { company });
  const { meta } = await root.post('/devices/move', { device_id: [device.id], company_id: beside.id });
  await world.ctx.jobs.settled();
  expect(meta).toHaveProperty('job_id');
  expect(await world.ctx.db.selectFrom('device_sites').selectAll().where('device_id', '=', device.id).execute()).toEqual([]);
  expect((await root.get(`/devices/${device.id}/location`)).data).toMatchObject({ latitude: null });
});

test('a site has a name of its own in its company, and a whole position or none', async () => {
  await makeSite({ name: 'Depot' });
  expect((await admin.post('/sites', { company_id: company.id, name: 'Depot' })).errors[0]).toMatchObject({
    code: 'NAME_TAKEN',
    source: 'name',
  });
  expect((await admin.post('/sites', { company_id: company.id, name: 'Half', latitude: 3 })).errors[0]?.source).toBe('longitude');
  expect((await admin.post('/sites', { company_id: company.id, name: 'Far', latitude: 91, longitude: 0 })).errors[0]?.source).toBe(
    'latitude',
  );
  const guest = await as(world, 'read_only', { company });
  expect((await guest.post('/sites', { company_id: company.id, name: 'Guest' })).status).toBe(403);
});

test('what happens to a site and to the site of a device is in the history', async () => {
  const site = await makeSite();
  const device = await makeDevice(world, { company });
  await put([device.id], site);
  const rows = await world.ctx.db
    .selectFrom('audit')
    .select(['action', 'entity_id'])
    .where('action', 'in', ['sites.new', 'devices.site'])
    .execute();
  expect(rows).toContainEqual({ action: 'sites.new', entity_id: site });
  expect(rows).toContainEqual({ action: 'devices.site', entity_id: device.id });
});

test('devices are placed on the plan of a floor, and those of others stay where they are', async () => {
  const below = await makeCompany(world, { parent: company });
  const guest = await as(world, 'admin', { company: below });
  const site = await makeSite({ name: 'Hall 3' });
  const [own, foreign] = [await makeDevice(world, { company, status: 1 }), await makeDevice(world, { company: below, status: 0 })];
  await put([own.id, foreign.id], site);
  const path = `/sites/${site}/plan`;
  const spots = [
    { device_id: own.id, x: 10, y: 20.5 },
    { device_id: foreign.id, x: 90, y: 80 },
  ];
  expect(await read(path)).toEqual({ image_id: null, spots: [] });
  expect((await admin.put(path, { image_id: null, spots })).status).toBe(200);
  expect((await read(path)).spots).toMatchObject([
    { ...spots[0], status: 1 },
    { ...spots[1], status: 0, name: foreign.name },
  ]);
  // A site above is not theirs.
  expect((await guest.get(path)).status).toBe(404);
  expect((await admin.put(path, { image_id: null, spots: [spots[0], spots[0]] })).errors).toMatchObject([{ source: 'spots.1.device_id' }]);
  expect((await admin.put(path, { image_id: 987_654_321, spots: [] })).errors).toMatchObject([{ source: 'image_id' }]);
  const elsewhere = await makeDevice(world, { company });
  expect((await admin.put(path, { image_id: null, spots: [{ device_id: elsewhere.id, x: 1, y: 1 }] })).status).toBe(404);
  expect((await admin.put(path, { image_id: null, spots: [{ ...spots[0], x: 101 }] })).status).toBe(400);
  await put([foreign.id], null);
  expect((await read(path)).spots).toHaveLength(1);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let device: Awaited<ReturnType<typeof makeDevice>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  device = await makeDevice(world, { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const notesOf = async (caller: Caller) => (await caller.get(`/devices/notes?device_id=${device.id}&sort=-id`)).data;

test('a note keeps who wrote it and when, is changed by its author alone, and is in the history of the device', async () => {
  const { data, status } = await admin.post('/devices/notes', { device_id: device.id, text: 'Antenna replaced' });
  expect(status).toBe(201);
  const colleague = await as(world, 'admin', { company });
  expect(await notesOf(colleague)).toMatchObject([{ text: 'Antenna replaced', is_own: false, created_at: expect.any(String) }]);
  expect((await colleague.put(`/devices/notes/${data.id}`, { text: 'No' })).status).toBe(403);
  expect((await admin.put(`/devices/notes/${data.id}`, { text: 'Antenna and cable replaced' })).data).toMatchObject({ is_own: true });
  expect((await colleague.delete(`/devices/notes/${data.id}`)).status).toBe(200);
  expect(await notesOf(admin)).toEqual([]);
  const history = await admin.get(`/history?entity=device&entity_id=${device.id}`);
  expect(history.data.map((entry: { action: string }) => entry.action)).toEqual([
    'device-notes.remove',
    'device-notes.edit',
    'device-notes.new',
  ]);
});

test('notes go with the device to another company, and no other company reads, writes or removes them [AC9]', async () => {
  const other = await makeCompany(world);
  const stranger = await as(world, 'admin', { company: other });
  const { data } = await admin.post('/devices/notes', { device_id: device.id, text: 'Key at the reception' });
  expect(await notesOf(stranger)).toEqual([]);
  expect((await stranger.post('/devices/notes', { device_id: device.id, text: 'Mine' })).status).toBe(404);
  for (const call of [
    stranger.get(`/devices/notes/${data.id}`),
    stranger.put(`/devices/notes/${data.id}`, { text: 'Mine' }),
    stranger.delete(`/devices/notes/${data.id}`),
  ])
    expect((await call).status).toBe(404);
  await world.ctx.db.updateTable('devices').set({ company_id: other.id }).where('id', '=', device.id).execute();
  expect(await notesOf(stranger)).toMatchObject([{ text: 'Key at the reception' }]);
  expect(await notesOf(admin)).toEqual([]);
});

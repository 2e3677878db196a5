import { expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole, makeTag } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const numberOf = (answer: { headers: Record<string, unknown> }) => ({ request_id: String(answer.headers['x-request-id']) });

test('a person without the history undoes what an own call has just done, to all its records, once [T11]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const role = await makeRole(world, { company, permissions: ['view_devices', 'view_tags', 'update_tags'] });
  const caller = await as(world, role, { company });
  const tag = await makeTag(world, { company });
  const devices = [await makeDevice(world, { company }), await makeDevice(world, { company, tags: [tag] })];
  const answer = await caller.put('/devices/tags/assign', { device_id: devices.map(({ id }) => id), tag_id: [tag.id] });
  expect((await caller.post('/history/undo', numberOf(answer))).status).toBe(200);
  const carried = await world.ctx.db.selectFrom('device_tags').select('device_id').where('tag_id', '=', tag.id).execute();
  expect(carried).toEqual([{ device_id: devices[1]?.id }]);
  expect((await caller.post('/history/undo', numberOf(answer))).codes).toEqual(['UNDONE_ALREADY']);
});

test("nobody undoes another person's call by its number, nor an own one after ten minutes [T11]", async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const caller = await as(world, 'admin', { company });
  const colleague = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, name: 'Quay 4' });
  const answer = await caller.put(`/devices/${device.id}`, { name: 'Quay 5' });
  expect((await colleague.post('/history/undo', numberOf(answer))).status).toBe(404);
  expect((await caller.post('/history/undo', { request_id: 'nothing' })).status).toBe(404);
  const { id: _id, ...row } = await world.ctx.db
    .selectFrom('audit')
    .selectAll()
    .where('request_id', '=', numberOf(answer).request_id)
    .executeTakeFirstOrThrow();
  await world.ctx.db
    .insertInto('audit')
    .values({ ...row, request_id: 'long-ago', at: world.clock.now() - 11 * MINUTE })
    .execute();
  expect((await caller.post('/history/undo', { request_id: 'long-ago' })).status).toBe(404);
  expect((await caller.get(`/devices/${device.id}`)).data.name).toBe('Quay 5');
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let tag: Awaited<ReturnType<typeof makeTag>>;
let ferry: Awaited<ReturnType<typeof makeDevice>>;
let quay: Awaited<ReturnType<typeof makeDevice>>;

const carriers = async (id = tag.id): Promise<number[]> => {
  const rows = await world.ctx.db.selectFrom('device_tags').select('device_id').where('tag_id', '=', id).orderBy('device_id').execute();
  return rows.map((row) => row.device_id);
};

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  tag = await makeTag(world, { company });
  ferry = await makeDevice(world, { company, model: 'RUTX50', name: 'ferry' });
  quay = await makeDevice(world, { company, model: 'RUT241', name: 'quay' });
  // Of another company, so never found by the rule.
  await makeDevice(world, { company: await makeCompany(world), model: 'RUTX50' });
});
// The clock moves past the life of a session's token.
beforeEach(async () => {
  admin = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a rule puts its tag on the devices that match, and takes it off the others', async () => {
  await admin.put('/devices/tags/assign', { device_id: [quay.id], tag_id: [tag.id] });
  expect((await admin.get(`/tags/${tag.id}/rule`)).data).toEqual({});
  expect((await admin.put(`/tags/${tag.id}/rule`, { model: 'RUTX50' })).data).toEqual({ changed: 2 });
  expect(await carriers()).toEqual([ferry.id]);
  expect((await admin.get(`/tags/${tag.id}/rule`)).data).toMatchObject({ model: 'RUTX50', checked_at: expect.any(String) });
});

test('devices that match later get the tag within five minutes, and lose it when they match no more', async () => {
  const late = await makeDevice(world, { company, model: 'RUTX50' });
  await world.clock.advance(6 * MINUTE);
  expect(await carriers()).toEqual([ferry.id, late.id]);
  await world.ctx.db.updateTable('devices').set({ model: 'RUT241' }).where('id', '=', late.id).execute();
  await world.clock.advance(6 * MINUTE);
  expect(await carriers()).toEqual([ferry.id]);
});

test('nobody changes by hand who carries such a tag, also not by replacing all tags of a device', async () => {
  for (const mode of ['assign', 'unassign'])
    expect((await admin.put(`/devices/tags/${mode}`, { device_id: [ferry.id, quay.id], tag_id: [tag.id] })).errors[0]).toMatchObject({
      code: 'TAG_HAS_RULE',
      source: 'tag_id',
    });
  const other = await makeTag(world, { company });
  expect((await admin.put('/devices/tags/overwrite', { device_id: [ferry.id], tag_id: [other.id] })).status).toBe(200);
  expect([await carriers(), await carriers(other.id)]).toEqual([[ferry.id], [ferry.id]]);
});

test('an empty rule, and a filter that the person may not use, are refused', async () => {
  expect((await admin.put(`/tags/${tag.id}/rule`, {})).status).toBe(400);
  expect((await admin.put(`/tags/${tag.id}/rule`, { model: '' })).errors[0]?.source).toBe('model');
  expect((await admin.get(`/tags/${tag.id}/rule`)).data).toMatchObject({ model: 'RUTX50' });
});

test('the tag of another company is as unknown', async () => {
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  for (const answer of [
    await stranger.get(`/tags/${tag.id}/rule`),
    await stranger.put(`/tags/${tag.id}/rule`, { model: 'RUTX50' }),
    await stranger.delete(`/tags/${tag.id}/rule`),
  ])
    expect(answer.codes).toEqual(['NOT_FOUND']);
});

test('a removed tag comes back with its rule', async () => {
  const kept = await makeTag(world, { company });
  await admin.put(`/tags/${kept.id}/rule`, { model: 'RUT241' });
  const removed = await admin.delete(`/tags/${kept.id}`);
  const request_id = String(removed.headers['x-request-id'] ?? '');
  const back = await admin.post('/history/undo', { request_id });
  expect(back.status, back.text).toBe(200);
  expect((await admin.get(`/tags/${kept.id}/rule`)).data).toMatchObject({ model: 'RUT241' });
});

test('without its rule the tag stays where it is and can be moved by hand again', async () => {
  expect((await admin.delete(`/tags/${tag.id}/rule`)).status).toBe(200);
  await world.clock.advance(6 * MINUTE);
  expect(await carriers()).toEqual([ferry.id]);
  expect((await admin.put('/devices/tags/assign', { device_id: [quay.id], tag_id: [tag.id] })).status).toBe(200);
});

test('the rule of somebody who may no longer change tags leaves its tag as it is', async () => {
  const boss = await as(world, 'admin', { company });
  const own = await makeTag(world, { company });
  await boss.put(`/tags/${own.id}/rule`, { model: 'RUT241' });
  const before = await carriers(own.id);
  expect(before).toContain(quay.id);
  await world.ctx.db.updateTable('tag_rules').set({ created_by: null }).where('tag_id', '=', own.id).execute();
  await makeDevice(world, { company, model: 'RUT241' });
  await world.clock.advance(6 * MINUTE);
  expect(await carriers(own.id)).toEqual(before);
});

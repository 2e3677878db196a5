import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function tagIdsOf(world: World, deviceId: number): Promise<number[]> {
  const rows = await world.ctx.db.selectFrom('device_tags').select('tag_id').where('device_id', '=', deviceId).orderBy('tag_id').execute();
  return rows.map((row) => row.tag_id);
}

describe('tags', () => {
  test('are made, edited and removed, each with its history', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await admin.post('/tags', { company_id: top.id, name: 'ferries', description: 'On water', color: '#0958D9' });
    expect(made.status).toBe(201);
    const path = `/tags/${made.data.id}`;
    expect((await admin.get(path)).data).toMatchObject({
      name: 'ferries',
      description: 'On water',
      color: '#0958d9',
      company_name: 'Top',
      devices_count: 0,
    });
    expect((await admin.put(path, { name: 'boats' })).data).toMatchObject({ name: 'boats', description: 'On water', color: '#0958d9' });
    expect((await admin.put(path, { name: 'boats', description: '' })).data).toMatchObject({ description: null });
    expect((await admin.delete(path)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(404);
    const rows = await world.ctx.db
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .where('entity', '=', 'tag')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => row.action)).toEqual(['tags.new', 'tags.edit', 'tags.edit', 'tags.remove']);
    expect(JSON.parse(rows[1]?.before ?? '')).toMatchObject({ name: 'ferries' });
    expect(JSON.parse(rows[1]?.after ?? '')).toMatchObject({ name: 'boats' });
    expect(rows[3]?.after).toBeNull();
  });

  test('have one name once in a company', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const one = await makeTag(world, { company: top, name: 'prod' });
    const taken = await admin.post('/tags', { company_id: top.id, name: 'prod' });
    expect(taken.errors).toMatchObject([{ code: 'NAME_TAKEN', source: 'name' }]);
    expect((await admin.post('/tags', { company_id: middle.id, name: 'prod' })).status).toBe(201);
    const other = await makeTag(world, { company: top, name: 'other' });
    expect((await admin.put(`/tags/${other.id}`, { name: 'prod' })).codes).toEqual(['NAME_TAKEN']);
    expect((await admin.put(`/tags/${one.id}`, { name: 'prod', color: '#000000' })).status).toBe(200);
  });

  test.each(['red', '#12345', '#12345g', 'url(x)', '#0958d9;'])('refuse the colour %j', async (color) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answer = await admin.post('/tags', { company_id: top.id, name: 'prod', color });
    expect(answer.errors[0]).toMatchObject({ code: 'INVALID_FIELD', source: 'color' });
  });

  test('are counted on the devices that the viewer sees, and unknown outside [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    const tag = await makeTag(world, { company: middle, name: 'shared' });
    const above = await makeTag(world, { company: top, name: 'secret of the top' });
    await makeTag(world, { company: foreign, name: 'secret of others' });
    await makeDevice(world, { company: middle, tags: [tag, above] });
    await makeDevice(world, { company: bottom, tags: [tag] });
    const admin = await as(world, 'admin', { company: middle });
    const client = await as(world, 'end_user', { company: middle });
    expect((await admin.get('/tags')).data).toMatchObject([{ name: 'shared', devices_count: 2 }]);
    expect((await client.get('/tags')).data).toMatchObject([{ name: 'shared', devices_count: 1 }]);
    for (const call of [`/tags/${above.id}`, '/devices', '/devices?fields=tags', '/devices/export/csv', '/devices/statistics']) {
      expect((await admin.get(call)).text).not.toContain('secret');
    }
    expect((await admin.put(`/tags/${above.id}`, { name: 'mine now' })).status).toBe(404);
    expect((await admin.delete(`/tags/${above.id}`)).status).toBe(404);
  });

  test('are sorted by the number of devices, filtered by company and found by text', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const few = await makeTag(world, { company: top, name: 'few' });
    const many = await makeTag(world, { company: middle, name: 'many', description: 'the crowd' });
    await makeDevice(world, { company: middle, tags: [few, many] });
    await makeDevice(world, { company: middle, tags: [many] });
    const admin = await as(world, 'admin', { company: top });
    const names = async (query: Record<string, string | number>) =>
      (await admin.get('/tags', query)).data.map((tag: { name: string }) => tag.name);
    expect(await names({ sort: '-devices_count' })).toEqual(['many', 'few']);
    expect(await names({ company_id: middle.id })).toEqual(['many']);
    expect(await names({ q: 'CROWD' })).toEqual(['many']);
  });
});

describe('tags of a company and those above it', () => {
  test('are what its devices can carry, as far as the caller sees them [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom, foreign } = await makeTree(world);
    for (const company of [top, middle, sibling, bottom, foreign]) await makeTag(world, { company, name: `of ${company.name}` });
    const namesFor = async (caller: Awaited<ReturnType<typeof as>>, company: { id: number }): Promise<string[]> =>
      (await caller.get('/tags', { used_in: company.id, sort: 'name' })).data.map(({ name }: { name: string }) => name);
    const admin = await as(world, 'admin', { company: top });
    expect(await namesFor(admin, bottom)).toEqual(['of Bottom', 'of Middle', 'of Top']);
    expect(await namesFor(admin, foreign), 'nothing is said of a company that the caller does not see').toEqual([]);
    expect(await namesFor(await as(world, 'admin', { company: middle }), bottom)).toEqual(['of Bottom', 'of Middle']);
  });
});

describe('tags of devices', () => {
  test('are put on, taken off and overwritten for chosen devices, and only real changes are written down', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const [a, b] = [await makeTag(world, { company: top }), await makeTag(world, { company: top })];
    const [one, two] = [await makeDevice(world, { company: top, tags: [a] }), await makeDevice(world, { company: top })];
    const device_id = [one.id, two.id];
    expect((await admin.put('/devices/tags/assign', { device_id, tag_id: [a.id] })).data).toEqual({ changed: 1 });
    expect((await admin.put('/devices/tags/assign', { device_id, tag_id: [a.id, b.id] })).data).toEqual({ changed: 2 });
    expect((await admin.put('/devices/tags/unassign', { device_id: [one.id], tag_id: [a.id] })).data).toEqual({ changed: 1 });
    expect((await admin.put('/devices/tags/overwrite', { device_id: [two.id], tag_id: [] })).data).toEqual({ changed: 1 });
    expect([await tagIdsOf(world, one.id), await tagIdsOf(world, two.id)]).toEqual([[b.id], []]);
    const rows = await world.ctx.db
      .selectFrom('audit')
      .select(['action', 'entity_id', 'before', 'after'])
      .where('action', 'like', 'devices.%')
      .orderBy('id')
      .execute();
    expect(rows.map((row) => [row.action, row.entity_id])).toEqual([
      ['devices.assign-tags', two.id],
      ['devices.assign-tags', one.id],
      ['devices.assign-tags', two.id],
      ['devices.unassign-tags', one.id],
      ['devices.overwrite-tags', two.id],
    ]);
    expect(JSON.parse(rows[3]?.before ?? '')).toEqual({ tag_id: [a.id, b.id] });
    expect(JSON.parse(rows[3]?.after ?? '')).toEqual({ tag_id: [b.id] });
  });

  test('are set per device with `data`', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const [a, b] = [await makeTag(world, { company: top }), await makeTag(world, { company: top })];
    const [one, two] = [await makeDevice(world, { company: top, tags: [b] }), await makeDevice(world, { company: top })];
    const data = [
      { device_id: one.id, tag_id: [a.id] },
      { device_id: two.id, tag_id: [a.id, b.id] },
    ];
    expect((await admin.put('/devices/tags/overwrite', { data })).data).toEqual({ changed: 2 });
    expect([await tagIdsOf(world, one.id), await tagIdsOf(world, two.id)]).toEqual([[a.id], [a.id, b.id]]);
  });

  test('are put on everything that a query matches now, with the count that was seen [T5]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const tag = await makeTag(world, { company: top });
    const online = await makeDevice(world, { company: middle, status: 1 });
    await makeDevice(world, { company: middle, status: 0 });
    const outside = await makeDevice(world, { company: foreign, status: 1 });
    const answer = await admin.put('/devices/tags/assign', {
      selection: { query: { status: 'online', limit: '50', sort: '-name' }, count: 7 },
      tag_id: [tag.id],
    });
    expect(answer.data).toEqual({ changed: 1 });
    expect(answer.meta).toEqual({ count: 1, seen: 7 });
    expect([await tagIdsOf(world, online.id), await tagIdsOf(world, outside.id)]).toEqual([[tag.id], []]);
    const wrong = await admin.put('/devices/tags/assign', { selection: { query: { colour: 'red' }, count: 1 }, tag_id: [tag.id] });
    expect(wrong.errors[0]).toMatchObject({ source: 'selection.query.colour' });
  });

  test('a foreign device among own ones refuses the whole call [AC1]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const tag = await makeTag(world, { company: middle });
    const own = await makeDevice(world, { company: middle });
    const outside = await makeDevice(world, { company: foreign });
    const answer = await admin.put('/devices/tags/assign', { device_id: [own.id, outside.id], tag_id: [tag.id] });
    expect(answer.status).toBe(404);
    expect(answer.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'device_id.1' }]);
    expect(await tagIdsOf(world, own.id)).toEqual([]);
    const data = [
      { device_id: own.id, tag_id: [tag.id] },
      { device_id: outside.id, tag_id: [tag.id] },
    ];
    expect((await admin.put('/devices/tags/assign', { data })).status).toBe(404);
    expect(await tagIdsOf(world, own.id)).toEqual([]);
  });

  test('a tag sits on devices of its company and below, nowhere else', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const tag = await makeTag(world, { company: middle, name: 'middle only' });
    const [below, above] = [await makeDevice(world, { company: bottom }), await makeDevice(world, { company: top, name: 'quay-1' })];
    expect((await admin.put('/devices/tags/assign', { device_id: [below.id], tag_id: [tag.id] })).data).toEqual({ changed: 1 });
    const answer = await admin.put('/devices/tags/assign', { device_id: [above.id], tag_id: [tag.id] });
    expect(answer.errors[0]).toMatchObject({ code: 'INVALID_FIELD', source: 'tag_id', params: { tag: 'middle only', device: 'quay-1' } });
  });

  test('overwriting keeps the tags that the caller cannot see [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [hidden, own] = [await makeTag(world, { company: top }), await makeTag(world, { company: middle })];
    const device = await makeDevice(world, { company: middle, tags: [hidden] });
    await admin.put('/devices/tags/overwrite', { device_id: [device.id], tag_id: [own.id] });
    expect(await tagIdsOf(world, device.id)).toEqual([hidden.id, own.id]);
    expect((await admin.put('/devices/tags/assign', { device_id: [device.id], tag_id: [hidden.id] })).errors).toMatchObject([
      { code: 'NOT_FOUND', source: 'tag_id.0' },
    ]);
  });

  test.each([
    {},
    { tag_id: [1] },
    { device_id: [1], tag_id: [] },
    { device_id: [1], selection: { query: {}, count: 1 }, tag_id: [1] },
    { data: [] },
    { device_id: ['1'], tag_id: [1] },
  ])('refuses the body %j', async (body) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.put('/devices/tags/assign', body)).status).toBe(400);
  });
});

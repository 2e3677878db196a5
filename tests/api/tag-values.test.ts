import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { addReading } from '../helpers/readings.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** A tag on two devices of one company and one of another that only the top sees. */
async function makeReadings(world: World) {
  const tree = await makeTree(world);
  const tag = await makeTag(world, { company: tree.top });
  const warm = await makeDevice(world, { company: tree.middle, tags: [tag], serial: 'WARM' });
  const cold = await makeDevice(world, { company: tree.middle, tags: [tag], serial: 'COLD' });
  const elsewhere = await makeDevice(world, { company: tree.sibling, tags: [tag], serial: 'ELSEWHERE' });
  await addReading(world, warm, { age: HOUR, value: 410 });
  await addReading(world, warm, { age: 5 * HOUR, value: 390 });
  await addReading(world, cold, { age: HOUR, value: 110 });
  await addReading(world, cold, { age: 48 * HOUR, value: -200 });
  await addReading(world, elsewhere, { age: HOUR, value: 900 });
  await addReading(world, await makeDevice(world, { company: tree.middle }), { age: HOUR, value: 999 });
  return { ...tree, tag, warm, cold };
}

describe('readings of a tag', () => {
  test('the highest and the lowest of a period, each with its device, of devices in sight', async () => {
    await using world = await makeWorld();
    const { top, tag, warm, cold } = await makeReadings(world);
    const admin = await as(world, 'admin', { company: top });
    const path = `/devices/tags/${tag.id}/data`;
    expect((await admin.get(path, { parameter: 'temperature' })).data).toMatchObject({
      Maximum: { serial: 'ELSEWHERE', value: 900 },
      Minimum: { serial: 'COLD', device_id: cold.id, value: 110 },
    });
    const longer = await admin.get(`/devices/tags/${tag.id}/group/data`, { parameter: 'temperature', start_date: '2001-01-01' });
    expect(longer.data.Minimum.value).toBe(-200);
    const own = await makeRole(world, { permissions: ['view_devices', 'view_tags'], scope: 'company', company: top });
    expect((await (await as(world, own, { company: top })).get(path, { parameter: 'temperature' })).data, 'AC2').toEqual({
      Maximum: null,
      Minimum: null,
    });
    expect(warm.id).not.toBe(cold.id);
    expect((await admin.get(path, { parameter: 'password' })).errors[0]?.source).toBe('parameter');
    expect((await admin.get(path, { parameter: 'signal', start_date: 'soon' })).status).toBe(400);
  });

  test('over time: steps with lowest, highest and average, and none where nothing was read', async () => {
    await using world = await makeWorld();
    const { top, tag } = await makeReadings(world);
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.get(`/tags/${tag.id}/series`, { parameter: 'temperature' });
    expect(data.step_seconds).toBe(900);
    expect(data.points).toHaveLength(2);
    expect(data.points[1]).toMatchObject({ minimum: 110, maximum: 900, devices_count: 3 });
    expect(data.points[1].average).toBeCloseTo((410 + 110 + 900) / 3);
  });
});

test('a tag shows its actions to those who see device actions', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const tag = await makeTag(world, { company: top });
  const admin = await as(world, 'admin', { company: top });
  await admin.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'uptime' });
  const seen = { tag_id: tag.id, action: 'run', source_id: null, source_name: 'uptime' };
  expect((await admin.get('/tags', { sort: 'device_count' })).data[0].actions).toMatchObject([seen]);
  expect((await admin.get(`/tags/${tag.id}`)).data.actions).toMatchObject([seen]);
  const viewer = await as(world, await makeRole(world, { permissions: ['view_tags'], company: top }), { company: top });
  expect((await viewer.get('/tags')).data[0]).not.toHaveProperty('actions');
  expect((await viewer.get(`/tags/${tag.id}`)).data).not.toHaveProperty('actions');
});

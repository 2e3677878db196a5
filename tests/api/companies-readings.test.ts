import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTree } from '../helpers/factories.ts';
import { addReading } from '../helpers/readings.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** Devices of a company, of the one below it, and of its sibling. */
async function makeReadings(world: World) {
  const tree = await makeTree(world);
  const warm = await makeDevice(world, { company: tree.middle, serial: 'WARM' });
  const cold = await makeDevice(world, { company: tree.bottom, serial: 'COLD' });
  const elsewhere = await makeDevice(world, { company: tree.sibling, serial: 'ELSEWHERE' });
  await addReading(world, warm, { age: HOUR, value: 410 });
  await addReading(world, warm, { age: 5 * HOUR, value: 200 });
  await addReading(world, cold, { age: HOUR, value: 110 });
  await addReading(world, cold, { age: 48 * HOUR, value: -200 });
  await addReading(world, elsewhere, { age: HOUR, value: 900 });
  return { ...tree, warm, cold };
}

describe('readings of a company', () => {
  test('the highest and the lowest of a period, each with its device, over the company and all below it', async () => {
    await using world = await makeWorld();
    const { top, middle, warm, cold } = await makeReadings(world);
    const admin = await as(world, 'admin', { company: top });
    const path = `/devices/companies/${middle.id}/data`;
    expect((await admin.get(path, { parameter: 'temperature' })).data).toMatchObject({
      Maximum: { serial: 'WARM', device_id: warm.id, value: 410 },
      Minimum: { serial: 'COLD', device_id: cold.id, value: 110 },
    });
    const group = `/devices/companies/${middle.id}/group/data`;
    const longer = await admin.get(group, { parameter: 'temperature', start_date: '2001-01-01' });
    expect(longer.data.Minimum).toMatchObject({ serial: 'COLD', value: -200 });
    expect((await admin.get(path, { parameter: 'signal' })).data).toEqual({ Maximum: null, Minimum: null });
    expect((await admin.get(path, { parameter: 'password' })).errors[0]?.source).toBe('parameter');
    expect((await admin.get(path, { end_date: 'soon' })).status).toBe(400);
  });

  test('over time: steps with lowest, highest and average of the company and all below it', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeReadings(world);
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.get(`/companies/${middle.id}/series`, { parameter: 'temperature' });
    expect(data.points).toHaveLength(2);
    expect(data.points[1]).toMatchObject({ minimum: 110, maximum: 410, average: 260, devices_count: 2 });
  });

  test('who sees one company only gets its own; other companies are as unknown as those that never were [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, bottom, sibling, foreign } = await makeReadings(world);
    const narrow = await as(world, 'end_user', { company: middle });
    const { data } = await narrow.get(`/devices/companies/${middle.id}/data`);
    expect(data).toMatchObject({ Maximum: { serial: 'WARM', value: 410 }, Minimum: { serial: 'WARM', value: 200 } });
    expect((await narrow.get(`/companies/${middle.id}/series`)).data.points.at(-1)).toMatchObject({ devices_count: 1 });
    for (const company of [bottom, sibling, foreign])
      for (const path of [
        `/devices/companies/${company.id}/data`,
        `/devices/companies/${company.id}/group/data`,
        `/companies/${company.id}/series`,
      ])
        expect((await narrow.get(path)).status, path).toBe(404);
    const blind = await as(world, await makeRole(world, { permissions: ['view_companies'], company: middle }), { company: middle });
    expect((await blind.get(`/devices/companies/${middle.id}/data`)).status).toBe(403);
  });
});

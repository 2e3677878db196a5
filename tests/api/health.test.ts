import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** A device that is online since two days and has a strong signal, one that is offline and hot, and one that never came. */
async function makeDevices(world: World) {
  const tree = await makeTree(world);
  const { db, clock } = world.ctx;
  const now = clock.now();
  const well = await makeDevice(world, { company: tree.middle, name: 'well', status: 1, status_changed_at: now - 2 * DAY });
  const ill = await makeDevice(world, { company: tree.bottom, name: 'ill', status: 0, status_changed_at: now - 2 * DAY });
  const never = await makeDevice(world, { company: tree.middle, name: 'never', status: null });
  const hour = { readings: 2, lowest: 0, last: 0, at: now - (now % HOUR) - HOUR };
  await db
    .insertInto('device_hours')
    .values([
      { device_id: well.id, metric: 'signal', total: -130, highest: -60, ...hour },
      { device_id: ill.id, metric: 'temperature', total: 1600, highest: 900, ...hour },
    ])
    .execute();
  return { ...tree, well, ill, never };
}

const partsOf = (data: { parts: { part: string; score: number | null }[] }) =>
  Object.fromEntries(data.parts.map(({ part, score }) => [part, score]));

describe('health', () => {
  test('of a device has a score for each part that something is known of, and none without data', async () => {
    await using world = await makeWorld();
    const { top, well, ill, never } = await makeDevices(world);
    const admin = await as(world, 'admin', { company: top });
    const good = (await admin.get(`/devices/${well.id}/health`)).data;
    expect(good.score).toBe(100);
    expect(partsOf(good)).toMatchObject({ connection: 100, signal: 100, temperature: null, firmware: null, jobs: null, data: null });
    expect(good.parts.find(({ part }: { part: string }) => part === 'signal')).toMatchObject({ value: -65, weight: 20 });
    const bad = (await admin.get(`/devices/${ill.id}/health`)).data;
    expect(bad.score).toBe(0);
    expect(partsOf(bad)).toMatchObject({ connection: 0, temperature: 0, signal: null });
    expect((await admin.get(`/devices/${never.id}/health`)).data.score).toBeNull();
  });

  test('counts the share of the week online by the changes of the status', async () => {
    await using world = await makeWorld();
    const { top, well } = await makeDevices(world);
    const now = world.ctx.clock.now();
    const state = { device_id: well.id, name: 'status' };
    await world.ctx.db
      .insertInto('device_states')
      .values([
        { ...state, at: now - 30 * DAY, value: '1' },
        { ...state, at: now - 2 * DAY, value: '0' },
        { ...state, at: now - DAY, value: '1' },
      ])
      .execute();
    const { data } = await (await as(world, 'admin', { company: top })).get(`/devices/${well.id}/health`);
    expect(data.parts[0]).toMatchObject({ part: 'connection', value: 85.7, score: 29 });
  });

  test('is a column, a filter and the sort order of the list, and of the company, once it was computed', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign, well, ill, never } = await makeDevices(world);
    await world.clock.advance(HOUR);
    const admin = await as(world, 'admin', { company: top });
    const ids = async (query: Record<string, string>) => (await admin.get('/devices', query)).data.map(({ id }: { id: number }) => id);
    expect(await ids({ sort: 'health' })).toEqual([ill.id, well.id, never.id]);
    expect(await ids({ sort: '-health' })).toEqual([well.id, ill.id, never.id]);
    expect(await ids({ health: 'poor' })).toEqual([ill.id]);
    expect(await ids({ health: 'unknown' })).toEqual([never.id]);
    expect(await ids({ 'ne:health': 'poor', sort: 'name' })).toEqual([never.id, well.id]);
    expect((await admin.get('/devices/export/csv', { fields: 'name,health', sort: 'name' })).text).toContain('ill,0');
    const company = (await admin.get(`/companies/${middle.id}/health`)).data;
    expect(company).toMatchObject({ score: 50, devices_count: 3, levels: { good: 1, fair: 0, poor: 1, unknown: 1 } });
    expect(company.worst).toEqual([{ id: ill.id, name: 'ill', score: 0 }]);
    expect((await admin.get(`/companies/${bottom.id}/health`)).data.levels).toEqual({ good: 0, fair: 0, poor: 1, unknown: 0 });
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get(`/companies/${middle.id}/health`)).status).toBe(404);
    expect((await stranger.get(`/devices/${well.id}/health`)).status).toBe(404);
    expect((await stranger.get(`/companies/${foreign.id}/health`)).data).toMatchObject({ score: null, devices_count: 0 });
  });
});

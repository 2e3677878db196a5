import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('the statistics count each kind once, with the names that the filters take', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await makeDevice(world, {
    company: top,
    status: 1,
    signal: -70,
    connection_type: 'LTE',
    network_state: 'Home',
    wan_state: 'Wired',
    operator: 'Ice',
  });
  await makeDevice(world, { company: middle, status: 1, signal: -80, connection_type: 'LTE', model: 'RUT956' });
  await makeDevice(world, { company: middle, status: 0, firmware: '', last_update_at: null });
  await makeDevice(world, { company: middle, status: null });
  await makeDevice(world, { company: middle, status: 2, quarantine: 'rejoin' });
  const { data } = await admin.get('/devices/statistics');
  expect(data).toEqual({
    status: { '0': 1, '1': 2, '2': 1, null: 1 },
    model: { RUTX50: 4, RUT956: 1 },
    firmware: { 'RUTX_R_00.07.14.2': 4, unknown: 1 },
    connection_type: { '4g': 2, unknown: 3 },
    network_state: { home: 1, unknown: 4 },
    wan_state: { wired: 1, unknown: 4 },
    signal: { excellent: 1, average: 1, no_signal: 3 },
    information_updated: { less_than_5_minutes_ago: 4, never_been_updated: 1 },
    operator: { Ice: 1, unknown: 4 },
    company: { [top.id]: 1, [middle.id]: 4 },
  });
});

test('every part, taken as a filter, gives as many devices as it says', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
  for (let index = 0; index < 40; index += 1) {
    await makeDevice(world, {
      company: pick([top, middle, bottom], index) ?? top,
      status: pick([0, 1, 1, 2, null] as const, index) ?? null,
      signal: pick([-60, -80, -100, -110, null], index) ?? null,
      connection_type: pick(['5G', 'LTE', '3G', '2G', 'X', null], index) ?? null,
      network_state: pick(['Home', 'Roaming', null], index) ?? null,
      wan_state: pick(['Mobile', 'Wired', 'WiFi', '?'], index) ?? null,
      last_update_at: pick([world.clock.now(), 1, null], index) ?? null,
    });
  }
  const status: Record<string, string> = { '0': 'offline', '1': 'online', '2': 'pending', null: 'not_activated' };
  const { data } = await admin.get('/devices/statistics', { company_id: middle.id });
  for (const facet of ['status', 'connection_type', 'network_state', 'wan_state', 'signal', 'information_updated', 'model', 'firmware']) {
    for (const [name, count] of Object.entries(data[facet])) {
      const value = facet === 'status' ? (status[name] ?? '') : name;
      const { meta } = await admin.get('/devices', { company_id: middle.id, [facet]: value });
      expect([facet, name, meta['total']]).toEqual([facet, name, count]);
    }
  }
});

test('the statistics take the filters of the list and never count what the caller cannot see [AC2]', async () => {
  await using world = await makeWorld();
  const { middle, bottom, foreign } = await makeTree(world);
  await makeDevice(world, { company: middle, name: 'quay one' });
  await makeDevice(world, { company: bottom, name: 'quay two' });
  await makeDevice(world, { company: foreign, name: 'quay three', model: 'SECRET' });
  const admin = await as(world, 'admin', { company: middle });
  const client = await as(world, 'end_user', { company: middle });
  expect((await admin.get('/devices/statistics')).data.company).toEqual({ [middle.id]: 1, [bottom.id]: 1 });
  expect((await client.get('/devices/statistics')).data.company).toEqual({ [middle.id]: 1 });
  expect((await admin.get('/devices/statistics', { q: 'two' })).data.company).toEqual({ [bottom.id]: 1 });
  expect((await admin.get('/devices/statistics')).text).not.toContain('SECRET');
  expect((await admin.get('/devices/statistics', { colour: 'red' })).status).toBe(400);
});

test('a model named like a member of every object is a name like others [DV3]', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  await makeDevice(world, { company: top, model: '__proto__' });
  await makeDevice(world, { company: top, model: 'constructor' });
  const admin = await as(world, 'admin', { company: top });
  const { data } = await admin.get('/devices/statistics');
  expect(Object.entries(data.model).sort()).toEqual([
    ['__proto__', 1],
    ['constructor', 1],
  ]);
});

test('with the alternatives each kind is counted without the filter of its own, and with all others', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await makeDevice(world, { company: top, status: 1, model: 'RUT956' });
  await makeDevice(world, { company: top, status: 0, model: 'RUT956' });
  await makeDevice(world, { company: top, status: 0, model: 'RUTX50' });
  const asked = { status: 'offline', charts: 'status,model' };
  expect((await admin.get('/devices/statistics', asked)).errors).toEqual([]);
  expect((await admin.get('/devices/statistics', asked)).data).toEqual({ status: { '0': 2 }, model: { RUT956: 1, RUTX50: 1 } });
  const { data } = await admin.get('/devices/statistics', { ...asked, alternatives: '1' });
  expect(data).toEqual({ status: { '0': 2, '1': 1 }, model: { RUT956: 1, RUTX50: 1 } });
});

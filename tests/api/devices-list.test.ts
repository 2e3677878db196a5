import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

type Query = Record<string, string | number>;

async function names(caller: Caller, query: Query): Promise<string[]> {
  const answer = await caller.get('/devices', { limit: 100, ...query });
  expect(answer.errors).toEqual([]);
  return answer.data.map((device: { name: string }) => device.name);
}

describe('filters of the list of devices', () => {
  test('each one, alone, negated and together', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const now = world.clock.now();
    const tag = await makeTag(world, { company: top });
    await makeDevice(world, {
      company: top,
      name: 'a',
      status: 1,
      signal: -60,
      connection_type: '5G',
      network_state: 'Home',
      wan_state: 'Mobile',
      operator: 'Telia',
      last_update_at: now - 1,
    });
    await makeDevice(world, {
      company: middle,
      name: 'b',
      status: 0,
      signal: -75,
      connection_type: 'LTE',
      network_state: 'Roaming',
      wan_state: 'WiFi',
      operator: 'Ice',
      last_update_at: now - 10 * MINUTE,
      model: 'RUT956',
    });
    await makeDevice(world, {
      company: bottom,
      name: 'c',
      status: null,
      signal: -90,
      connection_type: '3G',
      wan_state: 'Wired',
      last_update_at: now - 3 * HOUR,
      firmware: 'RUT9_R_00.07.06.3',
      tags: [tag],
    });
    await makeDevice(world, {
      company: bottom,
      name: 'd',
      status: 2,
      quarantine: 'duplicate_serial',
      signal: -105,
      connection_type: '2G',
      last_update_at: now - 8 * DAY,
      is_simulated: 0,
    });
    await makeDevice(world, {
      company: bottom,
      name: 'e',
      status: 1,
      signal: -106,
      connection_type: 'smoke signals',
      last_update_at: null,
      mac: 'AA:BB:CC:DD:EE:FF',
    });
    const table: [Query, string][] = [
      [{}, 'abcde'],
      [{ status: 'online' }, 'ae'],
      [{ status: 'online,offline' }, 'abe'],
      [{ status: 'pending' }, 'd'],
      [{ status: 'not_activated' }, 'c'],
      [{ 'ne:status': 'online' }, 'bcd'],
      [{ 'ne:status': 'not_activated' }, 'abde'],
      [{ signal: 'excellent' }, 'ab'],
      [{ signal: 'average' }, 'c'],
      [{ signal: 'low' }, 'd'],
      [{ signal: 'no_signal' }, 'e'],
      [{ 'ne:signal': 'excellent,average' }, 'de'],
      [{ connection_type: '5g' }, 'a'],
      [{ connection_type: '4g,3g' }, 'bc'],
      [{ connection_type: 'unknown' }, 'e'],
      [{ network_state: 'home' }, 'a'],
      [{ network_state: 'unknown' }, 'cde'],
      [{ wan_state: 'wifi' }, 'b'],
      [{ wan_state: 'unknown' }, 'de'],
      [{ operator: 'Telia' }, 'a'],
      [{ 'ne:operator': 'Telia' }, 'bcde'],
      [{ model: 'RUT956' }, 'b'],
      [{ 'ne:model': 'RUT956' }, 'acde'],
      [{ supports: 'io' }, 'b'],
      [{ 'ne:supports': 'io' }, 'acde'],
      [{ supports: 'io,wifi' }, 'abcde'],
      [{ supports: 'second_modem' }, ''],
      [{ firmware: 'RUT9_R_00.07.06.3' }, 'c'],
      [{ information_updated: 'less_than_5_minutes_ago' }, 'a'],
      [{ information_updated: 'more_than_5_minutes_ago' }, 'b'],
      [{ information_updated: 'more_than_1_hour_ago' }, 'c'],
      [{ information_updated: 'more_than_1_week_ago' }, 'd'],
      [{ information_updated: 'never_been_updated' }, 'e'],
      [{ quarantine: 'duplicate_serial' }, 'd'],
      [{ is_simulated: 'false' }, 'd'],
      [{ mac: 'aabb.ccdd.eeff' }, 'e'],
      [{ tag_id: tag.id }, 'c'],
      [{ 'ne:tag_id': tag.id }, 'abde'],
      [{ tag_id: 'is_null' }, 'abde'],
      [{ company_id: top.id }, 'abcde'],
      [{ company_id: middle.id }, 'bcde'],
      [{ company_id: bottom.id, status: 'online,pending', 'ne:signal': 'low' }, 'e'],
      [{ company_id: 999_999 }, ''],
      [{ q: 'e', status: 'online' }, 'e'],
    ];
    for (const [query, expected] of table) {
      const answer = await admin.get('/devices', { limit: 100, ...query });
      const found = answer.data?.map((device: { name: string }) => device.name).join('');
      expect({ query, found, total: answer.meta['total'] }).toEqual({ query, found: expected, total: expected.length });
    }
  });

  test.each<Query>([
    { colour: 'red' },
    { status: 'purple' },
    { supports: 'flight' },
    { 'ne:connection_type': '5g' },
    { company_id: 'abc' },
    { sort: 'credential_hash' },
    { sort: '-search_text' },
    { fields: 'device_key' },
    { limit: 0 },
    { limit: 101 },
    { offset: -1 },
    { id: '1,x' },
    { id: '1;drop table devices' },
    { sort: 'name desc; --' },
  ])('refuse %j, and the error names the parameter [AC3 IN7]', async (query) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answer = await admin.get('/devices', query);
    expect(answer.status).toBe(400);
    expect(answer.errors[0]?.source).toBe(Object.keys(query)[0]);
  });

  test('a parameter given twice is refused, not merged [IN7]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.get('/devices?status=online&status=offline')).status).toBe(400);
  });

  test('who may not see companies or tags neither sees nor sorts nor filters by them [AC3]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const role = await makeRole(world, { permissions: ['view_devices'], company: top });
    const viewer = await as(world, role, { company: top });
    const tag = await makeTag(world, { company: top });
    const device = await makeDevice(world, { company: top, tags: [tag] });
    const { data } = await viewer.get('/devices');
    expect(data[0]).not.toHaveProperty('company_name');
    expect(data[0]).not.toHaveProperty('company_path');
    expect(data[0]).not.toHaveProperty('tags');
    expect((await viewer.get(`/devices/${device.id}`)).data).not.toHaveProperty('tags');
    const hidden: Query[] = [{ sort: 'company_name' }, { tag_id: tag.id }, { fields: 'tags' }];
    for (const query of hidden) expect((await viewer.get('/devices', query)).status).toBe(400);
  });
});

describe('order and pages', () => {
  test('every sortable column works both ways, with what is not known last', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const full = {
      signal: -70,
      connection_type: 'LTE',
      operator: 'Ice',
      network_state: 'Home',
      wan_state: 'Wired',
      sent: 5,
      received: 6,
      router_uptime: 7,
      temperature: 300,
      load1: 0.5,
    };
    await makeDevice(world, {
      company: top,
      name: 'empty',
      status: null,
      model: '',
      firmware: '',
      last_connection_at: null,
      last_update_at: null,
    });
    await makeDevice(world, { company: top, name: 'full', ...full });
    const nullable = [
      'status',
      'model',
      'firmware',
      'connection_type',
      'last_connection_at',
      'last_update_at',
      'signal',
      'operator',
      'network_state',
      'wan_state',
      'sent',
      'received',
      'router_uptime',
      'temperature',
      'load1',
    ];
    for (const key of nullable) {
      expect([key, await names(admin, { sort: key })]).toEqual([key, ['full', 'empty']]);
      expect([key, await names(admin, { sort: `-${key}` })]).toEqual([key, ['full', 'empty']]);
    }
    for (const key of ['name', 'serial', 'mac', 'created_at', 'company_name', 'id'])
      expect(await names(admin, { sort: `-${key},-id` })).toHaveLength(2);
  });

  test('equal rows are parted by id, so that pages neither repeat nor leave out a device', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = [];
    for (let index = 0; index < 25; index += 1)
      made.push((await makeDevice(world, { company: top, name: 'same', model: `M${index % 2}` })).id);
    for (const sort of ['name', '-name', 'model', '-model,name', 'signal']) {
      const seen: number[] = [];
      for (let offset = 0; offset < 30; offset += 7) {
        const answer = await admin.get('/devices', { sort, limit: 7, offset });
        expect(answer.meta['total']).toBe(25);
        seen.push(...answer.data.map((device: { id: number }) => device.id));
      }
      expect([...seen].sort((a, b) => a - b)).toEqual(made);
    }
  });

  test('only the asked fields come, and the console learns which there are', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, { company: top, name: 'one' });
    expect((await admin.get('/devices', { fields: 'name,id' })).data).toEqual([{ name: 'one', id: device.id }]);
    const { data } = await admin.get('/devices', { fields_only: 1 });
    expect(data).toContain('company_path');
    expect(data).not.toContain('credential_hash');
  });
});

test('a value with a comma is one value, beside others [CC7]', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  for (const [name, operator] of [
    ['a', 'Sprint, Inc.'],
    ['b', 'Telia'],
    ['c', 'Sprint'],
  ] as const)
    await makeDevice(world, { company: top, name, operator });
  expect(await names(admin, { operator: String.raw`Sprint\, Inc.` })).toEqual(['a']);
  expect(await names(admin, { operator: String.raw`Sprint\, Inc.,Telia` })).toEqual(['a', 'b']);
  expect(await names(admin, { 'ne:operator': String.raw`Sprint\, Inc.` })).toEqual(['b', 'c']);
  expect(await names(admin, { operator: 'Telia,Sprint' })).toEqual(['b', 'c']);
});

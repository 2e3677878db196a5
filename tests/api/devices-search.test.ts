import { describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

type Query = Record<string, string | number>;

async function names(caller: Caller, query: Query): Promise<string[]> {
  const answer = await caller.get('/devices', { limit: 100, ...query });
  expect(answer.errors).toEqual([]);
  return answer.data.map((device: { name: string }) => device.name);
}

describe('free text', () => {
  test('finds name, serial number, MAC in any spelling and IMEI; the exact number comes first [S1]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await makeDevice(world, {
      company: top,
      name: 'Bergen ferry quay',
      serial: '5551000',
      mac: '00:1E:42:AB:CD:EF',
      imei: '350000000000006',
    });
    await makeDevice(world, { company: top, name: 'a mast 5551000 nearby', serial: '9', mac: '00:1E:42:00:00:01' });
    await makeDevice(world, { company: top, name: 'Ødegård 100%_x', serial: 'SN-1', mac: '00:1E:42:00:00:02' });
    const quay = ['Bergen ferry quay'];
    for (const q of [
      'FERRY',
      'ergen f',
      '001e42abcdef',
      '00-1E-42-AB-CD-EF',
      '001e.42ab.cdef',
      'ab:cd',
      '350000000000006',
      '35 000000 000000 6',
      '35-000000-000000-6',
    ]) {
      expect([q, await names(admin, { q })]).toEqual([q, quay]);
    }
    expect(await names(admin, { q: '5551000' })).toEqual(['Bergen ferry quay', 'a mast 5551000 nearby']);
    expect((await names(admin, { q: '555-1000' }))[0], 'typed with separators').toBe('Bergen ferry quay');
    expect(await names(admin, { q: '5551000', sort: '-name' })).toEqual(['Bergen ferry quay', 'a mast 5551000 nearby']);
    expect(await names(admin, { q: '5551000', limit: 1, offset: 1 })).toEqual(['a mast 5551000 nearby']);
    expect(await names(admin, { q: 'øde' })).toEqual(['Ødegård 100%_x']);
    expect(await names(admin, { q: '0%_' })).toEqual(['Ødegård 100%_x']);
    expect(await names(admin, { q: '%' })).toEqual([]);
    expect(await names(admin, { q: '___' })).toEqual([]);
    expect(await names(admin, { q: '" OR "' })).toEqual([]);
    expect(await names(admin, { q: "'; drop table devices" })).toEqual([]);
  });

  test('finds model, description, tag, company, operator and addresses, of what the caller sees only [S1]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const tag = await makeTag(world, { company: top, name: 'Waterworks' });
    const own = { company: middle, name: 'pump', model: 'RUTX50', operator: 'Telenor', mobile_ip: '100.82.7.9', wan_ip: '198.51.100.7' };
    await makeDevice(world, { ...own, serial: '1', mac: '00:1E:42:00:00:01', tags: [tag] });
    await makeDevice(world, { company: top, name: 'other', serial: '2', mac: '00:1E:42:00:00:02' });
    await makeDevice(world, { ...own, company: foreign, name: 'foreign', serial: '3', mac: '00:1E:42:00:00:03' });
    for (const q of ['rutx50', 'waterw', 'Middle', 'telen', '100.82', '198.51.100.7'])
      expect([q, await names(admin, { q })]).toEqual([q, ['pump']]);
    const { data } = await admin.get('/devices', { q: 'pump' });
    await admin.put(`/devices/${data[0].id}`, { name: 'pump', description: 'Behind the church' });
    expect(await names(admin, { q: 'church' })).toEqual(['pump']);
  });

  test('several words are found together, each in what it is of: model, company, tag or name [S1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const tag = await makeTag(world, { company: top, name: 'Waterworks' });
    await makeDevice(world, { company: middle, name: 'pump', model: 'TAP200', serial: '1', mac: '00:1E:42:00:00:01', tags: [tag] });
    await makeDevice(world, { company: top, name: 'roof', model: 'TAP200', serial: '2', mac: '00:1E:42:00:00:02' });
    await makeDevice(world, { company: middle, name: 'gate', model: 'RUTX50', serial: '3', mac: '00:1E:42:00:00:03' });
    for (const q of ['TAP200 Middle', 'middle  tap200', 'tap200 pump waterworks'])
      expect([q, await names(admin, { q })]).toEqual([q, ['pump']]);
    expect(await names(admin, { q: 'TAP200 Middle roof' })).toEqual([]);
  });

  test('one or two characters are looked for at the start of a part', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await makeDevice(world, { company: top, name: 'quay', serial: '77', mac: '00:1E:42:00:00:01' });
    await makeDevice(world, { company: top, name: 'west quay', serial: '88', mac: '00:1E:42:00:00:02' });
    await makeDevice(world, { company: top, name: 'equator', serial: '99', mac: '00:1E:42:00:00:03' });
    expect(await names(admin, { q: 'qu' })).toEqual(['quay', 'west quay']);
    expect(await names(admin, { q: '8' })).toEqual(['west quay']);
  });
});

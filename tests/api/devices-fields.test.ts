import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('what a viewer sees of a device', () => {
  test('names of companies and tags above the own company are left out [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const [above, own] = [await makeTag(world, { company: top, name: 'above' }), await makeTag(world, { company: middle, name: 'own' })];
    const device = await makeDevice(world, { company: bottom, tags: [above, own] });
    const seenBy = async (role: 'admin' | 'super_admin', company: { id: number }) =>
      (await (await as(world, role, { company })).get(`/devices/${device.id}`)).data;
    expect(await seenBy('admin', middle)).toMatchObject({ company_path: ['Middle', 'Bottom'], tags: [{ name: 'own' }] });
    expect(await seenBy('admin', bottom)).toMatchObject({ company_path: ['Bottom'], tags: [] });
    expect(await seenBy('admin', top)).toMatchObject({
      company_path: ['Top', 'Middle', 'Bottom'],
      tags: [{ name: 'above' }, { name: 'own' }],
    });
    expect(await seenBy('super_admin', middle)).toMatchObject({ company_path: ['Top', 'Middle', 'Bottom'] });
  });

  test('a device of another company is answered like one that never existed [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, bottom, foreign } = await makeTree(world);
    const outside = await makeDevice(world, { company: foreign });
    const below = await makeDevice(world, { company: bottom });
    const client = await as(world, 'end_user', { company: middle });
    for (const path of ['', '/logs']) {
      const never = await client.get(`/devices/987654321${path}`);
      for (const device of [outside, below]) {
        const answer = await client.get(`/devices/${device.id}${path}`);
        expect([answer.status, answer.text]).toEqual([404, never.text]);
      }
    }
    expect((await client.get('/devices', { id: `${outside.id},${below.id}` })).data).toEqual([]);
    expect((await client.get('/devices', { q: outside.serial })).meta['total']).toBe(0);
  });

  test('times, units and unknown values are as on the wire; credentials never show', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const device = await makeDevice(world, {
      company: top,
      created_at: Date.UTC(2026, 10, 21, 3, 4, 5, 678),
      model: '',
      temperature: 361,
      is_simulated: 1,
      quarantine: 'rejoin',
      status: 2,
    });
    const answer = await admin.get(`/devices/${device.id}`);
    expect(answer.data).toMatchObject({
      created_at: '2026-11-21 03:04:05',
      model: null,
      temperature: 361,
      is_simulated: true,
      status: 2,
      quarantine: 'rejoin',
    });
    expect(answer.text).not.toContain(device.device_key);
    expect(answer.text).not.toContain(device.credential_hash);
  });
});

describe('choices for filters', () => {
  test('are the distinct values of the devices that the viewer sees', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    await makeDevice(world, { company: top, model: 'TRB140' });
    await makeDevice(world, { company: middle, model: 'RUT956', operator: 'Telia' });
    await makeDevice(world, { company: middle, model: 'RUTX50', firmware: '' });
    await makeDevice(world, { company: middle, model: 'RUTX50' });
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.get('/devices/models')).data).toEqual([
      { model: 'RUT956', devices_count: 1 },
      { model: 'RUTX50', devices_count: 2 },
    ]);
    expect((await admin.get('/devices/models', { sort: '-devices_count', limit: 1 })).data).toEqual([
      { model: 'RUTX50', devices_count: 2 },
    ]);
    expect((await admin.get('/devices/models', { q: 'x5' })).meta['total']).toBe(1);
    expect((await admin.get('/devices/operators')).data).toEqual([{ operator: 'Telia', devices_count: 1 }]);
    expect((await admin.get('/devices/firmwares')).data).toEqual([{ firmware: 'RUTX_R_00.07.14.2', devices_count: 2 }]);
  });
});

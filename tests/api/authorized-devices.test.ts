import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('devices that may connect are listed with those that wait, for system administrators', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  await makeDevice(world, { company: middle, name: 'good', serial: 'S-1' });
  await makeDevice(world, { company: middle, name: 'doubtful', serial: 'S-2', status: 2, quarantine: 'rejoin' });
  const system = await as(world, 'super_admin', { company: top });
  expect((await system.get('/devices/authorized', { sort: 'name' })).data).toMatchObject([
    { name: 'doubtful', status: 'waiting', quarantine: 'rejoin', company_name: 'Middle' },
    { name: 'good', status: 'approved', serial: 'S-1', code_hint: null },
  ]);
  expect((await system.get('/devices/authorized', { status: 'waiting' })).meta['total']).toBe(1);
  expect((await system.get('/devices/authorized', { serial: 's-1' })).meta['total']).toBe(1);
  expect((await (await as(world, 'admin', { company: top })).get('/devices/authorized')).status).toBe(403);
});

import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { makeWorld } from '../helpers/world.ts';

const KEY = `${'k'.repeat(42)}A=`;

async function place() {
  const world = await makeWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  const hub = (await admin.post('/vpn/hubs', { name: 'Quay', vpn_type: 'wireguard' })).data.id;
  await admin.post(`/vpn/hubs/${hub}/devices`, { device_id: [device.id] });
  const sync = async () => {
    const started = await admin.post(`/vpn/hubs/${hub}/devices/${device.id}/sync`, {});
    await world.ctx.jobs.settled();
    return async () => (await admin.get(`/jobs/${started.meta['job_id']}/targets`)).data[0];
  };
  const client = async () => (await admin.get('/vpn/hubs/users', { vpn_hub_id: hub })).data[0];
  const commands = () => world.commands.filter(({ deviceKey }) => deviceKey === device.device_key).map(({ command }) => command);
  return { world, device, sync, client, commands, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('a profile that a device applies is confirmed in a later session, and the key that it made is taken then', async () => {
  await using at = await place();
  const target = await at.sync();
  expect(at.commands().at(-1)).toMatchObject({ verb: 'vpn', body: expect.stringMatching(/^confirm_seconds=120\ndo=apply\n/) });
  await answer(at.world, at.device, { output: `public_key=${KEY}\n`, connectedAt: 0 });
  expect(await target()).toMatchObject({ state: 'running' });
  await answer(at.world, at.device, { output: `public_key=${KEY}\n` });
  expect(at.commands().at(-1)).toMatchObject({ verb: 'confirm', body: 'required=1\n' });
  await answer(at.world, at.device, {});
  expect(at.commands().at(-1)).toMatchObject({ verb: 'vpn', body: expect.stringMatching(/^do=key\n/) });
  await answer(at.world, at.device, { output: `public_key=${KEY}\n` });
  expect(await target()).toMatchObject({ state: 'ok' });
  expect(await at.client()).toMatchObject({ sync_state: 'done' });
});

test('a profile that costs a device its connection has failed, and the device is asked to undo it', async () => {
  await using at = await place();
  const target = await at.sync();
  await answer(at.world, at.device, { state: 'failed', code: 1, message: 'Rolled back by itself: the vpn was not confirmed in time' });
  expect(at.commands().at(-1)).toMatchObject({ verb: 'rollback' });
  await answer(at.world, at.device, { message: 'Nothing to roll back' });
  expect(await target()).toMatchObject({ state: 'failed', message: 'Rolled back by itself: the vpn was not confirmed in time' });
  expect(await at.client()).toMatchObject({ sync_state: 'failed' });
});

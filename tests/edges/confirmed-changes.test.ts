import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { connect, join as joinDevice, newIdentity } from '../helpers/mqtt-device.ts';
import { until } from '../helpers/until.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { makeWorld } from '../helpers/world.ts';
import { AGENT } from './agent-world.ts';
import { OpenWrtRouter } from './openwrt-router.ts';

async function place() {
  const world = await makeWorld({ listen: true, broker: true });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company });
  const device = () => world.ctx.db.selectFrom('devices').selectAll().executeTakeFirst();
  return { world, company, admin, code, device };
}

const targetOf = async (caller: Caller, jobId: unknown) => (await caller.get(`/jobs/${String(jobId)}/targets`)).data[0];

test('an answer over the connection that brought a change confirms nothing; the same answer over a later one does', async () => {
  const { world, company, admin, code, device } = await place();
  await using _end = world;
  const identity = newIdentity();
  const credentials = await joinDevice(world.url, code, identity);
  await using first = await connect(credentials, identity);
  await first.hello();
  const id = (await device())?.id ?? 0;
  const file = await upload(world, admin, company, 'settings', 'backup.tar.gz');
  const body = { source: 'file', file_id: file.data.id, back_within: 5, allow_other_model: true, device_id: [id] };
  await world.clock.advance(SECOND);
  const started = await admin.post('/devices/updates/backup', body);
  const restore = await first.command('restore');
  await first.say('result', { id: restore.id, state: 'running' });
  await first.say('result', { id: restore.id, state: 'ok', code: 0, message: 'Restored' });
  expect(await targetOf(admin, started.meta['job_id'])).toMatchObject({
    state: 'running',
    step_name: 'restore',
    message: 'Applied; waits for the device to connect again.',
  });
  expect(first.commands.map(({ verb }) => verb)).not.toContain('confirm');
  await first.drop();
  await world.clock.advance(SECOND);
  await using second = await connect(credentials, identity);
  await second.hello();
  // What it has not answered in time is given to it again; it repeats its answer.
  expect((await second.command('restore')).id).toBe(restore.id);
  await second.say('result', { id: restore.id, state: 'ok', code: 0, message: 'Restored' });
  await second.command('confirm');
});

test('an answer over a later connection counts also where the word that the device has begun was lost', async () => {
  const { world, company, admin, code, device } = await place();
  await using _end = world;
  const identity = newIdentity();
  const credentials = await joinDevice(world.url, code, identity);
  await using first = await connect(credentials, identity);
  await first.hello();
  const file = await upload(world, admin, company, 'settings', 'backup.tar.gz');
  const body = { source: 'file', file_id: file.data.id, back_within: 5, allow_other_model: true, device_id: [(await device())?.id ?? 0] };
  await world.clock.advance(SECOND);
  await admin.post('/devices/updates/backup', body);
  const restore = await first.command('restore');
  await first.drop();
  await world.clock.advance(SECOND);
  await using second = await connect(credentials, identity);
  await second.hello();
  await second.command('restore');
  await second.say('result', { id: restore.id, state: 'ok', code: 0, message: 'Restored' });
  await second.command('confirm');
});

test(
  'an OpenWrt router that is given a wrong address over the console is back with its former one, and the job says so',
  { timeout: 180_000 },
  async () => {
    const { world, admin, code, device } = await place();
    await using _end = world;
    const folder = await mkdtemp(join(tmpdir(), 'canopy-openwrt-'));
    await using _rest = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
    await using router = new OpenWrtRouter(folder, join(folder, 'agent'));
    const env = { ...process.env, ...router.env };
    await once(spawn('sh', [AGENT, 'join', '--url', world.url, '--code', code], { env, stdio: 'ignore' }), 'exit');
    await router.reach(world.ctx.devices.address.port);
    router.start('busybox sh');
    await until('it is online', async () => (await device())?.status === 1);
    const device_id = [(await device())?.id ?? 0];
    const isOver = async (jobId: unknown) => (await admin.get(`/jobs/${String(jobId)}`)).data.state === 'finished';
    const read = await admin.post('/devices/configurator/read', { device_id });
    await until('its settings are read', () => isOver(read.meta['job_id']));
    const former = router.settings();
    const change = { device_id, path: '/network/interfaces/config/wan', method: 'put', request_data: { data: { ipaddr: '10.251.0.5' } } };
    const started = await admin.post('/devices/configurator/configure', { configuration: [change], confirm_seconds: 30 });
    await until('it has the wrong address', () => router.addressOf('wan') === '10.251.0.5');
    await until('it has its former address', () => router.addressOf('wan') === router.addresses[0]);
    await until('the job is over', () => isOver(started.meta['job_id']));
    expect(await targetOf(admin, started.meta['job_id'])).toMatchObject({
      state: 'failed',
      message: 'Rolled back by itself: the configuration was not confirmed in time',
    });
    expect([router.settings(), router.addressOf('wan'), router.isWaiting()]).toEqual([former, router.addresses[0], false]);
  },
);

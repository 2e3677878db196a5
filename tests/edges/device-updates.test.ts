import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { download, upload } from '../helpers/files.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';
import { killGroup } from './agent-machine.ts';
import { AGENT } from './agent-world.ts';

async function place() {
  const world = await makeWorld({ listen: true, broker: true });
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company });
  return { world, company, admin, code };
}

const devicesOf = async (world: World) => world.ctx.db.selectFrom('devices').selectAll().orderBy('id').execute();

async function untilOver(caller: Caller, jobId: unknown): Promise<{ state: string; message: string | null }[]> {
  await until('the job is over', async () => (await caller.get(`/jobs/${String(jobId)}`)).data.state === 'finished');
  const { data } = await caller.get(`/jobs/${String(jobId)}/targets`);
  return data.map(({ state, message }: { state: string; message: string | null }) => ({ state, message }));
}

test('a simulated fleet is updated over the real broker and HTTP: one device takes it, one fails its check and goes back [DV4]', async () => {
  const { world, company, admin, code } = await place();
  await using _end = world;
  await using fleet = await startFleet({ url: world.url, code, devices: 2, moods: 'good', seed: 'flash', rebootSeconds: [0.1, 0.2] });
  const [good, bad] = fleet.devices;
  if (!good || !bad) throw new Error('two devices');
  bad.updateMood = 'fails-check';
  await until('both are online', async () => (await devicesOf(world)).filter(({ status }) => status === 1).length === 2);
  const before = bad.identity.firmware;
  for (const family of new Set([good.identity.model.family, bad.identity.model.family]))
    await upload(world, admin, company, Buffer.alloc(300_000, 7), `${family}00.08.01_WEBUI.bin`, 'firmware');
  const ids = (await devicesOf(world)).map(({ id }) => id);
  const { meta } = await admin.post('/devices/updates/firmware', {
    source: 'latest',
    keep_settings: true,
    back_within: 5,
    check_wan: true,
    device_id: ids,
  });
  const targets = await untilOver(admin, meta['job_id']);
  expect(targets.map(({ state }) => state).sort()).toEqual(['failed', 'ok']);
  expect(targets.find(({ state }) => state === 'failed')?.message).toBe('no way to the internet');
  const firmware = new Map((await devicesOf(world)).map((device) => [device.serial, device.firmware]));
  expect(firmware.get(good.identity.serial)).toBe(`${good.identity.model.family}00.08.01`);
  await until('it went back', async () =>
    (await devicesOf(world)).some((device) => device.serial === bad.identity.serial && device.firmware === before),
  );
});

test('the real agent gives the server a backup, and restores an older one; the server compares the two', async () => {
  const { world, admin, code } = await place();
  await using _end = world;
  const folder = await mkdtemp(join(tmpdir(), 'canopy-real-'));
  const root = join(folder, 'root');
  await mkdir(join(root, 'etc/config'), { recursive: true });
  await writeFile(join(root, 'etc/config/network'), 'lan 1\n');
  const env = {
    ...process.env,
    CANOPY_DIR: join(folder, 'agent'),
    CANOPY_SERIAL: 'REAL-1',
    CANOPY_MAC: '00:1e:42:00:00:09',
    CANOPY_ROOT: root,
    CANOPY_APPLY_COMMAND: 'true',
  };
  const joined = spawn('sh', [AGENT, 'join', '--url', world.url, '--code', code], { env, stdio: 'ignore' });
  await once(joined, 'exit');
  const agent = spawn('sh', [AGENT, 'run'], { env, stdio: 'ignore', detached: true });
  try {
    await until('the agent is online', async () => (await devicesOf(world))[0]?.status === 1);
    const [device] = await devicesOf(world);
    const back = async () =>
      untilOver(admin, (await admin.post('/devices/actions', { action: 'download_backup', device_id: [device?.id] })).meta['job_id']);
    expect(await back()).toMatchObject([{ state: 'ok' }]);
    await writeFile(join(root, 'etc/config/network'), 'lan 2\n');
    expect(await back()).toMatchObject([{ state: 'ok' }]);
    const { data: files } = await admin.get('/files', { device_id: device?.id ?? 0, sort: 'id' });
    const [first, second] = files;
    const archive = await download(world, admin, `/files/${first.id}/download`);
    expect(execFileSync('tar', ['-xzOf', '-', './etc/config/network'], { input: archive.rawPayload }).toString()).toBe('lan 1\n');
    expect((await admin.get(`/files/${first.id}/diff/${second.id}`)).data.files).toEqual([
      { path: 'etc/config/network', state: 'changed', diff: '@@ -1,1 +1,1 @@\n-lan 1\n+lan 2' },
    ]);
    const restored = await admin.post(`/files/${first.id}/restore`, { back_within: 5 });
    expect(await untilOver(admin, restored.meta['job_id'])).toMatchObject([{ state: 'ok' }]);
    expect(await readFile(join(root, 'etc/config/network'), 'utf8')).toBe('lan 1\n');
  } finally {
    killGroup(agent);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

import { beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { upload } from '../helpers/files.ts';
import { answer, reboot, startJob, statesOf } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Device = Awaited<ReturnType<typeof makeDevice>>;
type Company = Awaited<ReturnType<typeof makeCompany>>;

let world: World;
let admin: Caller;
let company: Company;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

async function give(name: string, type = 'firmware'): Promise<number> {
  return Number((await upload(world, admin, company, `content of ${name}`, name, type)).meta['id']);
}

const routers = async (count: number, more: object = {}): Promise<Device[]> => {
  const made: Device[] = [];
  for (let index = 0; index < count; index += 1)
    made.push(await makeDevice(world, { company, model: 'RUTX50', firmware: 'RUTX_R_00.07.10', ...more }));
  return made;
};

const idsOf = (devices: readonly Device[]) => devices.map(({ id }) => id);
const firmware = (more: object) => ({ source: 'file', keep_settings: true, back_within: 15, ...more });
const bodiesOf = (device: Device, verb: string) =>
  world.commands.filter((sent) => sent.deviceKey === device.device_key && sent.command.verb === verb).map(({ command }) => command.body);

/** The device is updated and says so, as its next report would. */
async function update(device: Device, name: string): Promise<void> {
  await answer(world, device, { message: `Runs ${name}` });
  await world.ctx.db.updateTable('devices').set({ firmware: name }).where('id', '=', device.id).execute();
  await answer(world, device, {});
}

const wavesOf = async (jobId: unknown) => (await admin.get(`/jobs/${String(jobId)}/waves`)).data;

describe('the waves of a roll-out [B7]', () => {
  test('each says how many wait, are at it, are done or failed; planned ones as large as they will be [B7]', async () => {
    const devices = await routers(5);
    const [canary, second, third] = devices;
    if (!canary || !second || !third) throw new Error('five devices');
    const body = { ...reboot(devices), waves: { first: 1, size: 3, stop_percent: 60 } };
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    expect(await wavesOf(meta['job_id'])).toMatchObject([
      { number: 1, state: 'running', total: 1, counts: { sent: 1 }, failed_percent: null, ended_at: null },
      { number: 2, state: 'planned', total: 3, counts: { queued: 3 }, began_at: null },
      { number: 3, state: 'planned', total: 1 },
    ]);
    await answer(world, canary, {});
    await answer(world, second, { state: 'failed' });
    expect(await wavesOf(meta['job_id'])).toMatchObject([
      { number: 1, state: 'done', counts: { ok: 1 }, failed_percent: 0, ended_at: expect.any(String) },
      { number: 2, state: 'running', counts: { failed: 1, sent: 2 }, failed_percent: 100 },
      { number: 3, state: 'planned', counts: { queued: 1 } },
    ]);
    await admin.post(`/jobs/${String(meta['job_id'])}/cancel`);
    await answer(world, third, {});
    expect(await wavesOf(meta['job_id'])).toMatchObject([
      { state: 'done' },
      { counts: { ok: 1, failed: 1, sent: 1 } },
      { state: 'dropped' },
    ]);
    const stranger = await as(world, 'admin');
    expect((await stranger.get(`/jobs/${String(meta['job_id'])}/waves`)).status).toBe(404);
  });

  test('a job without waves is one of all its devices; what was left out is in none', async () => {
    const devices = [...(await routers(2)), ...(await routers(1, { status: 0 }))];
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    expect(await wavesOf(meta['job_id'])).toMatchObject([{ number: 1, state: 'running', total: 2, counts: { sent: 2, skipped: 0 } }]);
  });

  test('too many failures hold it back where that was asked for; resumed, only new failures count [B7]', async () => {
    const devices = await routers(6);
    const body = { ...reboot(devices), waves: { size: 2, stop_percent: 40, on_stop: 'hold' } };
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    const path = `/jobs/${String(meta['job_id'])}`;
    const [first, second, third, fourth, fifth, sixth] = devices;
    if (!first || !second || !third || !fourth || !fifth || !sixth) throw new Error('six devices');
    await answer(world, first, { state: 'failed' });
    await answer(world, second, {});
    expect((await admin.get(path)).data).toMatchObject({
      state: 'running',
      paused_at: expect.any(String),
      counts: { queued: 4, cancelled: 0 },
      waves: { is_stopped: true, on_stop: 'hold' },
    });
    await world.clock.advance(MINUTE);
    await world.ctx.jobs.settled();
    expect((await admin.get(path)).data.counts.queued).toBe(4);
    await admin.post(`${path}/resume`);
    await world.ctx.jobs.settled();
    expect((await admin.get(path)).data).toMatchObject({ paused_at: null, waves: { is_stopped: false, number: 2 } });
    for (const device of [third, fourth]) await answer(world, device, {});
    expect((await admin.get(path)).data.waves).toMatchObject({ number: 3, is_stopped: false });
    await answer(world, fifth, { state: 'failed' });
    await answer(world, sixth, {});
    expect((await admin.get(path)).data).toMatchObject({ state: 'finished', counts: { ok: 4, failed: 2 } });
    const stops = await world.ctx.db.selectFrom('audit').select('action').where('action', '=', 'jobs.stop').execute();
    expect(stops).toHaveLength(1);
  });
});

describe('the list of roll-outs', () => {
  test('has updates and restored settings, and no other job', async () => {
    const [device] = await routers(1);
    const file_id = await give('RUTX_R_00.07.13_WEBUI.bin');
    const { meta } = await startJob(world, admin, '/devices/updates/firmware', firmware({ file_id, device_id: [device?.id] }));
    const { data } = await admin.get('/roll-outs', { sort: '-created_at' });
    expect(data[0]).toMatchObject({ id: meta['job_id'], kind: 'update_firmware' });
    expect(data.every(({ kind }: { kind: string }) => kind === 'update_firmware')).toBe(true);
    const stranger = await as(world, 'admin');
    expect((await stranger.get('/roll-outs')).data).toEqual([]);
  });
});

describe('a roll-out is rolled back [DV4]', () => {
  test('those that succeeded get the firmware that they ran; the preview says which can not, and nobody goes back twice [DV4]', async () => {
    const devices = await routers(3);
    const [other] = await routers(1, { firmware: 'RUTX_R_00.07.09' });
    const [moved, failed, good] = devices;
    if (!other || !moved || !failed || !good) throw new Error('four devices');
    const former = await give('RUTX_R_00.07.10_WEBUI.bin');
    const file_id = await give('RUTX_R_00.07.14_WEBUI.bin');
    const started = await startJob(world, admin, '/devices/updates/firmware', firmware({ file_id, device_id: idsOf([...devices, other]) }));
    const path = `/jobs/${String(started.meta['job_id'])}/roll-back`;
    expect((await admin.post(path, { dry_run: true })).codes).toEqual(['NOTHING_TO_ROLL_BACK']);
    for (const device of [moved, good, other]) await update(device, 'RUTX_R_00.07.14');
    await answer(world, failed, { state: 'failed', code: 1, message: 'no way to the internet' });
    await answer(world, failed, {});
    await world.ctx.db.updateTable('devices').set({ firmware: 'RUTX_R_00.07.16' }).where('id', '=', moved.id).execute();

    const preview = (await admin.post(path, { dry_run: true })).data;
    const reasons = Object.fromEntries(
      preview.skipped.map(({ reason, sample }: { reason: string; sample: { id: number }[] }) => [reason, sample.map(({ id }) => id)]),
    );
    expect(preview).toMatchObject({ total: 3, will_run: 1 });
    expect(reasons).toEqual({ CHANGED_SINCE: [moved.id], NO_FILE: [other.id] });
    const back = await startJob(world, admin, path, {});
    expect(await statesOf(admin, back.meta['job_id'])).toEqual(['skipped', 'sent', 'skipped']);
    expect(bodiesOf(good, 'firmware').at(-1)).toContain('version=00.07.10\n');
    expect((await admin.get(`/jobs/${String(back.meta['job_id'])}`)).data).toMatchObject({
      parent_id: started.meta['job_id'],
      input: { rolls_back: started.meta['job_id'], entries: [{ file: { id: former } }] },
    });
    await update(good, 'RUTX_R_00.07.10');
    expect(await statesOf(admin, back.meta['job_id'])).toEqual(['skipped', 'ok', 'skipped']);
    expect((await admin.post(path, { dry_run: true })).data).toMatchObject({ total: 2, will_run: 0 });
  });

  test('settings go back to the newest backup of before [DV4]', async () => {
    const [device, bare] = await routers(2);
    if (!device || !bare) throw new Error('two devices');
    const backup = await give('before.tar.gz', 'config');
    const since = await give('since.tar.gz', 'config');
    const template = await give('template.tar.gz', 'config');
    const own = (id: number, created_at: number) =>
      world.ctx.db.updateTable('files').set({ device_id: device.id, created_at }).where('id', '=', id).execute();
    const body = { source: 'file', file_id: template, back_within: 15, device_id: idsOf([device, bare]) };
    const started = await startJob(world, admin, '/devices/updates/backup', body);
    expect(started.status).toBe(200);
    for (const one of [device, bare]) {
      await answer(world, one, {});
      await answer(world, one, {});
    }
    await own(backup, world.clock.now() - MINUTE);
    await own(since, world.clock.now() + MINUTE);
    const path = `/jobs/${String(started.meta['job_id'])}/roll-back`;
    const preview = (await admin.post(path, { dry_run: true })).data;
    expect(preview).toMatchObject({ total: 2, will_run: 1, skipped: [{ reason: 'NO_FILE', sample: [{ id: bare.id }] }] });
    const back = await startJob(world, admin, path, {});
    expect((await admin.get(`/jobs/${String(back.meta['job_id'])}`)).data.input.entries).toMatchObject([{ file: { id: backup } }]);
  });

  test('only by who may update devices and sees the job, and only what put something on devices', async () => {
    const [device] = await routers(1);
    if (!device) throw new Error('a device');
    const { meta } = await startJob(world, admin, '/devices/actions', reboot([device]));
    await answer(world, device, {});
    const path = `/jobs/${String(meta['job_id'])}/roll-back`;
    expect((await admin.post(path, {})).codes).toEqual(['NOTHING_TO_ROLL_BACK']);
    expect((await (await as(world, 'admin')).post(path, {})).status).toBe(404);
    expect((await (await as(world, 'end_user', { company })).post(path, {})).status).toBe(403);
    expect((await admin.post(path, { dry_run: true, device_id: [device.id] })).status).toBe(400);
  });
});

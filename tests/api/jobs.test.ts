import { describe, expect, test } from 'vitest';
import type { TargetState } from '../../server/db/schema.ts';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { inTransaction } from '../../server/kernel/db/database.ts';
import type { TargetResult } from '../../server/kernel/jobs/types.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Said = Partial<Omit<TargetResult, 'deviceId' | 'commandId'>>;

/** The device says this about the newest command that it was given. */
async function answer(world: World, device: { id: number; device_key: string }, said: Said): Promise<void> {
  const command = world.commands.findLast((sent) => sent.deviceKey === device.device_key)?.command;
  const result = { state: 'ok', code: null, message: null, output: null, truncated: false, ...said } as const;
  await inTransaction(world.ctx.db, (trx) =>
    world.ctx.jobs.takeResults(trx, [{ deviceId: device.id, commandId: command?.id ?? '', ...result }]),
  );
  await world.ctx.jobs.settled();
}

async function startJob(world: World, caller: Caller, path: string, body: object, headers: Record<string, string> = {}) {
  const started = await caller.post(path, body, headers);
  await world.ctx.jobs.settled();
  return started;
}

async function statesOf(caller: Caller, jobId: unknown): Promise<TargetState[]> {
  const { data } = await caller.get(`/jobs/${jobId}/targets`, { limit: 100 });
  return data.map((target: { state: TargetState }) => target.state);
}

const reboot = (devices: { id: number }[]) => ({ action: 'reboot', device_id: devices.map((device) => device.id) });

async function place(count = 2) {
  const world = await makeWorld();
  const company = await makeCompany(world);
  const devices = [];
  for (let index = 0; index < count; index += 1) devices.push(await makeDevice(world, { company }));
  const admin = await as(world, 'admin', { company });
  return { world, company, devices, admin };
}

describe('B1 preview', () => {
  test('B1 says how many run and why the rest does not, and makes nothing', async () => {
    const { world, company, devices, admin } = await place();
    await using _end = world;
    const others = [
      await makeDevice(world, { company, status: 0 }),
      await makeDevice(world, { company, status: null }),
      await makeDevice(world, { company, status: 2, quarantine: 'duplicate_serial' }),
    ];
    const answered = await admin.post('/devices/actions', { ...reboot([...devices, ...others]), dry_run: true });
    expect(answered.data).toMatchObject({ total: 5, will_run: 2, seen: null, warnings: [] });
    const reasons = answered.data.skipped.map((group: { reason: string; count: number }) => [group.reason, group.count]);
    expect(reasons.sort()).toEqual([
      ['NOT_ACTIVATED', 1],
      ['OFFLINE', 1],
      ['QUARANTINED', 1],
    ]);
    expect(await world.ctx.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
    expect(world.commands).toEqual([]);
  });

  test('B1 a foreign device among the chosen ones refuses the whole call', async () => {
    const { world, devices, admin } = await place();
    await using _end = world;
    const foreign = await makeDevice(world);
    for (const dry_run of [true, false]) {
      const answered = await admin.post('/devices/actions', { ...reboot([...devices, foreign]), dry_run });
      expect(answered.codes).toEqual(['NOT_FOUND']);
    }
    expect(world.commands).toEqual([]);
  });
});

describe('a job', () => {
  test('is followed to its end: sent, running, online again', async () => {
    const { world, devices, admin } = await place();
    await using _end = world;
    const [first, second] = devices;
    if (!first || !second) throw new Error('two devices');
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    expect(meta).toMatchObject({ channel: `jobs.${meta['job_id']}`, count: 2 });
    expect(world.commands.map((sent) => sent.command.verb)).toEqual(['reboot', 'reboot']);
    await answer(world, first, { state: 'running' });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['running', 'sent']);
    await answer(world, first, { state: 'ok', message: 'Online again after 71 s' });
    await answer(world, second, { state: 'failed', code: 1, message: 'no such program', output: 'sh: reboot: not found' });
    const job = (await admin.get(`/jobs/${meta['job_id']}`)).data;
    expect(job).toMatchObject({
      kind: 'reboot',
      state: 'finished',
      total: 2,
      counts: { ok: 1, failed: 1, queued: 0, sent: 0, running: 0 },
    });
    const polled = (await admin.get(`//status/channel/${String(meta['channel'])}`)).data;
    expect(polled[first.id].at(-1)).toEqual({ status: 'completed', value: 'Online again after 71 s' });
    expect(polled[second.id].at(-1)).toEqual({ status: 'error', value: 'no such program', errorCode: 'FAILED' });
    expect((await admin.get('//status/channel/jobs.999')).codes).toEqual(['CHANNEL_NOT_FOUND']);
  });

  test('skips what went offline since the preview and waits for nothing', async () => {
    const { world, devices, admin, company } = await place(1);
    await using _end = world;
    const offline = await makeDevice(world, { company, status: 0 });
    const { meta } = await startJob(world, admin, '/devices/commands', {
      command: 'uptime',
      timeout: 5,
      device_id: [offline.id, ...devices.map((d) => d.id)],
    });
    expect((await statesOf(admin, meta['job_id'])).sort()).toEqual(['sent', 'skipped']);
    expect(world.commands).toMatchObject([{ command: { verb: 'run', body: 'uptime', timeoutSeconds: 5 } }]);
  });

  test('calls a device that does not answer timed out, and notes a late answer truthfully', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/commands', { command: 'sleep 9', timeout: 10, device_id: [devices[0]?.id] });
    await world.clock.advance(2 * MINUTE);
    await world.ctx.jobs.settled();
    expect(await statesOf(admin, meta['job_id'])).toEqual(['timed-out']);
    expect((await admin.get(`/jobs/${meta['job_id']}`)).data.state).toBe('finished');
    if (devices[0]) await answer(world, devices[0], { state: 'ok', code: 0, output: 'done' });
    const [target] = (await admin.get(`/jobs/${meta['job_id']}/targets`)).data;
    expect(target).toMatchObject({
      state: 'timed-out',
      output: 'done',
      message: expect.stringMatching(/^Answered "ok" \d+ s after the deadline$/),
    });
  });

  test('gives a device that returned what it has not answered, under the same id', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    await startJob(world, admin, '/devices/actions', reboot(devices));
    await world.ctx.jobs.devicesReturned(devices.map((device) => device.id));
    expect(world.commands).toHaveLength(2);
    expect(new Set(world.commands.map((sent) => sent.command.id)).size).toBe(1);
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    await world.ctx.jobs.devicesReturned(devices.map((device) => device.id));
    expect(world.commands).toHaveLength(2);
  });

  test('takes no answer of one device for another', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    const [first, second] = devices;
    if (first && second) await answer(world, { id: second.id, device_key: first.device_key }, { state: 'ok' });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['sent', 'sent']);
  });

  test('B8 leaves who, what and the outcome in the history, with secrets masked', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    const command = 'uci set wifi.key=x; curl -u admin --password hunter2 http://bob:s3cret@host';
    const { meta } = await startJob(world, admin, '/devices/commands', { command, timeout: 5, device_id: [devices[0]?.id] });
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    const rows = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'job').orderBy('id').execute();
    expect(rows.map((row) => [row.action, row.actor_id])).toEqual([
      ['devices.run', admin.user.id],
      ['jobs.finish', admin.user.id],
    ]);
    const everything = JSON.stringify([rows, (await admin.get(`/jobs/${meta['job_id']}`)).data]);
    expect(everything).not.toMatch(/hunter2|s3cret/);
    expect(world.commands[0]?.command.body).toBe(command);
  });
});

describe('B2 the same thing twice', () => {
  test('B2 an idempotency key gives the same job for a day', async () => {
    const { world, devices, admin } = await place();
    await using _end = world;
    const key = { 'idempotency-key': 'press-1' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => startJob(world, admin, '/devices/actions', reboot(devices), key)));
    expect(new Set(answers.map((one) => one.meta['job_id'])).size).toBe(1);
    expect(world.commands).toHaveLength(2);
    for (const device of devices) await answer(world, device, { state: 'ok' });
    await world.ctx.db
      .updateTable('jobs')
      .set((eb) => ({ created_at: eb('created_at', '-', DAY) }))
      .execute();
    expect((await startJob(world, admin, '/devices/actions', reboot(devices), key)).meta['job_id']).not.toBe(answers[0]?.meta['job_id']);
  });

  test('B2 a second reboot while one runs is refused with the way to it; another command is not', async () => {
    const { world, devices, admin, company } = await place();
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    const again = await admin.post('/devices/actions', reboot(devices));
    expect(again).toMatchObject({ status: 409, codes: ['JOB_ALREADY_RUNNING'], meta: { job_id: meta['job_id'] } });
    const third = await makeDevice(world, { company });
    const mixed = await startJob(world, admin, '/devices/actions', reboot([...devices, third]));
    expect((await statesOf(admin, mixed.meta['job_id'])).sort()).toEqual(['sent', 'skipped', 'skipped']);
    expect((await startJob(world, admin, '/devices/commands', { command: 'uptime', timeout: 5, device_id: [third.id] })).status).toBe(200);
  });
});

describe('waves', () => {
  test('so many devices at a time get their turn, the next ones when those are done', async () => {
    const { world, devices, admin } = await place(5);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves: { size: 2 } });
    const wave = async () => (await admin.get(`/jobs/${String(meta['job_id'])}`)).data.waves;
    expect(world.commands).toHaveLength(2);
    expect(await wave()).toEqual({ size: 2, stop_percent: null, number: 1, total: 3, is_stopped: false });
    if (devices[0]) await answer(world, devices[0], { state: 'failed' });
    expect(world.commands).toHaveLength(2);
    if (devices[1]) await answer(world, devices[1], { state: 'ok' });
    expect(world.commands).toHaveLength(4);
    expect(await wave()).toMatchObject({ number: 2, total: 3 });
    for (const device of devices.slice(2, 4)) await answer(world, device, { state: 'ok' });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['failed', 'ok', 'ok', 'ok', 'sent']);
  });

  test('when more failed than may, nothing more is sent and the rest says why', async () => {
    const { world, devices, admin } = await place(5);
    await using _end = world;
    const body = { ...reboot(devices), waves: { size: 2, stop_percent: 40 } };
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    if (devices[0]) await answer(world, devices[0], { state: 'failed' });
    if (devices[1]) await answer(world, devices[1], { state: 'ok' });
    expect(world.commands).toHaveLength(2);
    const { data } = await admin.get(`/jobs/${String(meta['job_id'])}`);
    expect(data).toMatchObject({ state: 'cancelled', counts: { ok: 1, failed: 1, cancelled: 3 }, waves: { is_stopped: true } });
    const targets = (await admin.get(`/jobs/${String(meta['job_id'])}/targets`, { state: 'cancelled' })).data;
    expect(targets.map((target: { reason: string }) => target.reason)).toEqual(['STOPPED', 'STOPPED', 'STOPPED']);
  });

  test('they are for what devices do, and have bounds', async () => {
    const { world, devices, admin, company } = await place(1);
    await using _end = world;
    const ids = devices.map((device) => device.id);
    const moved = await admin.post('/devices/move', { device_id: ids, company_id: company.id, waves: { size: 1 } });
    expect(moved).toMatchObject({ status: 400, codes: ['INVALID_FIELD'] });
    for (const waves of [{ size: 0 }, { size: 1, stop_percent: 101 }, { stop_percent: 5 }, 7])
      expect((await admin.post('/devices/actions', { ...reboot(devices), waves })).status).toBe(400);
  });
});

describe('B5, B6 retry and cancel', () => {
  test('B5 a retry is a child job for the failed and timed-out ones only', async () => {
    const { world, devices, admin } = await place(3);
    await using _end = world;
    const [ok, failed, late] = devices;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    const id = meta['job_id'];
    expect((await admin.post(`/jobs/${String(id)}/retry`, {})).codes).toEqual(['NOTHING_TO_RETRY']);
    if (ok) await answer(world, ok, { state: 'ok' });
    if (failed) await answer(world, failed, { state: 'failed' });
    await world.clock.advance(9 * MINUTE);
    // The job outlasts the session of ten minutes.
    const fresh = await as(world, 'admin', { company: { id: admin.user.company_id } });
    await world.clock.advance(2 * MINUTE);
    await world.ctx.jobs.settled();
    const retried = await startJob(world, fresh, `/jobs/${String(id)}/retry`, {});
    const targets = (await fresh.get(`/jobs/${String(retried.meta['job_id'])}/targets`)).data;
    expect(targets.map((target: { device_id: number }) => target.device_id)).toEqual([failed?.id, late?.id]);
    expect((await fresh.get(`/jobs/${String(retried.meta['job_id'])}`)).data.parent_id).toBe(id);
    for (const device of [failed, late]) if (device) await answer(world, device, { state: 'ok' });
    expect((await fresh.post(`/jobs/${String(retried.meta['job_id'])}/retry`, {})).codes).toEqual(['NOTHING_TO_RETRY']);
  });

  test('B5 the failed ones can be tried again while the rest is under way, each once', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    if (devices[0]) await answer(world, devices[0], { state: 'failed' });
    const retried = await startJob(world, admin, `/jobs/${String(meta['job_id'])}/retry`, {});
    expect(await statesOf(admin, retried.meta['job_id'])).toEqual(['sent']);
    expect((await admin.post(`/jobs/${String(meta['job_id'])}/retry`, {})).codes).toEqual(['NOTHING_TO_RETRY']);
    if (devices[0]) await answer(world, devices[0], { state: 'failed' });
    expect((await admin.post(`/jobs/${String(meta['job_id'])}/retry`, {})).status).toBe(200);
  });

  test('B6 cancelling stops what was not sent and says what cannot be called back', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    await world.ctx.db
      .updateTable('job_targets')
      .set({ state: 'queued' })
      .where('device_id', '=', devices[1]?.id ?? 0)
      .execute();
    const cancelled = await admin.post(`/jobs/${String(meta['job_id'])}/cancel`);
    expect(cancelled.data).toEqual({ cancelled: 1, cannot_cancel: 1 });
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    expect((await admin.get(`/jobs/${String(meta['job_id'])}`)).data).toMatchObject({
      state: 'cancelled',
      counts: { ok: 1, cancelled: 1 },
    });
  });

  test('the export is safe to open in a spreadsheet', async () => {
    const { world, company, admin } = await place(0);
    await using _end = world;
    const device = await makeDevice(world, { company, name: '=HYPERLINK("http://evil")' });
    const { meta } = await startJob(world, admin, '/devices/commands', { command: 'x', timeout: 5, device_id: [device.id] });
    await answer(world, device, { state: 'ok', code: 0, output: '+1+1,"quoted"\nnext' });
    const { text, headers } = await admin.get(`/jobs/${String(meta['job_id'])}/export`);
    expect(headers['content-disposition']).toContain('.csv');
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(text).toContain(`"'+1+1,""quoted""\nnext"`);
  });
});

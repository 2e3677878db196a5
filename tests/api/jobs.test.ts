import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { makeDevice } from '../helpers/factories.ts';
import { answer, place, reboot, startJob, statesOf } from '../helpers/jobs.ts';

describe('preview [B1]', () => {
  test('says how many run and why the rest does not, and makes nothing [B1]', async () => {
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

  test('a foreign device among the chosen ones refuses the whole call [B1]', async () => {
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

  test('leaves who, what and the outcome in the history, with secrets masked [B8]', async () => {
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
    const [started, done] = rows.map((row) => JSON.parse(row.after ?? '{}'));
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect(done).toMatchObject({
      state: 'finished',
      total: 1,
      counts: { ok: 1, failed: 0 },
      input: started.input,
      targets: started.targets,
    });
    expect(done).toMatchObject({ targets: hashOf(`${devices[0]?.id}`), results: hashOf(`${devices[0]?.id} ok - -\n`) });
    const everything = JSON.stringify([rows, (await admin.get(`/jobs/${meta['job_id']}`)).data]);
    expect(everything).not.toMatch(/hunter2|s3cret/);
    expect(world.commands[0]?.command.body).toBe(command);
  });
});

describe('the same thing twice [B2]', () => {
  test('an idempotency key gives the same job for a day [B2]', async () => {
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

  test('a second reboot while one runs is refused with the way to it; another command is not [B2]', async () => {
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

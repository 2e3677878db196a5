import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND, wireTime } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice } from '../helpers/factories.ts';
import { answer, place, reboot, startJob, statesOf } from '../helpers/jobs.ts';
import { passTime } from '../helpers/reporting.ts';

describe('waves [B7]', () => {
  test('so many devices at a time get their turn, the next ones when those are done [B7]', async () => {
    const { world, devices, admin } = await place(5);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves: { size: 2 } });
    const wave = async () => (await admin.get(`/jobs/${String(meta['job_id'])}`)).data.waves;
    expect(world.commands).toHaveLength(2);
    expect(await wave()).toEqual({
      ...{
        size: 2,
        first: 2,
        approve: false,
        is_waiting: false,
        stop_percent: null,
        pause_seconds: null,
        newcomers: false,
        number: 1,
        total: 3,
        resumes_at: null,
        is_stopped: false,
        on_stop: 'end',
      },
    });
    if (devices[0]) await answer(world, devices[0], { state: 'failed' });
    expect(world.commands).toHaveLength(2);
    if (devices[1]) await answer(world, devices[1], { state: 'ok' });
    expect(world.commands).toHaveLength(4);
    expect(await wave()).toMatchObject({ number: 2, total: 3 });
    for (const device of devices.slice(2, 4)) await answer(world, device, { state: 'ok' });
    expect(await statesOf(admin, meta['job_id'])).toEqual(['failed', 'ok', 'ok', 'ok', 'sent']);
  });

  test('when more failed than may, nothing more is sent and the rest says why [B7]', async () => {
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

  test('the next wave waits as long as was asked for, and says until when [B7]', async () => {
    const { world, devices, admin } = await place(3);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves: { size: 2, pause_seconds: 60 } });
    for (const device of devices.slice(0, 2)) await answer(world, device, { state: 'ok' });
    const until = new Date(world.clock.now() + MINUTE).toISOString().slice(0, 19).replace('T', ' ');
    const waves = async () => (await admin.get(`/jobs/${String(meta['job_id'])}`)).data.waves;
    expect(await waves()).toMatchObject({ number: 1, pause_seconds: 60, resumes_at: until });
    await world.clock.advance(59 * SECOND);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(2);
    await world.clock.advance(2 * SECOND);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(3);
    expect(await waves()).toMatchObject({ number: 2, resumes_at: null });
  });

  test('the first wave is as small as was asked for, the others a share of all, and each waits to be let go on [B7]', async () => {
    const { world, devices, admin } = await place(6);
    await using _end = world;
    const waves = { first: 1, size_percent: 40, approve: true };
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves });
    const path = `/jobs/${String(meta['job_id'])}`;
    const state = async () => (await admin.get(path)).data.waves;
    expect(world.commands).toHaveLength(1);
    expect(await state()).toMatchObject({ first: 1, size: 3, number: 1, total: 3, is_waiting: false });
    expect((await admin.post(`${path}/continue`)).codes).toEqual(['NOT_WAITING']);
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    await world.clock.advance(MINUTE);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(1);
    expect(await state()).toMatchObject({ number: 1, is_waiting: true });
    const other = await as(world, 'admin');
    expect((await other.post(`${path}/continue`)).status).toBe(404);
    expect((await (await as(world, 'read_only', { company: { id: devices[0]?.company_id ?? 0 } })).post(`${path}/continue`)).status).toBe(
      403,
    );
    expect((await admin.post(`${path}/continue`)).status).toBe(200);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(4);
    expect(await state()).toMatchObject({ number: 2, total: 3, is_waiting: false });
  });

  test('a paused job sends nothing more until it is resumed; what is under way goes on [B7]', async () => {
    const { world, devices, admin } = await place(3);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', { ...reboot(devices), waves: { size: 1 } });
    const path = `/jobs/${String(meta['job_id'])}`;
    expect((await admin.post(`${path}/resume`)).codes).toEqual(['NOT_WAITING']);
    expect((await admin.post(`${path}/pause`)).status).toBe(200);
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    await world.clock.jump(25 * HOUR);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(1);
    const later = await as(world, 'admin', { company: { id: devices[0]?.company_id ?? 0 } });
    expect((await later.get(path)).data).toMatchObject({ paused_at: expect.any(String), counts: { ok: 1, queued: 2 } });
    await later.post(`${path}/resume`);
    await world.ctx.jobs.settled();
    expect(world.commands).toHaveLength(2);
    expect((await later.get(path)).data.paused_at).toBeNull();
  });

  test('they are for what devices do, and have bounds', async () => {
    const { world, devices, admin, company } = await place(1);
    await using _end = world;
    const ids = devices.map((device) => device.id);
    const moved = await admin.post('/devices/move', { device_id: ids, company_id: company.id, waves: { size: 1 } });
    expect(moved).toMatchObject({ status: 400, codes: ['INVALID_FIELD'] });
    for (const waves of [{ size: 0 }, { size: 1, stop_percent: 101 }, { size: 1, pause_seconds: 3601 }, { stop_percent: 5 }, 7])
      expect((await admin.post('/devices/actions', { ...reboot(devices), waves })).status).toBe(400);
  });
});

describe('retry and cancel [B5 B6]', () => {
  test('a retry is a child job for the failed and timed-out ones only [B5]', async () => {
    const { world, devices, admin } = await place(3);
    await using _end = world;
    const [ok, failed, late] = devices;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    const id = meta['job_id'];
    expect((await admin.post(`/jobs/${String(id)}/retry`, {})).codes).toEqual(['NOTHING_TO_RETRY']);
    if (ok) await answer(world, ok, { state: 'ok' });
    if (failed) await answer(world, failed, { state: 'failed' });
    await passTime(world, 9 * MINUTE);
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

  test('a retry is previewed like any other job, and may wait for devices that are offline [B5]', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    for (const device of devices) await answer(world, device, { state: 'failed' });
    await world.ctx.db
      .updateTable('devices')
      .set({ status: 0 })
      .where('id', '=', devices[0]?.id ?? 0)
      .execute();
    const path = `/jobs/${String(meta['job_id'])}/retry`;
    expect((await admin.post(path, { dry_run: true })).data).toMatchObject({ total: 2, will_run: 1, skipped: [{ reason: 'OFFLINE' }] });
    expect((await admin.get('/jobs')).meta['total']).toBe(1);
    const retried = await startJob(world, admin, path, { wait_seconds: 3600 });
    expect((await statesOf(admin, retried.meta['job_id'])).toSorted()).toEqual(['queued', 'sent']);
  });

  test('the failed ones can be tried again while the rest is under way, each once [B5]', async () => {
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

  test('cancelling stops what was not sent and says what cannot be called back [B6]', async () => {
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
    expect((await admin.get(`/jobs/${String(meta['job_id'])}`)).data.cancel_requested_at).toBe(wireTime(world.clock.now()));
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

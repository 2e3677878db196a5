import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, wireTime } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeDevice, makeRole } from '../helpers/factories.ts';
import { answer, place, reboot, startJob, statesOf } from '../helpers/jobs.ts';
import type { World } from '../helpers/world.ts';

/** Lets time pass; then everything that can be done before a device answers is done. */
async function pass(world: World, milliseconds: number): Promise<void> {
  await world.clock.advance(milliseconds);
  await world.ctx.jobs.settled();
}

/** Whom the devices were sent something, each once: what goes unanswered is sent again. */
const reached = (world: World) =>
  [...new Set(world.commands.map((sent) => `${sent.deviceKey} ${sent.command.id}`))].map((text) => text.split(' ')[0]);

const setOnline = (world: World, id: number, status: 0 | 1) =>
  world.ctx.db.updateTable('devices').set({ status }).where('id', '=', id).execute();

describe('a job that begins later [B7]', () => {
  test('nothing is sent before its time; who is offline now and what runs now do not matter', async () => {
    const { world, devices, admin, company } = await place(1);
    await using _end = world;
    const away = await makeDevice(world, { company, status: 0 });
    await startJob(world, admin, '/devices/actions', reboot(devices));
    expect(reached(world)).toHaveLength(1);
    const body = { ...reboot([...devices, away]), starts_at: wireTime(world.clock.now() + 2 * MINUTE) };
    expect((await admin.post('/devices/actions', { ...body, dry_run: true })).data).toMatchObject({ will_run: 2, skipped: [] });
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    if (devices[0]) await answer(world, devices[0], { state: 'ok' });
    await pass(world, MINUTE);
    expect(reached(world)).toHaveLength(1);
    expect((await admin.get(`/jobs/${String(meta['job_id'])}`)).data).toMatchObject({
      ...{ state: 'queued', starts_at: body.starts_at, waits_until: null, counts: { queued: 2 } },
    });
    await pass(world, 2 * MINUTE);
    expect(reached(world)).toHaveLength(2);
    expect(await statesOf(admin, meta['job_id'])).toEqual(['sent', 'skipped']);
  });

  test('it is no reason to refuse the same now', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    await startJob(world, admin, '/devices/actions', { ...reboot(devices), starts_at: wireTime(world.clock.now() + MINUTE) });
    expect((await startJob(world, admin, '/devices/actions', reboot(devices))).status).toBe(200);
    expect(reached(world)).toHaveLength(1);
  });

  test('cancelled before, it ends at once and nothing is ever sent [B6]', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const { meta } = await startJob(world, admin, '/devices/actions', {
      ...reboot(devices),
      starts_at: wireTime(world.clock.now() + MINUTE),
    });
    expect((await admin.post(`/jobs/${String(meta['job_id'])}/cancel`, {})).data).toEqual({ cancelled: 2, cannot_cancel: 0 });
    await pass(world, 2000);
    expect((await admin.get(`/jobs/${String(meta['job_id'])}`)).data.state).toBe('cancelled');
    await pass(world, 2 * MINUTE);
    expect(world.commands).toEqual([]);
    expect(await statesOf(admin, meta['job_id'])).toEqual(['cancelled', 'cancelled']);
  });

  test.each(['is disabled', 'loses the right'])('when the person who planned it %s, it does not run and says so [BL2]', async (what) => {
    const { world, devices, company } = await place(1);
    await using _end = world;
    const owner = await as(world, 'admin', { company });
    const { meta } = await startJob(world, owner, '/devices/actions', {
      ...reboot(devices),
      starts_at: wireTime(world.clock.now() + MINUTE),
    });
    const system = await as(world, 'super_admin', { company });
    if (what === 'is disabled') await system.put(`/users/${owner.user.id}/status`, { disabled: true });
    else {
      const { id } = await makeRole(world, { permissions: ['view_devices'], company });
      await world.ctx.db.updateTable('memberships').set({ role_id: id }).where('user_id', '=', owner.user.id).execute();
    }
    await pass(world, 2 * MINUTE);
    expect(world.commands).toEqual([]);
    const reader = await as(world, 'super_admin', { company });
    expect((await reader.get(`/jobs/${String(meta['job_id'])}`)).data).toMatchObject({
      ...{ state: 'finished', message: 'The person who started this job is no longer allowed to do this.' },
    });
    expect((await reader.get(`/jobs/${String(meta['job_id'])}/targets`)).data).toMatchObject([{ state: 'skipped', reason: 'NO_RIGHT' }]);
  });
});

describe('devices that are offline [B7]', () => {
  test('keep their place until they are back, and no longer than was asked for', async () => {
    const { world, devices, admin, company } = await place(1);
    await using _end = world;
    const [back, gone] = [await makeDevice(world, { company, status: 0 }), await makeDevice(world, { company, status: 0 })];
    const body = { ...reboot([...devices, back, gone]), wait_seconds: 120 };
    expect((await admin.post('/devices/actions', { ...body, dry_run: true })).data).toMatchObject({ will_run: 3 });
    const { meta } = await startJob(world, admin, '/devices/actions', body);
    expect(reached(world)).toHaveLength(1);
    expect(await statesOf(admin, meta['job_id'])).toEqual(['sent', 'queued', 'queued']);
    await pass(world, MINUTE);
    await setOnline(world, back.id, 1);
    await pass(world, 2000);
    expect(reached(world)).toEqual([devices[0]?.device_key, back.device_key]);
    for (const device of [...devices, back]) await answer(world, device, { state: 'ok' });
    await pass(world, MINUTE);
    const reader = await as(world, 'admin', { company });
    expect((await reader.get(`/jobs/${String(meta['job_id'])}/targets`)).data[2]).toMatchObject({ state: 'skipped', reason: 'EXPIRED' });
    expect((await reader.get(`/jobs/${String(meta['job_id'])}`)).data.state).toBe('finished');
  });
});

test('a time that is over and an endless wait are refused; what was planned is in the history [B7 B8]', async () => {
  const { world, devices, admin, company } = await place(1);
  await using _end = world;
  const now = world.clock.now();
  for (const [source, extra] of [
    ['starts_at', { starts_at: wireTime(now - MINUTE) }],
    ['starts_at', { starts_at: wireTime(now + 91 * 24 * HOUR) }],
    ['starts_at', { starts_at: 'tomorrow' }],
    ['wait_seconds', { wait_seconds: 31 * 24 * 3600 }],
    ['wait_seconds', { wait_seconds: 5 }],
  ] as const)
    expect((await admin.post('/devices/actions', { ...reboot(devices), ...extra })).errors).toMatchObject([{ source }]);
  const moved = await admin.post('/devices/move', { device_id: devices.map(({ id }) => id), company_id: company.id, wait_seconds: 60 });
  expect(moved.errors).toMatchObject([{ source: 'wait_seconds' }]);
  const times = { starts_at: wireTime(now + HOUR), waits_until: wireTime(now + 2 * HOUR) };
  await startJob(world, admin, '/devices/actions', { ...reboot(devices), starts_at: times.starts_at, wait_seconds: 3600 });
  const row = await world.ctx.db.selectFrom('audit').select('after').where('action', '=', 'devices.reboot').executeTakeFirstOrThrow();
  expect(JSON.parse(row.after ?? '')).toMatchObject(times);
});

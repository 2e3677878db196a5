import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { place, reboot, startJob } from '../helpers/jobs.ts';
import type { World } from '../helpers/world.ts';

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const clockTime = (moment: number): string => new Date(moment).toISOString().slice(11, 16);
const dayOf = (moment: number) => WEEKDAYS[new Date(moment).getUTCDay()];

/** A window of one hour, UTC, that opens at this moment's minute. */
const window = (opens: number, more: object = {}) => ({
  name: 'Night',
  applies_to: 'company',
  days: [dayOf(opens)],
  time_from: clockTime(opens),
  time_to: clockTime(opens + HOUR),
  timezone: 'UTC',
  ...more,
});

async function pass(world: World, milliseconds: number): Promise<void> {
  await world.clock.advance(milliseconds);
  await world.ctx.jobs.settled();
}

const reached = (world: World) => [...new Set(world.commands.map((sent) => sent.deviceKey))];
const add = (admin: Caller, body: object) => admin.post('/maintenance-windows', body);
const targetsOf = async (admin: Caller, jobId: unknown) => (await admin.get(`/jobs/${String(jobId)}/targets`)).data;

describe('a device with a maintenance window', () => {
  test('[B7] waits for it: the preview says how many and when, the target says until when, and it is sent when the window opens', async () => {
    const { world, devices, admin } = await place(2);
    await using _end = world;
    const opens = world.clock.now() + 20 * MINUTE;
    await add(admin, window(opens, { applies_to: 'device', device_ids: [devices[0]?.id] }));
    const preview = await admin.post('/devices/actions', { ...reboot(devices), dry_run: true });
    expect(preview.data).toMatchObject({ will_run: 2, windows: { outside: 1, rule: 'wait' } });
    const { meta } = await startJob(world, admin, '/devices/actions', reboot(devices));
    expect(reached(world)).toEqual([devices[1]?.device_key]);
    const waiting = (await targetsOf(admin, meta['job_id'])).find((target: { device_id: number }) => target.device_id === devices[0]?.id);
    expect(waiting).toMatchObject({ state: 'queued', due_at: preview.data.windows.opens_at });
    await pass(world, 15 * MINUTE);
    expect(reached(world)).toHaveLength(1);
    await pass(world, 5 * MINUTE);
    expect(reached(world)).toHaveLength(2);
  });

  test('is left out with a reason, or taken all the same, when the request says so', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    await add(admin, window(world.clock.now() + 3 * HOUR));
    const refused = await startJob(world, admin, '/devices/actions', { ...reboot(devices), maintenance_window: 'refuse' });
    expect(await targetsOf(admin, refused.meta['job_id'])).toMatchObject([{ state: 'skipped', reason: 'OUTSIDE_WINDOW' }]);
    await startJob(world, admin, '/devices/actions', { ...reboot(devices), maintenance_window: 'now' });
    expect(reached(world)).toHaveLength(1);
    expect((await admin.post('/devices/actions', { ...reboot(devices), maintenance_window: 'later' })).status).toBe(400);
  });

  test('that is offline before its window is asked when it opens', async () => {
    const { world, admin, company } = await place(0);
    await using _end = world;
    const away = await makeDevice(world, { company, status: 0 });
    await add(admin, window(world.clock.now() + 20 * MINUTE));
    await startJob(world, admin, '/devices/actions', reboot([away]));
    await world.ctx.db.updateTable('devices').set({ status: 1 }).where('id', '=', away.id).execute();
    expect(reached(world)).toEqual([]);
    await pass(world, 20 * MINUTE);
    expect(reached(world)).toEqual([away.device_key]);
  });

  test('goes on at once when the window is removed', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    const { data } = await add(admin, window(world.clock.now() + 3 * HOUR));
    await startJob(world, admin, '/devices/actions', reboot(devices));
    expect(reached(world)).toEqual([]);
    await admin.delete(`/maintenance-windows/${data.id}`);
    await pass(world, 2000);
    expect(reached(world)).toHaveLength(1);
  });

  test('is read and switched at any time: only what disturbs its users waits', async () => {
    const { world, devices, admin } = await place(1);
    await using _end = world;
    await add(admin, window(world.clock.now() + 3 * HOUR));
    await startJob(world, admin, '/devices/actions', { action: 'update_metrics_data', device_id: devices.map(({ id }) => id) });
    expect(reached(world)).toHaveLength(1);
  });
});

describe('which window counts', () => {
  const openingOf = async (caller: Caller, id: number) => (await caller.get(`/devices/${id}/maintenance-window`)).data;

  test('a device’s own, else those of its tags, else those of the nearest company; those at one place add up', async () => {
    const { world, admin, company } = await place(0);
    await using _end = world;
    const now = world.clock.now();
    const below = await makeCompany(world, { parent: company });
    const tag = await makeTag(world, { company });
    const [plain, tagged, own] = await Promise.all([
      makeDevice(world, { company: below }),
      makeDevice(world, { company: below, tags: [tag] }),
      makeDevice(world, { company: below, tags: [tag] }),
    ]);
    await add(admin, window(now + HOUR, { name: 'top' }));
    await add(admin, window(now + 5 * HOUR, { name: 'below', company_id: below.id }));
    await add(admin, window(now + 4 * HOUR, { name: 'below too', company_id: below.id }));
    await add(admin, window(now + 6 * HOUR, { name: 'tag', applies_to: 'tag', tag_ids: [tag.id] }));
    await add(admin, window(now + 7 * HOUR, { name: 'own', applies_to: 'device', device_ids: [own.id] }));
    expect(await openingOf(admin, plain.id)).toMatchObject({ name: 'below too', is_open: false });
    expect(await openingOf(admin, tagged.id)).toMatchObject({ name: 'tag' });
    expect(await openingOf(admin, own.id)).toMatchObject({ name: 'own' });
    const stranger = await as(world, 'admin', { company: await makeCompany(world) });
    expect((await stranger.get(`/devices/${own.id}/maintenance-window`)).status).toBe(404);
  });

  test('in the time zone that the device reports, where the window follows it', async () => {
    const { world, admin, company } = await place(0);
    await using _end = world;
    const device = await makeDevice(world, { company });
    await world.ctx.db.updateTable('devices').set({ timezone: 'Asia/Tokyo' }).where('id', '=', device.id).execute();
    const { data } = await add(admin, window(world.clock.now() + DAY, { days: [...WEEKDAYS], time_from: '02:00', time_to: '03:00' }));
    const inTokyo = await openingOf(admin, device.id);
    expect(inTokyo.opens_at).toMatch(/ 17:00:00$/);
    await admin.put(`/maintenance-windows/${data.id}`, {
      ...window(0, { days: [...WEEKDAYS], time_from: '02:00', time_to: '03:00', uses_device_time: false }),
    });
    expect((await openingOf(admin, device.id)).opens_at).toMatch(/ 02:00:00$/);
  });

  test('a time zone that nobody knows and a tag of somebody else are refused at their fields', async () => {
    const { world, admin } = await place(0);
    await using _end = world;
    const foreign = await makeTag(world, { company: await makeCompany(world) });
    expect((await add(admin, window(world.clock.now(), { timezone: 'Mars/Olympus' }))).errors).toMatchObject([{ source: 'timezone' }]);
    const answer = await add(admin, window(world.clock.now(), { applies_to: 'tag', tag_ids: [foreign.id] }));
    expect(answer).toMatchObject({ status: 404, errors: [{ source: 'tag_ids.0' }] });
    expect((await add(admin, window(world.clock.now(), { days: [] }))).status).toBe(400);
  });
});

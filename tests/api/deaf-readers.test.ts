import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { DAY, HOUR, SECOND, wireTime } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

/** A company with a device that was online for ten days, and one that was offline for the last six hours; both on a site. */
async function makePlace() {
  const { world, channel } = await makeReportingWorld();
  const now = world.clock.now();
  const company = await makeCompany(world);
  const steady = await makeDevice(world, { company, name: 'Steady', status: 1, status_changed_at: now - 10 * DAY });
  const gone = await makeDevice(world, { company, name: 'Gone', status: 0, status_changed_at: now - 6 * HOUR });
  const states = [
    { device_id: steady.id, name: 'status', at: now - 10 * DAY, value: '1' },
    { device_id: gone.id, name: 'status', at: now - 10 * DAY, value: '1' },
    { device_id: gone.id, name: 'status', at: now - 6 * HOUR, value: '0' },
  ];
  await world.ctx.db.insertInto('device_states').values(states).execute();
  const admin = await as(world, 'admin', { company });
  const { data: site } = await admin.post('/sites', { company_id: company.id, name: 'Quay' });
  await admin.put('/devices/site', { device_id: [steady.id, gone.id], site_id: site.id });
  return { world, channel, company, admin, steady, gone, now };
}

type Place = Awaited<ReturnType<typeof makePlace>>;

async function reportOf(world: World, admin: Caller, devices: readonly Row<'devices'>[]) {
  const { data } = await admin.post('/reports', {
    ...{ name: 'Day', type: 'single', period: 'day', parameters: ['availability', 'connection_uptime'] },
    ...{ applied_by: 'device', device_ids: devices.map(({ id }) => id) },
  });
  await admin.post(`/reports/${data.id}/generate`, {});
  await world.ctx.jobs.settled();
  const rows = await world.ctx.db
    .selectFrom('report_devices')
    .innerJoin('generated_reports', 'generated_reports.id', 'report_devices.generated_id')
    .select(['report_devices.name', 'availability', 'connection_uptime'])
    .where('generated_reports.report_id', '=', data.id)
    .execute();
  return Object.fromEntries(rows.map(({ name, availability, connection_uptime: seconds }) => [name, [availability, seconds]]));
}

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);

/** What each reader of availability says of the last 24 hours, or the days that it always looks at. */
async function readAll({ world, company, steady, gone }: Place) {
  const now = world.clock.now();
  const admin = await as(world, 'admin', { company });
  const period = { start_date: wireTime(now - DAY), end_date: wireTime(now) };
  const presence = async (device: Row<'devices'>) =>
    rounded((await admin.get(`/devices/${device.id}/presence`, period)).data.online_percent);
  const series = async (device: Row<'devices'>) => {
    const { data } = await admin.get(`/devices/${device.id}/series`, { ...period, states: 'status' });
    return data.states[0].spans.reduce((sum: number, [from, to]: [number, number]) => sum + to - from, 0);
  };
  const trends = (await admin.get('/devices/trends', { id: `${steady.id},${gone.id}` })).data;
  const health = async (device: Row<'devices'>) => {
    const { data } = await admin.get(`/devices/${device.id}/health`);
    return rounded(data.parts.find(({ part }: { part: string }) => part === 'connection').value);
  };
  const fleet = (await admin.get('/devices/availability', { days: 1, target: 99, count: 5 })).data;
  const online = (await admin.get('/statistics/devices/online', period)).data;
  return {
    presence: [await presence(steady), await presence(gone)],
    knownSeconds: [await series(steady), await series(gone)],
    trends: trends.map(({ online: hours }: { online: (number | null)[] }) => [...new Set(hours)]),
    health: [await health(steady), await health(gone)],
    fleet: { devices: fleet.devices, average: rounded(fleet.average), worst: fleet.worst.map(({ name }: { name: string }) => name) },
    online: online.companies?.[0]?.devices,
  };
}

test('no reader of availability says anything of a time in which nobody could hear devices [HN3]', async () => {
  const place = await makePlace();
  await using world = place.world;
  const { now, admin, steady, gone } = place;
  await world.ctx.db
    .insertInto('deaf_periods')
    .values({ from_at: now - 8 * DAY, until_at: now })
    .execute();
  expect(await readAll(place)).toEqual({
    presence: [null, null],
    knownSeconds: [0, 0],
    trends: [[null], [null]],
    health: [null, null],
    fleet: { devices: 0, average: null, worst: [] },
    online: { online: 0, offline: 0 },
  });
  expect(await reportOf(world, admin, [steady, gone])).toEqual({ Steady: [null, null], Gone: [null, null] });
});

test('a gap of three hours is left out of every percentage [HN3]', async () => {
  const place = await makePlace();
  await using world = place.world;
  const { now, admin, steady, gone } = place;
  await world.ctx.db
    .insertInto('deaf_periods')
    .values({ from_at: now - 9 * HOUR, until_at: now - 6 * HOUR })
    .execute();
  const day = rounded((15 * 100) / 21);
  expect(await readAll(place)).toMatchObject({
    presence: [100, day],
    knownSeconds: [(21 * HOUR) / SECOND, (21 * HOUR) / SECOND],
    health: [100, rounded(((7 * 24 - 9) * 100) / (7 * 24 - 3))],
    fleet: { devices: 2, average: rounded((100 + (15 * 100) / 21) / 2), worst: ['Gone'] },
  });
  expect(await reportOf(world, admin, [steady, gone])).toMatchObject({ Steady: [100, expect.any(Number)] });
});

test('while nobody can hear devices, that time is not known either, before it is over [HN3]', async () => {
  const place = await makePlace();
  await using world = place.world;
  await world.clock.advance(10 * SECOND);
  place.channel.isUp = false;
  await world.clock.jump(30 * HOUR);
  expect(await world.ctx.db.selectFrom('deaf_periods').selectAll().execute()).toEqual([]);
  expect(await readAll(place)).toMatchObject({
    presence: [null, null],
    knownSeconds: [0, 0],
    trends: [[null], [null]],
    health: [100, rounded(((7 * 24 - 36) * 100) / (7 * 24 - 30))],
    fleet: { devices: 0, average: null, worst: [] },
    online: { online: 0, offline: 0 },
  });
});

import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { presenceOf } from '../../server/features/reports/presence.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeDevices } from '../helpers/many-devices.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

const AWAY = 4 * MINUTE;

const statusesOf = async ({ ctx }: World): Promise<(number | null)[]> => [
  ...new Set((await ctx.db.selectFrom('devices').select('status').execute()).map(({ status }) => status)),
];

const eventsOf = async ({ ctx }: World): Promise<string[]> => [
  ...new Set((await ctx.db.selectFrom('device_events').select('type').execute()).map(({ type }) => type)),
];

async function makeFleet(world: World, count: number, company?: Row<'companies'>): Promise<Row<'devices'>[]> {
  const now = world.clock.now();
  return makeDevices(world, count, {
    company: company ?? (await makeCompany(world)),
    status: 1,
    status_changed_at: now - DAY,
    report_seconds: 60,
    silent_at: now + 3 * MINUTE,
  });
}

test('a server that was stopped, suspended, or whose clock was set forward takes none of 200 devices for offline; one that stays silent after it is [HN3]', async () => {
  const { world, sayAll } = await makeReportingWorld();
  await using _ = world;
  const company = await makeCompany(world);
  const devices = await makeFleet(world, 200, company);
  const admin = await as(world, 'admin', { company });
  await admin.post('/automations', {
    ...{ name: 'No data', cooldown_duration: 0 },
    conditions_body: [
      {
        type: 'if',
        expression: [{ parameter: 'tank_level', operator: 'missing', value: '3' }],
        actions: [{ name: 'RaiseAlert', options: { severity: 'critical', message: '%rn: %ex' } }],
      },
    ],
  });
  await world.clock.advance(10 * SECOND);
  await sayAll(devices, 'telemetry', { values: { tank_level: 4 } });
  await world.clock.jump(AWAY);
  await world.clock.advance(2 * MINUTE + 50 * SECOND);
  expect([await statusesOf(world), await eventsOf(world)]).toEqual([[1], []]);
  for (const table of ['alerts', 'automation_logs', 'notices'] as const)
    expect([table, await world.ctx.db.selectFrom(table).select('id').execute()]).toEqual([table, []]);
  await sayAll(devices.slice(1), 'status', { uptime: 10 });
  await world.clock.advance(MINUTE);
  const offline = await world.ctx.db.selectFrom('devices').select('id').where('status', '=', 0).execute();
  expect(offline).toEqual([{ id: devices[0]?.id }]);
});

test('while the broker is away nobody is taken for offline, and what comes after it counts from then on [HN3]', async () => {
  const { world, channel } = await makeReportingWorld();
  await using _ = world;
  await makeFleet(world, 3);
  await world.clock.advance(10 * SECOND);
  channel.isUp = false;
  await world.clock.jump(HOUR);
  expect(await statusesOf(world)).toEqual([1]);
  channel.isUp = true;
  await world.clock.advance(2 * MINUTE);
  expect(await statusesOf(world)).toEqual([1]);
  await world.clock.advance(2 * MINUTE);
  expect(await statusesOf(world)).toEqual([0]);
  const [deaf] = await world.ctx.db.selectFrom('deaf_periods').selectAll().execute();
  expect((deaf?.until_at ?? 0) - (deaf?.from_at ?? 0)).toBeGreaterThanOrEqual(HOUR - 10 * SECOND);
});

test('a device that says goodbye is offline at once [HN3]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const [device] = await makeFleet(world, 1);
  if (!device) throw new Error('no device');
  await say(device, 'status', { online: false });
  expect(await statusesOf(world)).toEqual([0]);
});

test('the time in which no device could be heard is known of none: neither online nor offline in availability [HN3]', async () => {
  const { world } = await makeReportingWorld();
  await using _ = world;
  const now = world.clock.now();
  const company = await makeCompany(world);
  const online = await makeDevice(world, { company, status: 1, status_changed_at: now - 10 * DAY });
  const mixed = await makeDevice(world, { company, status: 1, status_changed_at: now - 6 * HOUR });
  // Offline for the first six of the last 24 hours, in three of which nobody could hear it; online since.
  const states = [
    { device_id: mixed.id, name: 'status', at: now - 3 * DAY, value: '0' },
    { device_id: mixed.id, name: 'status', at: now - 18 * HOUR, value: '1' },
  ];
  await world.ctx.db.insertInto('device_states').values(states).execute();
  const gap = { from_at: now - 21 * HOUR, until_at: now - 18 * HOUR };
  await world.ctx.db.insertInto('deaf_periods').values(gap).execute();
  const admin = await as(world, 'admin', { company });
  const { data } = await admin.get('/devices/availability', { days: 1, target: 99, count: 10 });
  expect(data).toMatchObject({ devices: 2, met: 1, worst: [{ id: mixed.id }] });
  expect(data.worst[0].online_percent).toBeCloseTo((18 / 21) * 100, 5);
  const deaf = [{ from: gap.from_at, to: gap.until_at }];
  const period = { start: now - DAY, end: now };
  expect(presenceOf(online, { changes: [], openings: [], deaf }, period, now)).toEqual({
    connection_uptime: (21 * HOUR) / SECOND,
    availability: 100,
  });
  const changes = [
    { at: now - DAY, value: '0' },
    { at: now - 18 * HOUR, value: '1' },
  ];
  expect(presenceOf(mixed, { changes, openings: [], deaf }, period, now).availability).toBeCloseTo((18 / 21) * 100, 5);
});

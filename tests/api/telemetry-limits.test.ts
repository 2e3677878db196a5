import { describe, expect, test } from 'vitest';
import { makeIdentity } from '../../agent/fleet/models.ts';
import { Parts } from '../../agent/fleet/parts.ts';
import { detailsOf, Periods } from '../../agent/fleet/periods.ts';
import { makeRandom } from '../../agent/fleet/random.ts';
import { Vitals } from '../../agent/fleet/vitals.ts';
import { hardwareOf } from '../../schemas/kit/devices/device-models.ts';
import type { ChannelEvent, UpTopic } from '../../server/edges/mqtt/types.ts';
import { HOUR, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

const values = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${from + index}`, index]));

async function rowsOf(world: World, device: { id: number }): Promise<number> {
  const rows = await world.ctx.db.selectFrom('device_samples').select('metric').where('device_id', '=', device.id).execute();
  return rows.length;
}

async function eventsOf(world: World, device: { id: number }): Promise<string[]> {
  const rows = await world.ctx.db.selectFrom('device_events').select(['type', 'message']).where('device_id', '=', device.id).execute();
  return rows.map(({ type, message }) => `${type} ${message}`);
}

describe('what a device adds to the database has limits [DV3]', () => {
  test('readings of an hour: the rest is dropped, the company is notified once, and the next hour begins again [DV3]', async () => {
    const { world, say } = await makeReportingWorld({ config: { telemetryPerHour: 10 } });
    await using _world = world;
    const company = await makeCompany(world);
    const [noisy, quiet] = [await makeDevice(world, { company }), await makeDevice(world, { company })];
    const at = Math.floor(world.clock.now() / 1000);
    for (let turn = 0; turn < 5; turn += 1) await say(noisy, 'telemetry', { at: at - turn, values: values(0, 4) });
    await say(quiet, 'telemetry', { at, values: values(0, 4) });
    expect([await rowsOf(world, noisy), await rowsOf(world, quiet)]).toEqual([10, 4]);
    const seen = 'limited Too many readings within an hour: the rest is dropped.';
    expect((await eventsOf(world, noisy)).filter((event) => event === seen)).toHaveLength(1);
    const notices = await world.ctx.db.selectFrom('notices').select(['kind', 'subject_id']).where('kind', '=', 'deviceLimited').execute();
    expect(notices).toEqual([{ kind: 'deviceLimited', subject_id: noisy.id }]);
    await world.clock.jump(HOUR);
    await say(noisy, 'telemetry', { values: values(0, 4) });
    expect(await rowsOf(world, noisy)).toBe(14);
  });

  test('a simulated device that moves, with Wi-Fi and inputs, reports every 15 seconds and takes in a quarter of an hour less than a quarter of what it may in one [DV3]', async () => {
    const { world, channel } = await makeReportingWorld({ config: { telemetryPerHour: 500 } });
    await using _world = world;
    const random = makeRandom('a bus');
    const made = Array.from({ length: 100 }, (_none, index) => makeIdentity(index, random, { old: false, namePrefix: '' }));
    const bus = made.find(({ model }) => hardwareOf(model.name).hasGps && hardwareOf(model.name).hasIo && model.wifi);
    if (!bus) throw new Error('no model has all of it');
    const device = await makeDevice(world, { status: 1 });
    const vitals = new Vitals(bus, random, { weak: false });
    const parts = new Parts(bus, vitals);
    const periods = new Periods();
    const message = (topic: UpTopic, payload: Record<string, unknown>): ChannelEvent => ({
      kind: 'message',
      message: { deviceKey: device.device_key, topic, payload },
    });
    for (let turn = 0; turn < 60; turn += 1) {
      const due = periods.due(world.clock.now(), { others: turn === 0, isAsked: false, isMoving: true });
      const measured = turn % 20 === 0 ? [message('telemetry', { values: vitals.measure().values })] : [];
      await channel.handlers?.deliver([
        message('status', vitals.report()),
        message('details', detailsOf(parts.report(), due)),
        ...measured,
      ]);
      await world.clock.advance(15 * SECOND);
    }
    expect((await eventsOf(world, device)).filter((event) => event.startsWith('limited'))).toEqual([]);
    expect(await rowsOf(world, device)).toBeGreaterThan(150);
  });

  test('names of readings: new ones are dropped, those it had go on, also after a restart [DV3]', async () => {
    const { world, say } = await makeReportingWorld({ config: { telemetryNames: 5 } });
    await using _world = world;
    const device = await makeDevice(world);
    await say(device, 'telemetry', { values: values(0, 5) });
    await say(device, 'telemetry', { values: values(3, 5) });
    const names = await world.ctx.db.selectFrom('device_metrics').select('metric').where('device_id', '=', device.id).execute();
    expect(names.map(({ metric }) => metric).toSorted()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
    expect(await eventsOf(world, device)).toContain('limited Too many names of readings: new ones are dropped.');
  });

  test('the readings of one customer stop at its share of a day; those of another go on [DV3 AC2]', async () => {
    const { world, say } = await makeReportingWorld({ config: { telemetryBytesPerDay: 600 } });
    await using _world = world;
    const top = await makeCompany(world);
    const [one, other] = [await makeCompany(world, { parent: top }), await makeCompany(world, { parent: top })];
    const below = await makeCompany(world, { parent: one });
    const devices = [await makeDevice(world, { company: one }), await makeDevice(world, { company: below })] as const;
    const foreign = await makeDevice(world, { company: other });
    for (const device of [...devices, foreign]) await say(device, 'telemetry', { values: values(0, 4) });
    expect([await rowsOf(world, devices[0]), await rowsOf(world, devices[1]), await rowsOf(world, foreign)]).toEqual([4, 2, 4]);
  });

  test('events that a device makes by itself: the rest is dropped, and its state is right all the same [DV3]', async () => {
    const { world, say } = await makeReportingWorld({ config: { deviceEventsPerHour: 3 } });
    await using _world = world;
    const device = await makeDevice(world);
    for (let turn = 0; turn < 6; turn += 1) {
      await say(device, 'status', { online: false });
      await say(device, 'status', { uptime: turn });
    }
    const own = (await eventsOf(world, device)).filter((event) => !event.startsWith('limited'));
    expect(own).toHaveLength(3);
    expect((await world.ctx.db.selectFrom('devices').select('status').where('id', '=', device.id).executeTakeFirst())?.status).toBe(1);
  });

  test('with a nearly full disk readings are dropped, and people go on working [DV3 FT2]', async () => {
    const { world, say } = await makeReportingWorld({ config: { diskReserveBytes: Number.MAX_SAFE_INTEGER, databaseUrl: undefined } });
    await using _world = world;
    const company = await makeCompany(world);
    const device = await makeDevice(world, { company });
    await say(device, 'telemetry', { values: values(0, 4) });
    if (world.ctx.config.databaseUrl === undefined) expect(await rowsOf(world, device)).toBe(0);
    const admin = await as(world, 'admin', { company });
    expect((await admin.post('/tags', { name: 'harbour', company_id: company.id })).status).toBe(201);
  });
});

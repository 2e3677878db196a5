import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import type { ChannelEvent } from '../../server/edges/mqtt/types.ts';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { startServer } from '../../server/main.ts';
import { makeDevice } from '../helpers/factories.ts';
import { makeDevices } from '../helpers/many-devices.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

const trafficOf = async ({ ctx }: World, device: Row<'devices'>) =>
  (await ctx.db.selectFrom('device_traffic').selectAll().where('device_id', '=', device.id).orderBy('sim').execute()).map(
    ({ sim, sent, received }) => ({ sim, sent, received }),
  );

/** A router that goes to its SIM and back twice; the counter of the wired interface is begun again in between. */
const FAIL_OVER = [
  { wan_state: 'Wired', rx_bytes: 50_000_000_000, tx_bytes: 4_000_000_000, sim_slot: 1 },
  { wan_state: 'Mobile', rx_bytes: 300_000_000, tx_bytes: 20_000_000, sim_slot: 1 },
  { wan_state: 'Wired', rx_bytes: 50_000_400_000, tx_bytes: 4_000_010_000, sim_slot: 1 },
  { wan_state: 'Mobile', rx_bytes: 300_100_000, tx_bytes: 20_010_000, sim_slot: 1 },
  { wan_state: 'Wired', rx_bytes: 1_000_000, tx_bytes: 100_000, sim_slot: 1 },
  { wan_state: 'Mobile', rx_bytes: 300_200_000, tx_bytes: 20_020_000, sim_slot: 1 },
];

test('a SIM that a router falls back on is charged what went over it, not what the interface has counted since the start [CH6]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const device = await makeDevice(world, { status: 1, boot_id: 'boot-1' });
  for (const report of FAIL_OVER) await say(device, 'status', report);
  expect(await trafficOf(world, device)).toEqual([
    { sim: 0, sent: 10_000, received: 400_000 },
    { sim: 1, sent: 20_000, received: 200_000 },
  ]);
});

test('a counter that has grown by more than a link can carry is charged to nobody, and a fast device is counted whole [CH6]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const [liar, fast, queued] = [
    await makeDevice(world, { status: 1, boot_id: 'boot-1' }),
    await makeDevice(world, { status: 1, boot_id: 'boot-1' }),
    await makeDevice(world, { status: 1, boot_id: 'boot-1' }),
  ];
  const report = (device: Row<'devices'>, wan_state: string, uptime: number, rx_bytes: number) =>
    say(device, 'status', { uptime, wan_state, rx_bytes, tx_bytes: 0 });
  const TEN_MINUTES = 600;
  const AT_25_GBITS = (25e9 / 8) * TEN_MINUTES;
  await report(liar, 'Mobile', 1000, 5000);
  await report(fast, 'Wired', 1000, 5000);
  await report(queued, 'Wired', 1000, 5000);
  await world.clock.advance(TEN_MINUTES * SECOND);
  await report(liar, 'Mobile', 1600, 2 ** 53 - 1);
  await report(fast, 'Wired', 1600, 5000 + AT_25_GBITS);
  // What it counts from then on is charged.
  await world.clock.advance(TEN_MINUTES * SECOND);
  await report(liar, 'Mobile', 2200, 6000);
  // Two reports that waited on the device come at once.
  await report(queued, 'Wired', 1600, 5000 + AT_25_GBITS);
  await report(queued, 'Wired', 2200, 5000 + 2 * AT_25_GBITS);
  await world.clock.advance(TEN_MINUTES * SECOND);
  await report(liar, 'Mobile', 2800, 6700);
  // A start with a counter that cannot be.
  await say(liar, 'hello', { serial: liar.serial, mac: liar.mac, boot_id: 'boot-2' });
  await report(liar, 'Mobile', 5, 2 ** 52);
  const receivedOf = async (device: Row<'devices'>) => (await trafficOf(world, device)).map(({ received }) => received);
  expect(await receivedOf(liar)).toEqual([700]);
  expect(await receivedOf(fast)).toEqual([AT_25_GBITS]);
  expect(await receivedOf(queued)).toEqual([2 * AT_25_GBITS]);
});

test('a report that comes late is charged to nobody and changes nothing; after a restart counters begin at 0 [CH6] [HN5]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const device = await makeDevice(world, { status: 1, boot_id: 'boot-1' });
  const report = (uptime: number, rx_bytes: number) => say(device, 'status', { uptime, wan_state: 'Wired', rx_bytes, tx_bytes: 0 });
  await report(1000, 50_000);
  await report(1030, 53_000);
  await report(1015, 51_000);
  await report(1060, 54_000);
  expect(await trafficOf(world, device)).toEqual([{ sim: 0, sent: 0, received: 4000 }]);
  await world.clock.advance(40 * SECOND);
  await say(device, 'hello', { serial: device.serial, mac: device.mac, boot_id: 'boot-2' });
  await report(20, 700);
  // Of the boot before, by the way of a slower server.
  await report(1100, 55_000);
  await report(50, 900);
  expect(await trafficOf(world, device)).toEqual([{ sim: 0, sent: 0, received: 4900 }]);
  const row = await world.ctx.db.selectFrom('devices').selectAll().where('id', '=', device.id).executeTakeFirstOrThrow();
  expect([row.received, row.router_uptime]).toEqual([900, 50]);
});

test('a report with an uptime that cannot be does not make the later ones of the boot late [HN5]', async () => {
  const { world, say } = await makeReportingWorld();
  await using _ = world;
  const device = await makeDevice(world, { status: 1, boot_id: 'boot-1' });
  const report = (uptime: number, signal: number) =>
    say(device, 'status', { uptime, wan_state: 'Wired', rx_bytes: 0, tx_bytes: 0, signal });
  await report(1000, -70);
  await report(9_999_999_999, -71);
  await report(1030, -72);
  const row = await world.ctx.db.selectFrom('devices').selectAll().where('id', '=', device.id).executeTakeFirstOrThrow();
  expect([row.signal, row.router_uptime]).toEqual([-72, 1030]);
});

test('two servers on one database count the bytes of 200 devices once, in order, and keep their readings once [HN5]', async () => {
  const { world, channel } = await makeReportingWorld();
  await using _ = world;
  const devices = await makeDevices(world, 200, { status: 1, boot_id: 'boot-1', report_seconds: 60 });
  const other = recordingChannel();
  // On SQLite there is one server: both halves of the messages go to it.
  await using second =
    world.ctx.database.url === undefined
      ? undefined
      : await startServer(world.ctx.config, {
          clock: world.clock,
          log: world.ctx.log,
          parts: { devices: async () => other },
          isListening: false,
        });
  const handlers = [channel.handlers, second ? other.handlers : channel.handlers];
  const ROUNDS = 6;
  const report = (device: Row<'devices'>, round: number): ChannelEvent => ({
    kind: 'message',
    message: {
      deviceKey: device.device_key,
      topic: 'status',
      payload: { uptime: 1000 + round * 60, wan_state: 'Wired', rx_bytes: 7_000_000 + round * 1000, tx_bytes: round * 10, signal: -70 },
    },
  });
  await channel.handlers?.deliver(devices.map((device) => report(device, 0)));
  // What a broker shares between two servers: neighbours of one device go to different ones, at the same time.
  await Promise.all(
    Array.from({ length: ROUNDS }, (_round, index) => index + 1).map((round) =>
      handlers[round % 2]?.deliver((round % 2 === 0 ? devices : devices.toReversed()).map((device) => report(device, round))),
    ),
  );
  const { rows } = await sql<{
    n: number;
    received: number;
    sent: number;
  }>`select count(*) as n, min(received) as received, max(sent) as sent
    from device_traffic where received = ${ROUNDS * 1000} and sent = ${ROUNDS * 10}`.execute(world.ctx.db);
  expect(Number(rows[0]?.n)).toBe(devices.length);
  const samples = await world.ctx.db.selectFrom('device_samples').select('device_id').where('metric', '=', 'received').execute();
  expect(samples).toHaveLength(devices.length);
});

test('a will that another server takes after the hello of the next session takes no device offline; one that comes later does [HN5]', async () => {
  const { world, channel } = await makeReportingWorld();
  await using _ = world;
  channel.isShared = true;
  const device = await makeDevice(world, { status: 0, boot_id: 'boot-1' });
  const message = (topic: 'hello' | 'status', payload: Record<string, unknown>): ChannelEvent => ({
    kind: 'message',
    message: { deviceKey: device.device_key, topic, payload },
  });
  const will = message('status', { online: false });
  const statusNow = async () =>
    (await world.ctx.db.selectFrom('devices').select('status').where('id', '=', device.id).executeTakeFirstOrThrow()).status;
  // The other server has taken the hello.
  await world.ctx.db.updateTable('devices').set({ status: 1, last_connection_at: world.clock.now() }).where('id', '=', device.id).execute();
  await world.clock.advance(SECOND);
  await channel.handlers?.deliver([will]);
  expect(await statusNow()).toBe(1);
  await world.clock.advance(MINUTE);
  await channel.handlers?.deliver([will]);
  expect(await statusNow()).toBe(0);
  // What one server takes is in order.
  await channel.handlers?.deliver([message('hello', { serial: device.serial, mac: device.mac, boot_id: 'boot-1' })]);
  expect(await statusNow()).toBe(1);
  await channel.handlers?.deliver([will]);
  expect(await statusNow()).toBe(0);
});

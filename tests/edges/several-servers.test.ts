import { join } from 'node:path';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { systemClock } from '../../server/kernel/clock.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { makeDevices } from '../helpers/many-devices.ts';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { startPostgres } from '../helpers/postgres-server.ts';
import { startServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

const DEVICES = 200;
const ROUNDS = 6;
const BYTES = 1000;
const FLEET = { username: 'fleet', password: 'password-of-the-fleet' };

/** A client that may speak for every device, as a bridge does. */
async function connectFleet(broker: Mosquitto): Promise<mqtt.MqttClient> {
  const administrator = await mqtt.connectAsync(broker.url);
  const acls = [{ acltype: 'publishClientSend', topic: 'canopy/+/up/#', priority: 0, allow: true }];
  const commands = [
    { command: 'createRole', rolename: 'fleet', acls },
    { command: 'createClient', ...FLEET, roles: [{ rolename: 'fleet', priority: 0 }] },
  ];
  await administrator.subscribeAsync('$CONTROL/dynamic-security/v1/response');
  const answered = new Promise((resolve) => {
    administrator.once('message', resolve);
  });
  await administrator.publishAsync('$CONTROL/dynamic-security/v1', JSON.stringify({ commands }), { qos: 1 });
  await answered;
  await administrator.endAsync();
  return mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, FLEET);
}

test('two server processes on one database and one broker count the bytes of 200 devices once, as one process does, and keep their readings once [HN5]', async () => {
  const broker = new Mosquitto();
  await broker.prepare();
  await broker.start();
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => broker.remove());
  const postgres = await startPostgres();
  cleanUp.defer(() => postgres.stop());
  const env = { DATABASE_URL: postgres.url, MQTT_URL: broker.url, SECRET_KEY_FILE: join(broker.folder, 'secret.key') };
  for (let count = 0; count < 2; count += 1) cleanUp.use(await startServerProcess({ script: 'server/main.ts', env }));
  const { db } = cleanUp.use(openDatabase({ url: postgres.url, dataDir: broker.folder }));
  const place = { ctx: { db, clock: systemClock(() => undefined) } };
  const devices = await makeDevices(place, DEVICES, { status: 1, boot_id: 'boot-1', report_seconds: 3600 });
  const fleet = await connectFleet(broker);
  cleanUp.defer(() => fleet.endAsync(true));
  const sayRound = (device: Row<'devices'>, round: number): Promise<unknown> => {
    const bytes = { rx_bytes: 50_000_000_000 + round * BYTES, tx_bytes: 4_000_000_000 + round };
    const report = { uptime: 86_400 + round * 60, wan_state: 'Wired', signal: -70, ...bytes };
    return fleet.publishAsync(`canopy/${device.device_key}/up/status`, JSON.stringify(report), { qos: 1 });
  };
  const reportedCount = async (round: number): Promise<number> =>
    (
      await db
        .selectFrom('devices')
        .select('id')
        .where('router_uptime', '=', 86_400 + round * 60)
        .execute()
    ).length;
  await Promise.all(devices.map((device) => sayRound(device, 0)));
  await until('all have reported once', async () => (await reportedCount(0)) === DEVICES);
  // The broker gives each server every other message: all reports of a device at once go to both, which work on them at the same time.
  for (const device of devices) for (let round = 1; round <= ROUNDS; round += 1) void sayRound(device, round);
  await until('the last reports are written', async () => (await reportedCount(ROUNDS)) === DEVICES);
  const traffic = await db.selectFrom('device_traffic').select(['device_id', 'sent', 'received']).orderBy('device_id').execute();
  expect(traffic).toEqual(devices.map(({ id }) => ({ device_id: id, sent: ROUNDS, received: ROUNDS * BYTES })));
  const samples = await db.selectFrom('device_samples').select('device_id').where('metric', '=', 'received').execute();
  expect(samples).toHaveLength(DEVICES);
  const states = await db.selectFrom('device_states').select('device_id').where('name', '=', 'wan_state').execute();
  expect(states).toHaveLength(DEVICES);
});

test('when one of two server processes is killed, the other takes no device that spoke to it for offline before its time, and hears them from then on [HN3]', async () => {
  const broker = new Mosquitto();
  await broker.prepare();
  await broker.start();
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => broker.remove());
  const postgres = await startPostgres();
  cleanUp.defer(() => postgres.stop());
  const env = { DATABASE_URL: postgres.url, MQTT_URL: broker.url, SECRET_KEY_FILE: join(broker.folder, 'secret.key') };
  const first = cleanUp.use(await startServerProcess({ script: 'server/main.ts', env }));
  const { db } = cleanUp.use(openDatabase({ url: postgres.url, dataDir: broker.folder }));
  const place = { ctx: { db, clock: systemClock(() => undefined) } };
  const [lost, ...others] = await makeDevices(place, DEVICES, { status: 1, boot_id: 'boot-1', report_seconds: 5 });
  const fleet = await connectFleet(broker);
  cleanUp.defer(() => fleet.endAsync(true));
  let round = 0;
  const sayAll = (devices: readonly (Row<'devices'> | undefined)[]): Promise<unknown> => {
    round += 1;
    const report = JSON.stringify({ uptime: 86_400 + round, signal: -70 });
    return Promise.all(devices.map((device) => fleet.publishAsync(`canopy/${device?.device_key}/up/status`, report, { qos: 1 })));
  };
  const heard = async (): Promise<number> =>
    (await db.selectFrom('devices').select('id').where('silent_at', 'is not', null).execute()).length;
  // All speak to the only one that listens.
  await sayAll([lost, ...others]);
  await until('all are heard', async () => (await heard()) === DEVICES);
  cleanUp.use(await startServerProcess({ script: 'server/main.ts', env }));
  await sayAll([lost, ...others]);
  await first.kill();
  const killedAt = Date.now();
  const stateOf = async (id: number | undefined) =>
    db
      .selectFrom('devices')
      .select(['status', 'status_changed_at', 'silent_at'])
      .where('id', '=', id ?? 0)
      .executeTakeFirst();
  let silentAt = 0;
  await until('the one that says nothing more is offline', async () => {
    const state = await stateOf(lost?.id);
    silentAt = state?.silent_at ?? silentAt;
    if (state?.status === 0) return true;
    await sayAll(others);
    return false;
  });
  const { status_changed_at: offlineAt } = (await stateOf(lost?.id)) ?? {};
  expect(offlineAt).toBeGreaterThanOrEqual(silentAt);
  expect(offlineAt).toBeGreaterThan(killedAt);
  const offline = await db.selectFrom('devices').select('id').where('status', '=', 0).execute();
  expect(offline).toEqual([{ id: lost?.id }]);
  const events = await db.selectFrom('device_events').select('device_id').where('type', '=', 'disconnected').execute();
  expect(events).toEqual([{ device_id: lost?.id }]);
  expect(await db.selectFrom('deaf_periods').selectAll().execute()).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND, wireTime } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { connect, join, newIdentity, startDevice } from '../helpers/mqtt-device.ts';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const broker = new Mosquitto();
beforeAll(async () => {
  await broker.prepare();
  await broker.start();
});
afterAll(() => broker.remove());

async function start(): Promise<{ world: World; code: string; company: { id: number } }> {
  const world = await makeWorld({ listen: true, broker: true, config: { mqttUrl: broker.url } });
  const company = await makeCompany(world);
  return { world, company, code: (await makeEnrolmentCode(world, { company })).code };
}

const statusOf = async (world: World, key: string) =>
  (await world.ctx.db.selectFrom('devices').select('status').where('device_key', '=', key).executeTakeFirst())?.status;

describe('devices over mosquitto', () => {
  test('a device joins, is online, runs a command and goes offline with its last will', async () => {
    const { world, code, company } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    const key = device.credentials.device_key;
    await until('online', async () => (await statusOf(world, key)) === 1);
    device.answer = (command, self) => self.say('result', { id: command.id, state: 'ok', code: 0, output: `ran ${command.body}` });
    const admin = await as(world, 'admin', { company });
    const [row] = await world.ctx.db.selectFrom('devices').select('id').execute();
    const { meta } = await admin.post(`/devices/${row?.id}/command`, { command: 'uptime' });
    const job = await until('the job', async () => {
      const { data } = await admin.get(`/jobs/${meta['job_id']}/targets`);
      return data[0].state === 'ok' && data[0];
    });
    expect(job).toMatchObject({ output: 'ran uptime', code: 0 });
    await device.drop();
    await until('offline', async () => (await statusOf(world, key)) === 0);
  });

  test('mosquitto lets a device use its own topics only, and nobody in without its password [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await using other = await startDevice(world.url, code);
    const { device_key: foreign } = other.credentials;
    await until('both online', async () => (await statusOf(world, foreign)) === 1);
    for (const filter of [`canopy/${foreign}/down/command`, 'canopy/+/down/command', '#', '$CONTROL/#'])
      await expect(device.client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow(/./);
    await device.client.publishAsync(`canopy/${foreign}/up/status`, '{"online":false}', { qos: 1 });
    await device.say('telemetry', { values: { marker: 1 } });
    await until('the marker', async () => (await world.ctx.db.selectFrom('device_samples').selectAll().execute()).length === 1);
    expect(await statusOf(world, foreign)).toBe(1);
    await expect(connect(device.credentials, device.identity, { password: 'guessed' })).rejects.toThrow(/./);
  });

  test('a device that is expelled is disconnected and cannot come back', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const credentials = await join(world.url, code, identity);
    await using device = await connect(credentials, identity);
    const closed = device.ended();
    await world.ctx.devices.disconnect(credentials.device_key);
    await closed;
    await using again = await connect(credentials, identity);
    const closedAgain = again.ended();
    await world.ctx.devices.expel(credentials.device_key);
    await closedAgain;
    await expect(connect(credentials, identity)).rejects.toThrow(/./);
  });

  test('a removed device is disconnected and cannot come back before it is restored', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const credentials = await join(world.url, code, identity);
    await using device = await connect(credentials, identity);
    const closed = device.ended();
    await world.ctx.devices.suspend(credentials.device_key);
    await closed;
    await expect(connect(credentials, identity)).rejects.toThrow(/./);
    await world.ctx.devices.resume(credentials.device_key);
    await using _again = await connect(credentials, identity);
  });

  test('the server finds back to a broker that was restarted, and hears its devices again', async () => {
    const { world, code } = await start();
    await using _end = world;
    const device = await startDevice(world.url, code);
    const key = device.credentials.device_key;
    await until('online', async () => (await statusOf(world, key)) === 1);
    await broker.stop();
    await expect(
      world.ctx.devices.send(key, { id: 'x', verb: 'refresh', deadlineAt: world.clock.now() + 1000, timeoutSeconds: 1, body: '' }),
    ).rejects.toThrow(/./);
    await broker.start();
    await device[Symbol.asyncDispose]();
    await using back = await until('the broker', () => connect(device.credentials, device.identity).catch(() => undefined));
    await until('the telemetry', async () => {
      await back.say('telemetry', { values: { marker: 2 } });
      return (await world.ctx.db.selectFrom('device_samples').selectAll().execute()).length > 0;
    });
  });

  test('while the server has lost its broker no device is taken for offline, and availability does not know that time [HN3]', async () => {
    const { world, code, company } = await start();
    await using _end = world;
    await using back = await startDevice(world.url, code);
    const gone = await startDevice(world.url, code);
    const statuses = async () =>
      (await world.ctx.db.selectFrom('devices').select('status').orderBy('id').execute()).map(({ status }) => status);
    const events = async () =>
      (await world.ctx.db.selectFrom('device_events').select('type').where('type', '=', 'disconnected').execute()).length;
    await until('both online', async () => (await statuses()).join() === '1,1');
    await world.clock.advance(10 * SECOND);
    const lostAt = world.clock.now();
    await broker.stop();
    // It has no broker to leave its last will to.
    await gone.client.endAsync(true);
    await until('the server has lost its broker', () => !world.ctx.devices.isConnected());
    await world.clock.jump(HOUR);
    expect([await statuses(), await events()]).toEqual([[1, 1], 0]);
    await broker.start();
    await until('the server has its broker again', () => world.ctx.devices.isConnected());
    const againAt = world.clock.now();
    await world.clock.advance(10 * SECOND);
    const [deaf] = await world.ctx.db.selectFrom('deaf_periods').selectAll().execute();
    expect([deaf?.from_at, deaf?.until_at]).toEqual([lostAt, againAt + 10 * SECOND]);
    await using again = await until('the broker', () => connect(back.credentials, back.identity).catch(() => undefined));
    await world.clock.advance(2 * MINUTE);
    expect([await statuses(), await events()]).toEqual([[1, 1], 0]);
    await again.say('status', { uptime: 4000, signal: -71 });
    const readSignals = () => world.ctx.db.selectFrom('devices').select('id').where('signal', '=', -71).execute();
    await until('the device is heard', async () => (await readSignals()).length === 1);
    await world.clock.advance(2 * MINUTE);
    // It had its time, and did not come.
    expect([(await statuses()).toSorted(), await events()]).toEqual([[0, 1], 1]);
    const admin = await as(world, 'admin', { company });
    const [first] = await world.ctx.db.selectFrom('devices').select('id').where('status', '=', 1).execute();
    const { data } = await admin.get(`/devices/${first?.id}/presence`, { start_date: wireTime(lostAt), end_date: wireTime(againAt) });
    expect(data).toEqual({ spans: [], online_percent: null });
  });
});

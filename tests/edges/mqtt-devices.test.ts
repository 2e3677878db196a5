import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { connect, join, newIdentity, startDevice, type MqttDevice } from '../helpers/mqtt-device.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function start(): Promise<{ world: World; code: string }> {
  const world = await makeWorld({ listen: true, broker: true });
  const company = await makeCompany(world);
  return { world, code: (await makeEnrolmentCode(world, { company })).code };
}

function rowOf(world: World, device: Pick<MqttDevice, 'credentials'>) {
  return world.ctx.db.selectFrom('devices').selectAll().where('device_key', '=', device.credentials.device_key).executeTakeFirstOrThrow();
}

async function eventsOf(world: World, device: MqttDevice) {
  const { id } = await rowOf(world, device);
  return world.ctx.db.selectFrom('device_events').selectAll().where('device_id', '=', id).orderBy('id').execute();
}

const statusIs = (world: World, device: MqttDevice, status: number | null) =>
  until(`status ${status}`, async () => (await rowOf(world, device)).status === status);

describe('presence', () => {
  test('a device is not activated when it has joined, online from its first hello and offline from its last will', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const device = await connect(await join(world.url, code, identity), identity);
    await using _device = device;
    expect((await rowOf(world, device)).status).toBeNull();
    await device.hello();
    expect(await rowOf(world, device)).toMatchObject({ status: 1, boot_id: 'boot-1', model: 'RUTX50', failed_auth_reason: null });
    await device.drop();
    await statusIs(world, device, 0);
    expect((await eventsOf(world, device)).map((event) => event.type)).toEqual(['activated', 'connected', 'disconnected']);
  });

  test('what is acknowledged to the device is in the database', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await device.say('status', {
      uptime: 4711,
      signal: -71,
      operator: 'Telia',
      rx_bytes: 10,
      tx_bytes: 20,
      wan_state: 'Mobile',
      wan_ip: '10.1.2.3',
    });
    expect(await rowOf(world, device)).toMatchObject({
      router_uptime: 4711,
      signal: -71,
      operator: 'Telia',
      received: 10,
      sent: 20,
      wan_state: 'Mobile',
      mobile_ip: '10.1.2.3',
    });
    const samples = await world.ctx.db.selectFrom('device_samples').select(['metric', 'value']).execute();
    expect(samples.map((sample) => sample.metric).sort()).toEqual(['received', 'router_uptime', 'sent', 'signal']);
  });

  test('a device that is silent for three periods is offline, and back with its next report', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await world.clock.advance(2 * MINUTE);
    expect((await rowOf(world, device)).status).toBe(1);
    await world.clock.advance(1 * MINUTE + 10 * SECOND);
    expect((await rowOf(world, device)).status).toBe(0);
    await device.say('status', { uptime: 1 });
    expect((await rowOf(world, device)).status).toBe(1);
  });

  test('a goodbye marks the device offline; another boot id is a restart', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await device.say('status', { online: false });
    expect((await rowOf(world, device)).status).toBe(0);
    await device.hello({ boot_id: 'boot-2' });
    expect((await eventsOf(world, device)).map((event) => event.type)).toContain('restarted');
  });

  test('five hellos within two minutes leave one warning', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    for (let count = 0; count < 6; count += 1) await device.hello();
    const warnings = (await eventsOf(world, device)).filter((event) => event.level === 'warning');
    expect(warnings).toHaveLength(1);
  });

  test('the newer session of a device takes over, and it stays online', async () => {
    const { world, code } = await start();
    await using _end = world;
    const old = await startDevice(world.url, code);
    const closed = old.ended();
    await using device = await connect(old.credentials, old.identity);
    await device.hello();
    await closed;
    expect((await rowOf(world, device)).status).toBe(1);
    await old[Symbol.asyncDispose]();
  });
});

describe('who may speak', () => {
  test('a wrong password is refused and shows at the device as an attempt, once a minute [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    for (let count = 0; count < 3; count += 1)
      await expect(connect(device.credentials, device.identity, { password: 'guessed' })).rejects.toThrow(/not authorized|bad user/i);
    const refused = await until('the attempt', async () => {
      const events = (await eventsOf(world, device)).filter((event) => event.type === 'refused');
      return events.length > 0 && events;
    });
    expect(refused).toMatchObject([{ code: 0, ip: '127.0.0.1' }]);
    expect((await rowOf(world, device)).failed_auth_reason).toBe(0);
  });

  test('a thousand wrong passwords of a stranger do not keep the device out: the right one connects at once [HN12]', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const credentials = await join(world.url, code, identity);
    const tries = Array.from({ length: 1000 }, (_, index) => `wrong-${index}`);
    const refusals = new Map<string, number>();
    const guess = async (): Promise<void> => {
      for (let password = tries.pop(); password !== undefined; password = tries.pop()) {
        const { message } = await connect(credentials, identity, { password, clientId: 'stranger' }).then(
          () => new Error('let in'),
          (error: Error) => error,
        );
        refusals.set(message, (refusals.get(message) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 20 }, guess));
    await using device = await connect(credentials, identity);
    await device.hello();
    expect(await rowOf(world, device)).toMatchObject({ status: 1 });
    expect([...refusals]).toEqual([['Connection refused: Bad username or password', 1000]]);
  });

  test('the key of one device opens no client id of another [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await using other = await startDevice(world.url, code);
    await expect(connect(device.credentials, device.identity, { clientId: other.credentials.device_key })).rejects.toThrow(/./);
    expect((await rowOf(world, other)).status).toBe(1);
    await using short = await connect(device.credentials, device.identity, { clientId: `${device.credentials.device_key}-m1` });
    await short.say('telemetry', { values: { volts: 12.5 } });
  });

  test('a device publishes and reads its own topics only [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await using other = await startDevice(world.url, code);
    const { device_key: foreign } = other.credentials;
    for (const filter of [
      `canopy/${foreign}/down/command`,
      'canopy/+/down/command',
      '#',
      '$SYS/#',
      `canopy/${device.credentials.device_key}/up/#`,
    ])
      await expect(device.client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow(/./);
    const closed = device.ended();
    device.client.publish(`canopy/${foreign}/up/status`, '{"online":false}', { qos: 1 });
    await closed;
    expect((await rowOf(world, other)).status).toBe(1);
    await until('the attempt', async () => (await eventsOf(world, device)).some((event) => event.type === 'refused' && event.code === 12));
  });

  test('a hello under another serial number puts the device into quarantine with code 7 [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await device.hello({ serial: 'somebody-else' });
    expect(await rowOf(world, device)).toMatchObject({ status: 2, quarantine: 'duplicate_serial', failed_auth_reason: 7 });
    await device.say('status', { uptime: 99 });
    expect((await rowOf(world, device)).router_uptime).toBeNull();
  });

  test('a packet that announces more than it may is cut off before it is stored', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    const closed = device.ended();
    device.client.publish(`canopy/${device.credentials.device_key}/up/log`, Buffer.alloc(1024 * 1024, 'x'), { qos: 1 });
    await closed;
    await until('the attempt', async () => (await eventsOf(world, device)).some((event) => event.code === 104));
    const raw = connectTcp(device.credentials.mqtt_port, '127.0.0.1');
    raw.on('error', () => undefined);
    raw.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
    await once(raw, 'close');
  });
});

describe('hostile payloads [DV3]', () => {
  let world: World;
  let code: string;
  beforeAll(async () => {
    ({ world, code } = await start());
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  const unreadable: [string, string | Buffer][] = [
    ['truncated', '{"uptime": 12, "signal": -7'],
    ['no object', '[1,2,3]'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['too deep', deep],
    ['garbage', Buffer.alloc(100_000, 7)],
    ['empty', ''],
  ];
  test.each(unreadable)('a payload that is %s is logged with device and topic and drops nothing else', async (_name, payload) => {
    await using device = await startDevice(world.url, code);
    await Promise.all([device.say('status', { uptime: 1 }), device.say('status', payload), device.say('status', { uptime: 2 })]);
    expect(await rowOf(world, device)).toMatchObject({ router_uptime: 2, status: 1 });
    const line = world
      .log()
      .split('\n')
      .find((text) => text.includes('not readable') && text.includes(device.credentials.device_key));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      device: device.credentials.device_key,
      topic: expect.stringContaining('up/status'),
    });
  });

  test('members of a wrong type or out of bounds are dropped one by one', async () => {
    await using device = await startDevice(world.url, code);
    await device.say(
      'status',
      '{"__proto__":{"signal":-1},"constructor":{"x":1},"uptime":"12","load1":1e309,"signal":-60,"temperature":1e300,"wan_ip":"1.2.3.4; rm -rf /","operator":"\\u001b[31mTe\\u202elia\\u0000\\n","rx_bytes":-5}',
    );
    expect(await rowOf(world, device)).toMatchObject({
      router_uptime: null,
      load1: null,
      signal: -60,
      temperature: null,
      wan_ip: null,
      operator: 'Telia',
      received: null,
    });
  });

  test('telemetry of a clock in 1970 is of its arrival and keeps plain numbers under plain names; logs are cut and at most ten in ten seconds', async () => {
    await using device = await startDevice(world.url, code);
    await device.say('telemetry', '{"at":1,"values":{"volts":12.5,"__proto__":1,"Bad Name":2,"text":"3","signal":-1}}');
    const samples = await world.ctx.db
      .selectFrom('device_samples')
      .select(['metric', 'value', 'at'])
      .where('metric', '=', 'volts')
      .execute();
    expect(samples).toEqual([{ metric: 'volts', value: 12.5, at: world.clock.now() }]);
    await Promise.all(
      Array.from({ length: 15 }, (_, index) => device.say('log', { level: 'error', message: `${index}${'x'.repeat(9000)}` })),
    );
    const lines = (await eventsOf(world, device)).filter((event) => event.type === 'log');
    expect(lines).toHaveLength(10);
    expect(lines[0]?.message).toHaveLength(500);
  });
});

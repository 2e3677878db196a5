import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { io, type Socket } from 'socket.io-client';
import { expect, test } from 'vitest';
import { ApiClient } from '../../scripts/api-client.ts';
import { join, newIdentity } from '../helpers/mqtt-device.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';

const DEVICES = 150;
const CONSOLES = 20;
const JOINED_AT_ONCE = 25;
// Between rounds the runtime keeps some freed memory and one file more or less.
const MEMORY_FACTOR = 1.5;
const FILES_MORE = 10;

const openFiles = (server: ServerProcess): number => readdirSync(`/proc/${server.pid()}/fd`).length;
const memoryKb = (server: ServerProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]);

/** Makes the installation and an enrolment code for all devices. */
async function signUp(server: ServerProcess) {
  const api = new ApiClient(server.url);
  const token = readFileSync(joinPath(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Holm', password: 'a long enough phrase' };
  await api.call('POST', '/set-up', { token, company_name: 'Harbour', ...person });
  const { company_id: company } = await api.call<{ company_id: number }>('GET', '/user');
  const { code } = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', {
    company_id: company,
    uses: DEVICES,
    expires_in_hours: 1,
  });
  return { api, company, code };
}

/** A device that says hello whenever its connection is there. */
async function startDevice(server: ServerProcess, code: string): Promise<MqttClient> {
  const identity = newIdentity();
  const { device_key: key, password, mqtt_port: port } = await join(server.url, code, identity);
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    username: key,
    password,
    clientId: key,
    reconnectPeriod: 100 + Math.random() * 200,
    clean: true,
  });
  client.on('error', () => undefined);
  client.on('connect', () => client.publish(`canopy/${key}/up/hello`, JSON.stringify({ v: 1, ...identity, boot_id: 'b' }), { qos: 1 }));
  return client;
}

/** A console that follows the devices whenever its connection is there. */
class LiveConsole {
  isFollowing = false;
  /** Names of devices that it was notified of. */
  readonly changes: string[] = [];
  readonly socket: Socket;

  constructor(url: string, cookie: string, channel: string) {
    this.socket = io(url, {
      path: '/status/socket.io',
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 300,
      extraHeaders: { cookie, origin: url },
    });
    this.socket.on('connect', () => this.socket.emit('subscribe', channel));
    this.socket.on('subscribed', () => (this.isFollowing = true));
    this.socket.on('disconnect', () => (this.isFollowing = false));
    this.socket.on('DeviceChanged', (_channel: string, changes: unknown) => this.changes.push(JSON.stringify(changes)));
  }
}

test('after restarts and cut lines all devices and consoles come back, and the server holds no more files and memory than before [FT5]', async () => {
  await using server = await startServerProcess({ script: 'server/main.ts' });
  const { api, company, code } = await signUp(server);
  await api.call('GET', '/devices?limit=1');
  const filesAtRest = openFiles(server);
  const devices: MqttClient[] = [];
  const consoles: LiveConsole[] = [];
  try {
    while (devices.length < DEVICES)
      devices.push(...(await Promise.all(Array.from({ length: JOINED_AT_ONCE }, () => startDevice(server, code)))));
    for (let count = 0; count < CONSOLES; count += 1)
      consoles.push(new LiveConsole(server.url, api.cookie(), `companies.${company}.devices`));

    const allBack = async (round: string) => {
      await until(`all consoles follow again (${round})`, () => consoles.every((console) => console.isFollowing));
      await until(`all devices are online again (${round})`, async () => {
        const { status } = await api.call<{ status: Record<string, number> }>('GET', '/devices/statistics');
        return (status['1'] ?? status['online'] ?? 0) === DEVICES;
      });
      const [device] = await api.call<{ id: number }[]>('GET', '/devices?limit=1&sort=id');
      await api.call('PUT', `/devices/${device?.id}`, { name: `after ${round}`, description: '' });
      await until(`every console hears of a change (${round})`, () =>
        consoles.every(({ changes }) => changes.some((text) => text.includes(`after ${round}`))),
      );
    };
    await allBack('the start');

    for (const round of ['kill 1', 'kill 2']) {
      await server.kill();
      await until(
        'the lines are down',
        () => devices.every((device) => !device.connected) && consoles.every(({ isFollowing }) => !isFollowing),
      );
      await server.start();
      await allBack(round);
    }

    const files = openFiles(server);
    const memory = memoryKb(server);
    for (const round of ['cut 1', 'cut 2', 'cut 3']) {
      for (const device of devices) device.stream.destroy();
      for (const { socket } of consoles) socket.io.engine.close();
      await until('the lines are down', () => consoles.every(({ isFollowing }) => !isFollowing));
      await allBack(round);
    }
    await until('no file more is open than before the lines were cut', () => openFiles(server) <= files + FILES_MORE);
    expect(memoryKb(server)).toBeLessThan(memory * MEMORY_FACTOR);
  } finally {
    for (const { socket } of consoles) socket.disconnect();
    await Promise.all(devices.map((device) => device.endAsync(true)));
  }
  await until('what was open for devices and consoles is closed', () => openFiles(server) <= filesAtRest + FILES_MORE);
}, 240_000);

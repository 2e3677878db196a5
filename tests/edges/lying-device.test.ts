import { Agent, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startLyingDevice, type LyingDevice } from '../helpers/lying-ssh-server.ts';
import { startHaproxy } from '../helpers/proxies.ts';
import { makeEntry } from '../helpers/remote.ts';
import { RemoteConsole } from '../helpers/remote-rig.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const SMUGGLED = 'HTTP/1.1 200 OK\r\nX-Smuggled: yes\r\nSet-Cookie: canopy_access=theirs\r\nContent-Length: 7\r\n\r\nSMUGGLE';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let device: LyingDevice;
let path: string;
const consoles: RemoteConsole[] = [];

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  device = await startLyingDevice(5);
  path = await openFiles(device.port);
});
afterAll(async () => {
  for (const { socket } of consoles) socket.terminate();
  await device?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** The address of a file in a session with the device. */
async function openFiles(port: number): Promise<string> {
  const { id } = await makeDevice(world, { company, status: 0 });
  const entry = await makeEntry(admin, { device_id: id, port, protocol: 'sftp' });
  const { data } = await admin.post(`/devices/connect/${entry}`, { duration: 600 });
  const headers = { cookie: admin.headers['cookie'] ?? '', origin: world.ctx.publicUrl() };
  const console = new RemoteConsole(`${world.url.replace('http', 'ws')}${data.url}`, {}, headers);
  console.answer = (question) => (question.kind === 'host-key' ? { trust: true } : { username: 'root', password: 'any' });
  consoles.push(console);
  await console.hear('open');
  return `/api/devices/connect/sessions/${data.id}/file?path=/file`;
}

/** A connection as a proxy keeps it: requests go in one after the other, and bytes come out. */
async function keepConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const isClosed = () => socket.destroyed || socket.readableEnded;
  return {
    ask: (url: string) => socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${admin.headers['cookie']}\r\n\r\n`),
    received: () => received,
    isClosed,
    until: (what: string) => until(`${what} in ${JSON.stringify(received.slice(-300))}`, () => received.includes(what)),
    end: () => socket.destroy(),
  };
}
const serverPort = () => Number(new URL(world.url).port);

test('what a device sends after the end of a file is not the answer to the next request of the connection [HP1]', async () => {
  const released = Promise.withResolvers<void>();
  device.send = async (channel) => {
    channel.write('HELLO');
    await released.promise;
    channel.write(SMUGGLED);
  };
  const connection = await keepConnection(serverPort());
  connection.ask(path);
  await connection.until('\r\n\r\nHELLO');
  connection.ask('/health');
  released.resolve();
  await until('the next answer', () => connection.received().lastIndexOf('HTTP/1.1 200') > 0);
  await connection.until('"status"');
  expect(connection.received()).not.toContain('SMUGGLE');
  connection.end();
});

test('more bytes than announced end the connection without one of them, and so do fewer [HP1]', async () => {
  for (const content of [`HELLO${SMUGGLED}`, 'HE']) {
    device.send = async (channel) => void channel.write(content);
    const connection = await keepConnection(serverPort());
    connection.ask(path);
    connection.ask('/health');
    await until('the end', () => connection.isClosed() || connection.received().includes('"status"'));
    expect(connection.received()).not.toContain('SMUGGLE');
    // Either the answer says that there is no file, or nothing follows it.
    if (connection.received().includes('"status"')) expect(connection.received()).toMatch(/^HTTP\/1\.1 5/);
    connection.end();
  }
});

test('behind HAProxy with its defaults nobody else is answered by the device [HP1]', async () => {
  await using proxy = await startHaproxy(serverPort());
  const get = async (agent: Agent, url: string): Promise<{ headers: object; body: string }> => {
    const request = sendRequest({
      agent,
      port: proxy.port,
      host: '127.0.0.1',
      path: url,
      headers: { cookie: admin.headers['cookie'] ?? '' },
    });
    request.end();
    const [answer] = await once(request, 'response');
    return { headers: answer.headers, body: await text(answer) };
  };
  const [attacker, victim] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  for (let round = 0; round < 10; round += 1) {
    const released = Promise.withResolvers<void>();
    device.send = async (channel) => {
      channel.write('HELLO');
      await released.promise;
      channel.write(SMUGGLED);
    };
    expect((await get(attacker, path)).body).toBe('HELLO');
    const asked = Promise.all(Array.from({ length: 3 }, () => get(victim, '/health')));
    released.resolve();
    for (const { headers, body } of await asked) {
      expect(headers).not.toHaveProperty('x-smuggled');
      expect(body).toContain('"status"');
    }
  }
  attacker.destroy();
  victim.destroy();
});

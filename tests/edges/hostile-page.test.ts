import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { enterPage, startDevicePage, type DevicePage, type PageBrowser } from '../helpers/device-page.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { startHaproxy, startNginx } from '../helpers/proxies.ts';
import { makeEntry, startService, type Service } from '../helpers/remote.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let victimPage: DevicePage;
let device: Service;
/** What the hostile device answers to each request, as bytes, and what came to it. */
let answer = '';
let heard = '';

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  victimPage = await startDevicePage();
  device = await startService((socket) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      socket.write(answer);
    });
  });
});
afterAll(async () => {
  await victimPage?.[Symbol.asyncDispose]();
  await device?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

async function openPage(port: number): Promise<PageBrowser> {
  const { id } = await makeDevice(world, { company, status: 0 });
  const entry = await makeEntry(admin, { device_id: id, port, protocol: 'http' });
  const { data } = await admin.post(`/devices/connect/${entry}`, { duration: 600 });
  return enterPage(data.url);
}

/** A request as a browser sends it to a page, on a connection that the test holds. */
function lines({ origin, cookies }: PageBrowser, path: string, more: string[] = []): string {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return [`GET ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`, `Cookie: ${cookie}`, `Origin: ${origin}`, ...more, '', ''].join('\r\n');
}
const asSocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${KEY}`];

async function open(port: number): Promise<{ socket: Socket; received(): string; isClosed(): boolean }> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, received: () => received, isClosed: () => socket.destroyed || socket.readableEnded };
}

const withHeaders = [
  'Set-Cookie: canopy_remote=stolen; Path=/',
  'Strict-Transport-Security: max-age=99',
  'Clear-Site-Data: "*"',
  'Alt-Svc: h3=":443"',
].join('\r\n');

test('an answer to a WebSocket that is none ends the connection, and its headers are filtered as any others [HN2]', async () => {
  const browser = await openPage(device.port);
  for (const status of ['200 OK', '204 No Content', '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c']) {
    heard = '';
    answer = `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n${withHeaders}\r\n\r\n${status.startsWith('204') ? '' : 'ok'}`;
    const { socket, received, isClosed } = await open(Number(new URL(browser.origin).port));
    socket.write(lines(browser, '/socket', asSocket));
    await until(`an answer to ${status}`, () => received().includes('\r\n\r\n') || isClosed());
    socket.write(lines(browser, '/next-request'));
    await until('the end of the connection', isClosed);
    expect(received()).toMatch(/^HTTP\/1\.1 (?:200|204|502) [\s\S]*connection: close/i);
    expect(received()).not.toMatch(/stolen|strict-transport|clear-site|alt-svc/i);
    expect(heard).not.toContain('next-request');
  }
});

test('a WebSocket is joined only with the answer to its own key, without headers that reach beyond it [HN2]', async () => {
  const browser = await openPage(device.port);
  for (const [accept, status] of [
    ['bm90IHRoaXMga2V5IGF0IGFsbA==', 502],
    [ACCEPT, 101],
  ] as const) {
    answer = `HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n${withHeaders}\r\n\r\nframes`;
    const { socket, received } = await open(Number(new URL(browser.origin).port));
    socket.write(lines(browser, '/socket', asSocket));
    await until('an answer', () => received().includes('\r\n\r\n'));
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received()).not.toMatch(/stolen|strict-transport|clear-site|alt-svc/i);
    if (status === 101) await until('what the device sends', () => received().includes('frames'));
    socket.destroy();
  }
});

test.each([
  ['HAProxy that shares connections', (to: number) => startHaproxy(to, ['http-reuse always'])],
  ['nginx that keeps connections', (to: number) => startNginx(to)],
])('behind %s a request of somebody else never reaches the device that a WebSocket was asked of [HN2]', async (_name, start) => {
  const [attacker, victim] = [await openPage(device.port), await openPage(victimPage.port)];
  await using proxy = await start(Number(new URL(attacker.origin).port));
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  heard = '';
  for (let round = 0; round < 5; round += 1) {
    const mine = await open(proxy.port);
    mine.socket.write(lines(attacker, '/socket', asSocket));
    await until('an answer', () => mine.received().includes('\r\n\r\nok') || mine.isClosed());
    const theirs = await open(proxy.port);
    theirs.socket.write(lines(victim, '/home'));
    await until('an answer', () => theirs.received().includes('\r\n\r\n') || theirs.isClosed());
    expect(heard).not.toContain('/home');
    expect(theirs.received()).toContain('router');
    for (const { socket } of [mine, theirs]) socket.destroy();
  }
});

test('a status that no answer may have ends as a page that says so, and is logged [HN10]', async () => {
  const browser = await openPage(device.port);
  const upgraded = '101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket';
  for (const status of ['000 None', '099 Low', '101 Unasked', upgraded, '600 High', '999 Highest', 'abc Letters']) {
    answer = `HTTP/1.1 ${status}\r\nContent-Length: 2\r\n\r\nok`;
    expect(await browser.send('/any'), status).toMatchObject({ status: 502, text: expect.stringContaining('cannot be shown') });
  }
  for (const status of [0, 99, 101, 600, 999]) expect(world.log()).toContain(`"status":${status},`);
});

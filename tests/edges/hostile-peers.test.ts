import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { until } from '../helpers/until.ts';
import { openAs, startLiveWorld } from './live-console.ts';

const { world, tree } = await startLiveWorld();
const { port } = new URL(world.url);
const opened: Socket[] = [];
afterAll(() => opened.forEach((socket) => socket.destroy()));

/** A bare connection: sends these bytes and keeps what comes back. */
function open(bytes: string): { socket: Socket; said: () => string; isClosed: () => boolean } {
  const socket = connect(Number(port), '127.0.0.1');
  opened.push(socket);
  let said = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  socket.write(bytes);
  return { socket, said: () => said, isClosed: () => isClosed };
}

const connections = (): Promise<number> =>
  new Promise((resolve) => world.app.fastify.server.getConnections((_error, count) => resolve(count)));

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);

test.each([
  [
    '100,000 headers',
    `GET /health HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 100_000 }, (_, index) => `x-${index}: 1\r\n`).join('')}\r\n`,
  ],
  ['a header of a megabyte', `GET /health HTTP/1.1\r\nHost: x\r\nx-long: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
  ['a line that is no request', `${'GET '.repeat(50)}\r\n\r\n`],
])('%s are refused, and the connection ends [FT10]', async (_name, bytes) => {
  const { said, isClosed } = open(bytes);
  await until('the end', isClosed);
  expect(statuses(said()).every((status) => status.startsWith('4'))).toBe(true);
  expect((await fetch(`${world.url}/health`)).status).toBe(200);
});

test.each([
  ['two lengths', 'Content-Length: 0\r\nContent-Length: 44\r\n'],
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
  ['chunks in disguise', 'Transfer-Encoding: chunked, identity\r\n'],
  ['a folded header', 'X: 1\r\n Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'],
  ['a blank before the colon', 'Content-Length : 44\r\n'],
])('a request that a proxy could read otherwise (%s) carries no second one in [FT10]', async (_name, header) => {
  const second = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
  const { said, isClosed } = open(`POST /api/account/login HTTP/1.1\r\nHost: x\r\n${header}\r\n0\r\n\r\n${second}`);
  await until('the end', isClosed);
  expect(statuses(said())).not.toContain('200');
});

test('an upgrade to something else than a websocket is ignored, and the call is answered', async () => {
  const { said } = open(
    'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  );
  await until('the answer', () => said().includes('"ok"'));
  expect(statuses(said())).toEqual(['200']);
});

test('callers who hang up in the middle of a body leave no error in the log [OP4]', async () => {
  const before = world.log().length;
  const cut = Array.from({ length: 20 }, () =>
    open('POST /api/account/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'),
  );
  await until('all of them', () => cut.every(({ socket }) => !socket.connecting));
  await fetch(`${world.url}/health`);
  for (const { socket } of cut) socket.destroy();
  await until('their end', () => cut.every(({ isClosed }) => isClosed()));
  await fetch(`${world.url}/health`);
  await until('their end on the server', async () => (await connections()) <= 10);
  expect(world.log().slice(before)).not.toContain('request failed');
});

test('connections that never finish what they ask keep nobody waiting, and have an end [FT10]', async () => {
  const slow = Array.from({ length: 300 }, () => open('POST /api/account/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'));
  await until('all of them', () => slow.every(({ socket }) => !socket.connecting));
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${world.url}/health`)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { headersTimeout, requestTimeout } = world.app.fastify.server;
  expect([headersTimeout, requestTimeout].every((limit) => limit > 0 && limit <= 120_000)).toBe(true);
  slow.forEach(({ socket }) => socket.destroy());
});

test('a flood of pings ends the socket [FT10]', async () => {
  using console = await openAs(world, await as(world, 'admin', { company: tree.middle }));
  const raw = (console.socket.io.engine.transport as unknown as { ws: { ping(): void } }).ws;
  for (let index = 0; index < 500; index += 1) raw.ping();
  await until('the end', () => !console.socket.connected);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { describe, expect, test } from 'vitest';
import { as, asUser } from '../helpers/as.ts';
import { until } from '../helpers/until.ts';
import { open, openAs, startLiveWorld, type Console } from './live-console.ts';

const MAX_OF_PERSON = 100;
const MAX_STRANGERS = 1000;
const { world, tree } = await startLiveWorld();

/** Asks for a connection and says nothing more; answers the first line and body of what the server says. */
async function knock(from: string): Promise<{ socket: Socket; answer: string }> {
  const url = new URL(world.url);
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: from });
  socket.on('error', () => undefined);
  socket.write(
    [
      'GET /status/socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${url.host}`,
      `Origin: ${world.ctx.publicUrl()}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, answer: answer.toString() };
}

describe('more connections than anybody needs [WS3]', () => {
  test('one person has a hundred in all their sessions, the next gets the reason, and a closed one makes room [WS3]', async () => {
    const person = await as(world, 'admin', { company: tree.middle });
    const sessions = [person, await asUser(world, person.user)];
    const consoles: Console[] = [];
    try {
      for (let count = 0; count < MAX_OF_PERSON; count += 20)
        consoles.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => openAs(world, sessions[index % 2] ?? person)))));
      await expect(openAs(world, person)).rejects.toMatchObject({
        message: 'TOO_MANY_CONNECTIONS',
        data: { message: `You have ${MAX_OF_PERSON} live connections already. Close some windows.`, params: { max: MAX_OF_PERSON } },
      });
      using other = await openAs(world, await as(world, 'admin', { company: tree.middle }));
      expect(other.socket.connected).toBe(true);
      consoles.pop()?.socket.disconnect();
      await until('a place', async () => {
        try {
          consoles.push(await openAs(world, person));
          return true;
        } catch {
          return false;
        }
      });
    } finally {
      for (const console of consoles) console.socket.disconnect();
    }
  });

  test('a connection that asks again before it is let in is closed [WS3]', async () => {
    const person = await as(world, 'admin', { company: tree.middle });
    const socket = io(world.url, {
      path: '/status/socket.io',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: person.headers,
    });
    const reasons: string[] = [];
    socket.on('connect_error', ({ message }) => reasons.push(message));
    // The number of a CONNECT packet.
    socket.io.on('open', () => socket.io.engine.send('0'));
    await until('the end', () => socket.io._readyState === 'closed');
    expect(reasons).toEqual(['ASKED_ALREADY']);
  });

  test('an address has a thousand that have not said who they are; others come in, and those that are in do not count [WS3]', async () => {
    const person = await as(world, 'admin', { company: tree.middle });
    using early = await openAs(world, person);
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < MAX_STRANGERS; count += 50) {
        const some = await Promise.all(Array.from({ length: 50 }, () => knock('127.0.0.1')));
        for (const { socket, answer } of some) {
          expect(answer).toContain('101 Switching Protocols');
          sockets.push(socket);
        }
      }
      expect((await knock('127.0.0.1')).answer).toMatch(/^HTTP\/1\.1 400 [^]*Too many connections from this address/);
      const elsewhere = await knock('127.0.0.2');
      sockets.push(elsewhere.socket);
      expect(elsewhere.answer).toContain('101 Switching Protocols');
      expect(early.socket.connected).toBe(true);
      for (const socket of sockets) socket.destroy();
      await until('a place', () =>
        open(world, person.headers).then(
          ({ socket }) => socket.disconnect() !== undefined,
          () => false,
        ),
      );
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

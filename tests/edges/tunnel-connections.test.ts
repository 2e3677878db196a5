import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeSshKey } from '../../agent/fleet/ssh-key.ts';
import { openTunnelHub } from '../../server/edges/tunnel/open-tunnel-hub.ts';
import { until } from '../helpers/until.ts';

const LIMIT = 100;

test('silent connections from one address are limited at the port of tunnels, and take no place from another address [HN11]', async () => {
  const { privateKey } = makeSshKey();
  await using hub = await openTunnelHub({
    host: '127.0.0.1',
    port: 0,
    hostKey: privateKey,
    now: () => Date.now(),
    onFault: () => undefined,
  });
  const greeted = new Set<Socket>();
  const closed = new Set<Socket>();
  const knock = (localAddress: string): Socket => {
    const socket = connect({ port: hub.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    // An SSH server speaks first.
    socket.once('data', () => greeted.add(socket));
    socket.on('close', () => closed.add(socket));
    return socket;
  };
  const silent = Array.from({ length: LIMIT + 20 }, () => knock('127.0.0.1'));
  await until('all are let in or cut off', () => greeted.size + closed.size === silent.length);
  expect([greeted.size, closed.size]).toEqual([LIMIT, 20]);
  const other = knock('127.0.0.2');
  await until('another address is greeted', () => greeted.has(other));
  const first = silent.find((socket) => greeted.has(socket));
  first?.destroy();
  await until('there is room again', async () => {
    const next = knock('127.0.0.1');
    await Promise.race([once(next, 'data'), once(next, 'close')]);
    return greeted.has(next);
  });
  for (const socket of [...silent, other]) socket.destroy();
  for (const socket of greeted) socket.destroy();
});

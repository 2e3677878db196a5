import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { afterAll, describe, expect, test } from 'vitest';
import { deliver, packetOf } from '../../server/kernel/live/packet.ts';
import { until } from '../helpers/until.ts';

const http = createServer();
const server = new Server(http, { transports: ['websocket'], serveClient: false });
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

/** A connection to which nothing is on its way, as the server sees it, and what its other end hears. */
async function openQuiet() {
  const heard: unknown[][] = [];
  const opened = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'], forceNew: true });
  client.onAny((event: string, ...args: unknown[]) => heard.push([event, ...args]));
  const socket = await opened;
  await until('the greeting has gone out', () => client.connected && socket.conn.transport.writable);
  return { socket, heard, [Symbol.dispose]: () => void client.disconnect() };
}

describe('packets to many consoles', () => {
  test('arrive whole, whatever length and letters they have', async () => {
    // `42["DeviceChanged","c",[{"name":""}]]` and names that end on both sides of where the length of a frame needs more bytes
    const around = (bytes: number): number[] => Array.from({ length: 60 }, (_, index) => bytes - 60 + index);
    const names = [...around(125), ...around(0xff_ff), 200_000].map((length) => 'x'.repeat(length));
    names.push('Ærlig talt 日本 🛰', 'é'.repeat(62), '🛰'.repeat(20_000));
    using console = await openQuiet();
    for (const name of names) deliver(console.socket, packetOf('DeviceChanged', 'c', [{ name }]));
    await until('all events', () => console.heard.length === names.length);
    expect(console.heard).toEqual(names.map((name) => ['DeviceChanged', 'c', [{ name }]]));
  });

  test('keep their place among what else is told to one console', async () => {
    using console = await openQuiet();
    const { socket, heard } = console;
    deliver(socket, packetOf('DeviceChanged', 'c', [{ id: 1 }]));
    // The first of these goes out, the second waits until that is done.
    socket.emit('subscribed', 'd');
    socket.emit('subscribed', 'e');
    deliver(socket, packetOf('DeviceChanged', 'c', [{ id: 2 }]));
    deliver(socket, packetOf('DeviceChanged', 'c', [{ id: 3 }]));
    socket.emit('subscribed', 'f');
    await until('all events', () => heard.length === 6);
    expect(heard.map((event) => JSON.stringify(event))).toEqual([
      '["DeviceChanged","c",[{"id":1}]]',
      '["subscribed","d"]',
      '["subscribed","e"]',
      '["DeviceChanged","c",[{"id":2}]]',
      '["DeviceChanged","c",[{"id":3}]]',
      '["subscribed","f"]',
    ]);
  });

  test('go nowhere once the connection is closing', async () => {
    using console = await openQuiet();
    const wire = console.socket.conn.request.socket;
    console.socket.disconnect(true);
    const { bytesWritten } = wire;
    deliver(console.socket, packetOf('DeviceChanged', 'c', [{ id: 1 }]));
    expect(wire.bytesWritten).toBe(bytesWritten);
  });
});

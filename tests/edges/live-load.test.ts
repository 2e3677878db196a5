import { type Socket } from 'socket.io-client';
import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { openAs, startLiveWorld } from './live-console.ts';

const { world, tree } = await startLiveWorld();

describe('batches', () => {
  test('changes of one thing are merged and come in at most four packets a second', async () => {
    using console = await openAs(world, await as(world, 'admin', { company: tree.middle }));
    const channel = `companies.${tree.middle.id}.devices`;
    await console.follow(channel);
    const startedAt = performance.now();
    for (let signal = -100; signal < 0; signal += 1) {
      world.ctx.live.publishBelow(tree.middle.path, 'devices', 'DeviceChanged', { id: 1, company_id: tree.middle.id, signal });
      if (signal % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until('the last value', () => console.payloads('DeviceChanged', channel).at(-1)?.signal === -1);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(console.of('DeviceChanged').length).toBeLessThanOrEqual(1 + Math.ceil(seconds * 4));
  });
});

describe('hostile consoles [WS3]', () => {
  test.each([
    ['a message that is too long', (socket: Socket) => socket.emit('subscribe', 'x'.repeat(5000))],
    ['binary', (socket: Socket) => socket.emit('subscribe', Buffer.from('x'))],
    ['a flood', (socket: Socket) => Array.from({ length: 150 }, () => socket.emit('unsubscribe', 'x'))],
  ])('%s ends the connection [WS3]', async (_name, attack) => {
    using console = await openAs(world, await as(world, 'admin', { company: tree.middle }));
    attack(console.socket);
    await until('the end', () => !console.socket.connected);
  });

  test('one connection follows fifty channels, and no more [WS3]', async () => {
    const admin = await as(world, 'super_admin', { company: tree.top });
    using console = await openAs(world, admin);
    const companies = await Promise.all(Array.from({ length: 10 }, () => makeCompany(world)));
    const kinds = ['devices', 'companies', 'tags', 'users', 'files'];
    for (const { id } of companies) for (const kind of kinds) expect(await console.follow(`companies.${id}.${kind}`)).toBe(true);
    expect(await console.follow(`private-notifications.${admin.user.id}`)).toBe(false);
    console.socket.emit('unsubscribe', `companies.${companies[0]?.id}.devices`);
    expect(await console.follow(`private-notifications.${admin.user.id}`)).toBe(true);
  });

  test('a reader that does not read is dropped [WS3]', async () => {
    using console = await openAs(world, await as(world, 'admin', { company: tree.middle }));
    const channel = `companies.${tree.middle.id}.devices`;
    await console.follow(channel);
    const { engine } = console.socket.io;
    const raw = (engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } }).ws._socket;
    raw.pause();
    const connected = await socketsOf(world);
    const filler = 'x'.repeat(100_000);
    await until('the drop', async () => {
      for (let id = 1; id <= 60; id += 1)
        world.ctx.live.publishBelow(tree.middle.path, 'devices', 'DeviceChanged', { id, company_id: tree.middle.id, description: filler });
      await world.clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return (await socketsOf(world)) < connected;
    });
    raw.resume();
    await until('the end', () => !console.socket.connected);
  });
});

/** How many sockets the server has; the health of the live channel as the system sees it. */
function socketsOf(place: World): Promise<number> {
  return new Promise((resolve, reject) => {
    place.app.fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

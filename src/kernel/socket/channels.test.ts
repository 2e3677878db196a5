import { waitFor } from '@testing-library/react';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { io } from 'socket.io-client';
import { expect, test, vi } from 'vitest';
import { createLiveChannels } from './channels.ts';

async function makeWorld(options: { refuse?: Set<string>; isAllowed?: () => boolean; refusal?: string; onRenew?: () => void } = {}) {
  const http = createServer();
  const server = new Server(http, { path: '/status/socket.io', transports: ['websocket'], cors: { origin: true } });
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  server.use((_socket, next) => next(options.isAllowed?.() === false ? new Error(options.refusal ?? 'UNAUTHORIZED') : undefined));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('disconnect', () => sockets.delete(socket));
    socket.on('subscribe', (name: string) => {
      heard.push(`+${name}`);
      if (options.refuse?.has(name)) socket.emit('subscription_error', name, { code: 403, message: 'No.' });
      else socket.emit('subscribed', name);
    });
    socket.on('unsubscribe', (name: string) => heard.push(`-${name}`));
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address() as AddressInfo;
  const renewals: number[] = [];
  const news: string[] = [];
  const socket = io(`http://127.0.0.1:${address.port}`, {
    path: '/status/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    reconnectionDelay: 10,
    reconnectionDelayMax: 20,
  });
  const live = createLiveChannels({
    connect: () => Promise.resolve(socket),
    renew: (since) => {
      renewals.push(since);
      options.onRenew?.();
      return Promise.resolve(true);
    },
    onNews: (channel) => void news.push(channel),
  });
  return {
    live,
    heard,
    sockets,
    renewals,
    news,
    send: (event: string, ...rest: unknown[]) => server.emit(event, ...rest),
    async [Symbol.asyncDispose]() {
      live.close();
      await server.close();
    },
  };
}

const listener = () => ({ onEvent: vi.fn(), onFollowed: vi.fn(), onRefused: vi.fn() });

test('a channel is subscribed once for all its followers and left with the last', async () => {
  await using world = await makeWorld();
  const [one, two] = [listener(), listener()];
  const stopOne = world.live.follow('jobs.7', one);
  const stopTwo = world.live.follow('jobs.7', two);
  await waitFor(() => expect(world.heard).toEqual(['+jobs.7']));
  world.send('JobProgress', 'jobs.7', { job_id: 7 });
  await waitFor(() => expect(two.onEvent).toHaveBeenCalledWith('JobProgress', { job_id: 7 }));
  expect(one.onEvent).toHaveBeenCalledTimes(1);
  stopOne();
  stopTwo();
  await waitFor(() => expect(world.heard).toEqual(['+jobs.7', '-jobs.7']));
});

test('a cache is notified of a channel once it is followed, and of each event', async () => {
  await using world = await makeWorld();
  world.live.follow('companies.7.tags', listener());
  await waitFor(() => expect(world.news).toEqual(['companies.7.tags']));
  world.send('TagChanged', 'companies.7.tags', {});
  await waitFor(() => expect(world.news).toHaveLength(2));
});

test('events of other channels are not delivered', async () => {
  await using world = await makeWorld();
  const follower = listener();
  world.live.follow('jobs.7', follower);
  await waitFor(() => expect(world.heard).toHaveLength(1));
  world.send('JobProgress', 'jobs.8', {});
  world.send('JobProgress', 'jobs.7', { last: true });
  await waitFor(() => expect(follower.onEvent).toHaveBeenCalledTimes(1));
  expect(follower.onEvent).toHaveBeenCalledWith('JobProgress', { last: true });
});

test('after a break the channels are followed again, and the followers load again', async () => {
  await using world = await makeWorld();
  const follower = listener();
  world.live.follow('companies.1.devices', follower);
  await waitFor(() => expect(world.heard).toHaveLength(1));
  await waitFor(() => expect(follower.onFollowed).toHaveBeenCalledTimes(1));
  for (const socket of world.sockets) socket.conn.close();
  await waitFor(() => expect(follower.onFollowed).toHaveBeenCalledTimes(2));
  expect(world.heard).toEqual(['+companies.1.devices', '+companies.1.devices']);
  expect(world.live.state.get()).toBe('connected');
});

test('every follower is notified once events are received, also one that joins a channel already open', async () => {
  await using world = await makeWorld();
  const [one, two] = [listener(), listener()];
  world.live.follow('jobs.7', one);
  expect(one.onFollowed).not.toHaveBeenCalled();
  await waitFor(() => expect(one.onFollowed).toHaveBeenCalledTimes(1));
  world.live.follow('jobs.7', two);
  await waitFor(() => expect(two.onFollowed).toHaveBeenCalledTimes(1));
  expect(one.onFollowed).toHaveBeenCalledTimes(1);
  expect(world.heard).toEqual(['+jobs.7']);
});

test('a connection that the server ended is made again', async () => {
  await using world = await makeWorld();
  world.live.follow('jobs.7', listener());
  await waitFor(() => expect(world.heard).toHaveLength(1));
  for (const socket of world.sockets) socket.disconnect(true);
  await waitFor(() => expect(world.heard).toEqual(['+jobs.7', '+jobs.7']));
});

test('a 403 closes the channel for good', async () => {
  await using world = await makeWorld({ refuse: new Set(['companies.9.devices']) });
  const follower = listener();
  world.live.follow('companies.9.devices', follower);
  await waitFor(() => expect(follower.onRefused).toHaveBeenCalledTimes(1));
  world.send('DeviceChanged', 'companies.9.devices', {});
  world.live.follow('jobs.1', listener());
  await waitFor(() => expect(world.heard).toContain('+jobs.1'));
  expect(follower.onEvent).not.toHaveBeenCalled();
});

test('the socket is closed while the session is renewed and opens again after it', async () => {
  await using world = await makeWorld();
  world.live.follow('jobs.7', listener());
  await waitFor(() => expect(world.live.state.get()).toBe('connected'));
  world.live.pause();
  await waitFor(() => expect(world.sockets.size).toBe(0));
  world.live.resume();
  await waitFor(() => expect(world.heard).toEqual(['+jobs.7', '+jobs.7']));
});

test('a connection refused for want of a session renews it and connects', async () => {
  let isAllowed = false;
  await using world = await makeWorld({ isAllowed: () => isAllowed, onRenew: () => (isAllowed = true) });
  world.live.follow('jobs.7', listener());
  await waitFor(() => expect(world.heard).toEqual(['+jobs.7']));
  expect(world.renewals).toHaveLength(1);
});

test('a server that refuses the renewed session too is not asked in a loop', async () => {
  let tries = 0;
  const isAllowed = () => {
    tries += 1;
    return false;
  };
  await using world = await makeWorld({ isAllowed });
  world.live.follow('jobs.7', listener());
  await waitFor(() => expect(tries).toBe(2));
  await waitFor(() => expect(world.live.state.get()).toBe('down'));
  expect(world.renewals).toHaveLength(1);
});

test('a server that has too many connections of this person is not asked to renew the session', async () => {
  await using world = await makeWorld({ isAllowed: () => false, refusal: 'TOO_MANY_CONNECTIONS' });
  world.live.follow('jobs.7', listener());
  await waitFor(() => expect(world.live.state.get()).toBe('full'));
  expect(world.renewals).toHaveLength(0);
});

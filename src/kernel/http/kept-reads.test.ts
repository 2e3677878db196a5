import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { isCancelled } from './api-error.ts';
import { createHttpClient } from './client.ts';
import { makeGate, startTestServer, type Handler } from './test-server.ts';

afterEach(() => vi.restoreAllMocks());

async function makeWorld(handler: Handler) {
  const server = await startTestServer(handler);
  const client = createHttpClient({ baseUrl: '/api', renew: () => Promise.resolve(false), onScreen: () => undefined });
  const keep = client.cache({ keepMs: 10_000 });
  const reads = () => server.seen.filter(({ method }) => method === 'GET').length;
  return { ...server, client, keep, reads };
}
const good = (data: unknown) => ({ body: { success: true, data } });
/** A server that answers with the number of the read. */
const counting = () => {
  let reads = 0;
  return makeWorld(({ method }) => good(method === 'GET' ? (reads += 1) : null));
};

test('a kept answer is given until its time is over; another query is another answer', async () => {
  await using world = await counting();
  const { client, keep } = world;
  const at = vi.spyOn(Date, 'now');
  at.mockReturnValue(0);
  const read = async (q: string) => (await client.get<number>('/roles', { query: { q }, keep })).data;
  expect([await read('a'), await read('a'), await read('b')]).toEqual([1, 1, 2]);
  at.mockReturnValue(10_000);
  expect(await read('a')).toBe(3);
});

test('a read that nobody marked is asked for each time', async () => {
  await using world = await counting();
  const read = async () => (await world.client.get<number>('/roles')).data;
  expect([await read(), await read()]).toEqual([1, 2]);
});

test.each(['post', 'put', 'delete'] as const)('a write (%s) drops what is kept of its resource and nothing else', async (method) => {
  await using world = await counting();
  const { client, keep } = world;
  const read = async (path: string) => (await client.get<number>(path, { keep })).data;
  expect([await read('/roles'), await read('/credits/types')]).toEqual([1, 2]);
  await client[method]('/roles/7', {});
  expect([await read('/roles'), await read('/credits/types')]).toEqual([3, 2]);
});

test('a refused write drops it, too; a write to companies, whose names stand everywhere, drops all', async () => {
  let reads = 0;
  await using world = await makeWorld(({ method }) =>
    method === 'GET' ? good((reads += 1)) : { status: 500, body: { success: false, errors: [{ code: 'INTERNAL', message: 'No.' }] } },
  );
  const { client, keep } = world;
  const read = async () => (await client.get<number>('/tags', { keep })).data;
  expect(await read()).toBe(1);
  await client.post('/tags', {}).catch(() => undefined);
  expect(await read()).toBe(2);
  await client.put('/companies/7', {}).catch(() => undefined);
  expect(await read()).toBe(3);
});

test('OP3 what the session before has asked for is neither given nor shared, also when its answer is still on its way', async () => {
  const late = makeGate();
  let who = 'first';
  await using world = await makeWorld(async () => {
    const answer = who;
    if (who === 'first') await late.wait;
    return good(answer);
  });
  const { client, keep } = world;
  const read = async () => (await client.get<string>('/roles', { keep, survivesRouteChange: true })).data;
  const before = read();
  await waitFor(() => expect(world.reads()).toBe(1));
  who = 'second';
  client.forgetKept();
  const after = read();
  late.open();
  expect(await after).toBe('second');
  await before;
  expect(await read()).toBe('second');
});

test('an answer that was under way during a write is not kept', async () => {
  const late = makeGate();
  let name = 'old';
  await using world = await makeWorld(async ({ method, search }) => {
    const answer = name;
    if (method === 'GET' && search === '?q=slow') await late.wait;
    return good(answer);
  });
  const { client, keep } = world;
  const slow = client.get<string>('/tags', { query: { q: 'slow' }, keep });
  await waitFor(() => expect(world.reads()).toBe(1));
  name = 'new';
  await client.put('/tags/1', { name });
  late.open();
  await slow;
  expect((await client.get<string>('/tags', { query: { q: 'slow' }, keep })).data).toBe('new');
});

test('identical reads that begin within a second share one call; a later one takes over', async () => {
  const gates = [makeGate(), makeGate()];
  let reads = 0;
  await using world = await makeWorld(async () => {
    const mine = reads;
    reads += 1;
    await gates[mine]?.wait;
    return good(mine);
  });
  const { client, keep } = world;
  const at = vi.spyOn(Date, 'now');
  at.mockReturnValue(0);
  const read = async () => (await client.get<number>('/roles', { keep })).data;
  const first = read();
  at.mockReturnValue(999);
  const second = read();
  await waitFor(() => expect(world.reads()).toBe(1));
  at.mockReturnValue(1000);
  const third = read();
  await waitFor(() => expect(world.reads()).toBe(2));
  for (const gate of gates) gate.open();
  expect(await Promise.all([first, second, third])).toEqual([1, 1, 1]);
});

test('who gives up a shared call leaves it to the others; the last one ends it', async () => {
  const late = makeGate();
  await using world = await makeWorld(async () => {
    await late.wait;
    return good('roles');
  });
  const { client, keep } = world;
  const [one, two] = [new AbortController(), new AbortController()];
  const read = (signal: AbortSignal) => client.get<string>('/roles', { keep, signal }).then(({ data }) => data, isCancelled);
  const [first, second] = [read(one.signal), read(two.signal)];
  await waitFor(() => expect(world.reads()).toBe(1));
  one.abort();
  expect(await first).toBe(true);
  two.abort();
  expect(await second).toBe(true);
  // Nobody joins a call that was given up.
  const third = read(new AbortController().signal);
  late.open();
  expect(await third).toBe('roles');
});

test('a failure is not kept: the next read asks again', async () => {
  let reads = 0;
  await using world = await makeWorld(() => {
    reads += 1;
    return reads === 1 ? { status: 500, body: { success: false, errors: [{ code: 'INTERNAL', message: 'No.' }] } } : good('roles');
  });
  const read = () => world.client.get<string>('/roles', { keep: world.keep });
  await expect(read()).rejects.toThrow('No.');
  expect((await read()).data).toBe('roles');
});

test('a change of page ends reads that may be kept, and the next page asks anew', async () => {
  const late = makeGate();
  await using world = await makeWorld(async () => {
    await late.wait;
    return good('roles');
  });
  const read = () => world.client.get<string>('/roles', { keep: world.keep });
  const first = read();
  await waitFor(() => expect(world.reads()).toBe(1));
  world.client.cancelPending('Route changed');
  await expect(first).rejects.toThrow('Route changed');
  const second = read();
  await waitFor(() => expect(world.reads()).toBe(2));
  late.open();
  expect((await second).data).toBe('roles');
});

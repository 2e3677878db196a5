import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { makeGate, startTestServer, type Handler } from './http/test-server.ts';
import { api } from './http/index.ts';
import { forgetKept, keptFor, queryClient, resourceOfPath } from './queries.ts';

afterEach(() => vi.restoreAllMocks());

const KEEP_MS = 10_000;

async function makeWorld(handler: Handler) {
  const server = await startTestServer(handler);
  return { ...server, reads: () => server.seen.filter(({ method }) => method === 'GET').length };
}
const good = (data: unknown) => ({ body: { success: true, data } });
/** A server that answers with the number of the read. */
const counting = () => {
  let reads = 0;
  return makeWorld(({ method }) => good(method === 'GET' ? (reads += 1) : null));
};

const keptQuery = <T>(path: string, q = '') => ({
  queryKey: ['kept', path, q],
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await api.get<T>(path, { query: { q }, signal })).data,
  ...keptFor(KEEP_MS, resourceOfPath(path)),
});
const read = <T = number>(path: string, q = ''): Promise<T> => queryClient.fetchQuery(keptQuery<T>(path, q));
/** A component that shows the answer, until it is closed. */
function show<T>(path: string, q = ''): Disposable & { shown(): T | undefined } {
  const observer = new QueryObserver<T>(queryClient, keptQuery<T>(path, q));
  const stop = observer.subscribe(() => undefined);
  return { shown: () => observer.getCurrentResult().data, [Symbol.dispose]: stop };
}

test('a kept answer is given until its time is over; another query is another answer', async () => {
  await using _world = await counting();
  const at = vi.spyOn(Date, 'now');
  at.mockReturnValue(1);
  expect([await read('/roles', 'a'), await read('/roles', 'a'), await read('/roles', 'b')]).toEqual([1, 1, 2]);
  at.mockReturnValue(1 + KEEP_MS);
  expect(await read('/roles', 'a')).toBe(3);
});

test('a read that nobody marked is asked for each time', async () => {
  await using _world = await counting();
  const fresh = () => queryClient.fetchQuery({ queryKey: ['list'], queryFn: async () => (await api.get<number>('/roles')).data });
  expect([await fresh(), await fresh()]).toEqual([1, 2]);
});

test.each(['post', 'put', 'delete'] as const)('a write (%s) ends what is kept of its resource and nothing else', async (method) => {
  await using _world = await counting();
  expect([await read('/roles'), await read('/credits/types')]).toEqual([1, 2]);
  await api[method]('/roles/7', {});
  expect([await read('/roles'), await read('/credits/types')]).toEqual([3, 2]);
});

test('a refused write ends it, too; a write to companies, whose names are everywhere, ends all', async () => {
  let reads = 0;
  await using _world = await makeWorld(({ method }) =>
    method === 'GET' ? good((reads += 1)) : { status: 500, body: { success: false, errors: [{ code: 'INTERNAL', message: 'No.' }] } },
  );
  expect(await read('/tags')).toBe(1);
  await api.post('/tags', {}).catch(() => undefined);
  expect(await read('/tags')).toBe(2);
  await api.put('/companies/7', {}).catch(() => undefined);
  expect(await read('/tags')).toBe(3);
});

test('what the session before has asked for is neither given nor shown, also when its answer is still on its way [OP3]', async () => {
  const late = makeGate();
  let who = 'first';
  await using world = await makeWorld(async () => {
    const answer = who;
    if (who === 'first') await late.wait;
    return good(answer);
  });
  using screen = show<string>('/roles');
  await waitFor(() => expect(world.reads()).toBe(1));
  who = 'second';
  forgetKept();
  late.open();
  await waitFor(() => expect(screen.shown()).toBe('second'));
  expect(await read<string>('/roles')).toBe('second');
});

test('an answer that was on its way during a write is not kept', async () => {
  const late = makeGate();
  let name = 'old';
  await using world = await makeWorld(async ({ method, search }) => {
    const answer = name;
    if (method === 'GET' && search === '?q=slow' && name === 'old') await late.wait;
    return good(answer);
  });
  using screen = show<string>('/tags', 'slow');
  await waitFor(() => expect(world.reads()).toBe(1));
  name = 'new';
  await api.put('/tags/1', { name });
  late.open();
  await waitFor(() => expect(screen.shown()).toBe('old'));
  expect(await read<string>('/tags', 'slow')).toBe('new');
});

test('identical reads at the same time share one call', async () => {
  const gate = makeGate();
  let reads = 0;
  await using world = await makeWorld(async () => {
    reads += 1;
    await gate.wait;
    return good(reads);
  });
  const both = [read('/roles'), read('/roles')];
  await waitFor(() => expect(world.reads()).toBe(1));
  gate.open();
  expect(await Promise.all(both)).toEqual([1, 1]);
});

test('a read that is asked for again takes over from the older one, whose answer never shows [S2]', async () => {
  const first = makeGate();
  let count = 0;
  await using world = await makeWorld(async () => {
    count += 1;
    const mine = count;
    if (mine === 2) await first.wait;
    return good(`answer ${mine}`);
  });
  using screen = show<string>('/devices');
  await waitFor(() => expect(screen.shown()).toBe('answer 1'));
  void queryClient.refetchQueries({ queryKey: ['kept', '/devices'] });
  await waitFor(() => expect(world.seen).toHaveLength(2));
  void queryClient.refetchQueries({ queryKey: ['kept', '/devices'] });
  await waitFor(() => expect(screen.shown()).toBe('answer 3'));
  first.open();
  expect(screen.shown()).toBe('answer 3');
});

test('a screen that goes leaves a shared call to the others; with the last one it ends', async () => {
  const late = makeGate();
  await using world = await makeWorld(async () => {
    await late.wait;
    return good('roles');
  });
  const [one, two] = [show<string>('/roles'), show<string>('/roles')];
  await waitFor(() => expect(world.reads()).toBe(1));
  const state = () => queryClient.getQueryState(['kept', '/roles', ''])?.fetchStatus;
  one[Symbol.dispose]();
  expect(state()).toBe('fetching');
  two[Symbol.dispose]();
  await waitFor(() => expect(state()).toBe('idle'));
  // Nobody joins a call that was given up.
  using third = show<string>('/roles');
  await waitFor(() => expect(world.reads()).toBe(2));
  late.open();
  await waitFor(() => expect(third.shown()).toBe('roles'));
});

test('a failure is not kept: the next read asks again', async () => {
  let reads = 0;
  await using _world = await makeWorld(() => {
    reads += 1;
    return reads === 1 ? { status: 500, body: { success: false, errors: [{ code: 'INTERNAL', message: 'No.' }] } } : good('roles');
  });
  await expect(read('/roles')).rejects.toThrow('No.');
  expect(await read<string>('/roles')).toBe('roles');
});

test('a change of page ends reads that may be kept, and the next page asks again', async () => {
  const late = makeGate();
  await using world = await makeWorld(async () => {
    await late.wait;
    return good('roles');
  });
  const first = read('/roles');
  await waitFor(() => expect(world.reads()).toBe(1));
  api.cancelPending('Route changed');
  await expect(first).rejects.toThrow('Route changed');
  const second = read<string>('/roles');
  await waitFor(() => expect(world.reads()).toBe(2));
  late.open();
  expect(await second).toBe('roles');
});

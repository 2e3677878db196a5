import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { createHttpClient, fileNameOf, type HttpClientInit } from './client.ts';
import { createRenewal, type RefreshResult } from './renewal.ts';
import { makeGate, startTestServer, type Handler } from './test-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  document.cookie = 'XSRF-TOKEN=; Max-Age=0';
});

async function makeWorld(handler: Handler, init: Partial<HttpClientInit> = {}) {
  const server = await startTestServer(handler);
  const client = createHttpClient({
    baseUrl: '/api',
    renew: () => Promise.resolve(false),
    onScreen: () => undefined,
    ...init,
  });
  return { ...server, client };
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`Expected an ApiError, got ${String(error)}`);
  return error;
}

const good = (data: unknown, meta?: object) => ({ body: { success: true, data, meta } });
const refused = { status: 401, body: { success: false, errors: [{ code: 'UNAUTHORIZED', message: 'Sign in to continue.' }] } };

test('a call carries the cookie, the forgery token, the marker and the client version', async () => {
  await using world = await makeWorld(() => good(1));
  document.cookie = 'XSRF-TOKEN=abc';
  localStorage.setItem('canopy.client_version', '7');
  await world.client.post('/tags', { name: 'ferry' });
  expect(world.seen[0]).toMatchObject({ method: 'POST', path: '/api/tags', body: '{"name":"ferry"}' });
  expect(world.seen[0]?.headers).toMatchObject({
    cookie: 'XSRF-TOKEN=abc',
    'x-xsrf-token': 'abc',
    'x-requested-with': 'XMLHttpRequest',
    'x-client-version': '7',
  });
});

test('a path that names another host stays below our own base', async () => {
  await using world = await makeWorld(() => good(1));
  await world.client.get('//evil.example/x').catch(() => undefined);
  await world.client.get('https://evil.example/x');
  expect(world.seen.map(({ path }) => path)).toEqual(['/api/evil.example/x', '/api/https://evil.example/x']);
});

test('arrays are comma separated, null and empty values are skipped', async () => {
  await using world = await makeWorld(() => good([], { total: 0 }));
  const answer = await world.client.get('/devices', {
    query: { status: [0, 1], 'ne:tag_id': [3], q: '', model: null, empty: [], holes: ['a', null, ''], limit: 10, flag: false },
  });
  expect(world.seen[0]?.search).toBe('?status=0%2C1&ne%3Atag_id=3&holes=a&limit=10&flag=false');
  expect(answer.meta.total).toBe(0);
});

test('twenty calls that meet a 401 at once refresh once, and each is answered [SE1 F6]', async () => {
  let isFresh = false;
  const refreshed = makeGate();
  const renewal = createRenewal(async () => {
    await world.client.post('/account/token/refresh');
    return 'renewed';
  });
  await using world = await makeWorld(
    async ({ path }) => {
      if (path !== '/api/account/token/refresh') return isFresh ? good(path) : refused;
      await refreshed.wait;
      isFresh = true;
      return good(null);
    },
    { renew: (sentAt) => renewal.renew(sentAt) },
  );
  const calls = Array.from({ length: 20 }, (_, index) => world.client.put<string>(`/devices/${index}`, { name: 'x' }));
  await waitFor(() => expect(world.seen).toHaveLength(21));
  refreshed.open();
  expect((await Promise.all(calls)).map(({ data }) => data)).toEqual(calls.map((_, index) => `/api/devices/${index}`));
  expect(world.seen.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(1);
  expect(world.seen.filter(({ path, body }) => path === '/api/devices/3' && body === '{"name":"x"}')).toHaveLength(2);
});

test('a 401 that comes late, after a refresh that began later than the call, is tried again without another refresh', async () => {
  const results: RefreshResult[] = [];
  const renewal = createRenewal(() => {
    results.push('renewed');
    return Promise.resolve('renewed');
  });
  await renewal.renew(Date.now());
  expect(await renewal.renew(Date.now() - 50)).toBe(true);
  expect(results).toHaveLength(1);
});

test('a refused refresh gives the 401 back and says that the session is over', async () => {
  const renewal = createRenewal(() => Promise.resolve('refused'));
  const results: RefreshResult[] = [];
  renewal.on('finished', (result) => results.push(result));
  await using world = await makeWorld(() => refused, { renew: (sentAt) => renewal.renew(sentAt) });
  expect((await failureOf(world.client.get('/user'))).status).toBe(401);
  expect(results).toEqual(['refused']);
  expect(world.seen).toHaveLength(1);
});

test('a wrong password at sign-in is its own answer and refreshes nothing', async () => {
  const renew = vi.fn(() => Promise.resolve(true));
  await using world = await makeWorld(() => refused, { renew });
  expect((await failureOf(world.client.post('/account/login', {}))).code).toBe('UNAUTHORIZED');
  expect(renew).not.toHaveBeenCalled();
});

test('a call is retried once only', async () => {
  await using world = await makeWorld(() => refused, { renew: () => Promise.resolve(true) });
  expect((await failureOf(world.client.get('/devices'))).status).toBe(401);
  expect(world.seen).toHaveLength(2);
});

test('reads with another query do not disturb each other', async () => {
  await using world = await makeWorld(({ search }) => good(search));
  const answers = await Promise.all([
    world.client.get<string>('/devices', { query: { offset: 0 } }),
    world.client.get<string>('/devices', { query: { offset: 50 } }),
  ]);
  expect(answers.map(({ data }) => data)).toEqual(['?offset=0', '?offset=50']);
});

test('a route change cancels reads with its reason, except flagged ones, and lets writes finish', async () => {
  const gate = makeGate();
  await using world = await makeWorld(async ({ path }) => {
    await gate.wait;
    return good(path);
  });
  const read = failureOf(world.client.get('/devices'));
  const flagged = world.client.get<string>('/storage', { survivesRouteChange: true });
  const write = world.client.post<string>('/tags');
  await waitFor(() => expect(world.seen).toHaveLength(3));
  world.client.cancelPending('Route changed');
  expect(await read).toMatchObject({ kind: 'cancelled', message: 'Route changed' });
  gate.open();
  expect((await flagged).data).toBe('/api/storage');
  expect((await write).data).toBe('/api/tags');
});

test('a refusal carries its items, status, meta and request id', async () => {
  const errors = [{ code: 'NAME_TAKEN', message: 'This name is taken.', source: 'name', params: { name: 'ferry' } }];
  await using world = await makeWorld(() => ({
    status: 409,
    headers: { 'x-request-id': 'r-1' },
    body: { success: false, errors, meta: { channel: 'c' } },
  }));
  expect(await failureOf(world.client.post('/tags'))).toMatchObject({
    kind: 'answer',
    status: 409,
    items: errors,
    meta: { channel: 'c' },
    requestId: 'r-1',
    code: 'NAME_TAKEN',
  });
});

test('a partial success is a success with errors', async () => {
  const errors = [{ code: 'NOT_FOUND', message: 'Gone.', source: 'data.1' }];
  await using world = await makeWorld(() => ({ status: 207, body: { success: true, data: { changed: 1 }, errors } }));
  expect(await world.client.put('/devices')).toMatchObject({ status: 207, data: { changed: 1 }, errors });
});

test.each([
  ['HTML of a proxy', { status: 502, body: '<html>Bad gateway</html>' }, 502],
  ['HTML with status 200', { body: '<html>Hello</html>' }, 200],
  ['a failure with status 200', { body: { success: false, errors: [] } }, 200],
  ['a list instead of the envelope', { body: [1, 2] }, 200],
])('%s is a failure without items [FT8]', async (_name, reply, status) => {
  await using world = await makeWorld(() => reply);
  expect(await failureOf(world.client.get('/devices'))).toMatchObject({ kind: 'answer', status, items: [] });
});

test('no answer in time is a time-out with status 408', async () => {
  const never = makeGate();
  await using world = await makeWorld(async () => {
    await never.wait;
    return good(null);
  });
  expect(await failureOf(world.client.get('/user', { timeoutMs: 30 }))).toMatchObject({ kind: 'timeout', status: 408 });
  never.open();
});

test.each([
  ['a text', '78'],
  ['a number', 78],
  ['an answer', false],
  ['nothing', null],
])('a body that is %s goes as JSON', async (_, body) => {
  await using world = await makeWorld(() => good(null));
  await world.client.post('/forms/ops/one/run', body);
  expect(world.seen[0]).toMatchObject({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
});

test('an unreachable server is reported as offline', async () => {
  const world = await makeWorld(() => good(null));
  await world[Symbol.asyncDispose]();
  expect((await failureOf(world.client.get('/devices'))).kind).toBe('offline');
});

test('a write without a network is refused at once and never queued [X5]', async () => {
  await using world = await makeWorld(() => good(null));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect((await failureOf(world.client.post('/devices/actions'))).kind).toBe('offline');
  expect(world.seen).toHaveLength(0);
});

test('a code of the global list shows its screen and is rejected too', async () => {
  const onScreen = vi.fn();
  await using world = await makeWorld(
    () => ({ status: 403, body: { success: false, errors: [{ code: 'MFA_MANDATORY', message: 'x' }] } }),
    {
      onScreen,
    },
  );
  expect((await failureOf(world.client.get('/devices'))).code).toBe('MFA_MANDATORY');
  expect(onScreen).toHaveBeenCalledWith('mfa-mandatory', expect.any(ApiError));
});

test('a file comes with the name that the server gives, and its refusal can be read', async () => {
  await using world = await makeWorld(({ path }) =>
    path.endsWith('csv')
      ? { body: 'a,b', headers: { 'content-disposition': `attachment; filename="x.csv"; filename*=UTF-8''enheter%20%C3%A5.csv` } }
      : { status: 403, body: { success: false, errors: [{ code: 'FORBIDDEN', message: 'No.' }] } },
  );
  const file = await world.client.download('/devices/export/csv');
  expect([file.fileName, await file.blob.text()]).toEqual(['enheter å.csv', 'a,b']);
  expect((await failureOf(world.client.download('/devices/export/other'))).code).toBe('FORBIDDEN');
});

test.each([
  ['attachment; filename="a b.csv"', 'a b.csv'],
  ['attachment; filename=a.csv', 'a.csv'],
  ["attachment; filename*=UTF-8''%E0%A4%A", 'download'],
  ['', 'download'],
])('the file name of %j is %s', (header, name) => {
  expect(fileNameOf(header)).toBe(name);
});

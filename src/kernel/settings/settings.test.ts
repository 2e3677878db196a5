import { expect, test } from 'vitest';
import { createHttpClient } from '../http/client.ts';
import { startTestServer, type Handler } from '../http/test-server.ts';
import { createSettings } from './index.ts';

async function makeWorld(handler: Handler) {
  const server = await startTestServer(handler);
  const client = createHttpClient({ baseUrl: '/api', renew: () => Promise.resolve(false), onScreen: () => undefined });
  const calls = () => server.seen.map(({ method, path, body }) => [method, path, body].filter(Boolean).join(' '));
  return { ...server, calls, settings: createSettings(client) };
}
const stored = [{ key: 'known', value: { wide: true } }];
const answers: Handler = ({ method }) => ({ body: { success: true, data: method === 'GET' ? stored : {} } });

test('settings are loaded once and read from the local copy', async () => {
  await using world = await makeWorld(answers);
  await world.settings.load();
  expect(world.settings.get('known')).toEqual({ wide: true });
  expect(world.seen[0]?.search).toBe('?limit=100');
  expect(world.seen).toHaveLength(1);
});

test('a known setting is changed, an unknown one is made, one call after the other', async () => {
  await using world = await makeWorld(answers);
  await world.settings.load();
  await Promise.all([world.settings.set('known', 1), world.settings.set('new one', 2), world.settings.set('new one', 3)]);
  expect(world.calls().slice(1).toSorted()).toEqual([
    'POST /api/storage {"key":"new one","value":2}',
    'PUT /api/storage/known {"value":1}',
    'PUT /api/storage/new%20one {"value":3}',
  ]);
  expect(world.settings.get('new one')).toBe(3);
});

test('the copy changes only when the server has taken the value', async () => {
  await using world = await makeWorld(({ method }) =>
    method === 'GET' ? { body: { success: true, data: stored } } : { status: 500, body: { success: false, errors: [] } },
  );
  await world.settings.load();
  await expect(world.settings.set('known', 2)).rejects.toThrow('answer');
  expect(world.settings.get('known')).toEqual({ wide: true });
});

test('a removed setting is gone here at once', async () => {
  await using world = await makeWorld(answers);
  await world.settings.load();
  const removal = world.settings.remove('known');
  expect(world.settings.get('known')).toBeUndefined();
  await removal;
  expect(world.calls()[1]).toBe('DELETE /api/storage/known');
});

test('a failed load leaves the defaults', async () => {
  await using world = await makeWorld(() => ({ status: 500, body: 'no' }));
  await world.settings.load();
  expect(world.settings.get('known')).toBeUndefined();
});

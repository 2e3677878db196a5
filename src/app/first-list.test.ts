import { afterEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../engine/form/test-kit.tsx';
import { loadUser } from '../kernel/session/index.ts';
import { prefetchFirstList } from './first-list.ts';

let server: TestServer;
afterEach(() => server.close());

test.each([
  { permissions: [], asked: ['/user'] },
  { permissions: ['view_tags'], asked: ['/user', '/tags'] },
])('the rows of the first list are requested for users who may see them: $permissions', async ({ permissions, asked }) => {
  server = await startTestServer(({ path }) => ({ body: { success: true, data: path === '/user' ? { id: 1, permissions } : [] } }));
  await loadUser();
  await prefetchFirstList({ pathname: '/tags', search: '' });
  expect(server.calls.map(({ path }) => path)).toEqual(asked);
});

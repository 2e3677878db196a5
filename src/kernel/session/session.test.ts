import { expect, test } from 'vitest';
import { api } from '../http/index.ts';
import { startTestServer } from '../http/test-server.ts';
import { keptFor, queryClient, SELDOM_CHANGING_MS } from '../queries.ts';
import { cancelImpersonation, loadUser, revokeSession, signIn, startImpersonation, switchCompany } from './index.ts';

const user = { id: 1, company_id: 1, role_id: 1, act: null, permissions: ['view_roles'] };

async function makeWorld() {
  let reads = 0;
  let who = user;
  const server = await startTestServer(({ path }) => {
    if (path === '/api/roles') return { body: { success: true, data: (reads += 1) } };
    return { body: { success: true, data: path === '/api/user' ? who : null } };
  });
  return {
    ...server,
    read: async () =>
      queryClient.fetchQuery({
        queryKey: ['roles'],
        queryFn: async () => (await api.get<number>('/roles')).data,
        ...keptFor(SELDOM_CHANGING_MS, 'roles'),
      }),
    become: async (next: Partial<typeof user>) => {
      who = { ...who, ...next };
      await loadUser();
    },
  };
}

test.each([
  ['signing out', () => revokeSession()],
  ['signing in', () => signIn('b@fjord.example', 'x')],
  ['changing company', () => switchCompany(2)],
  ['starting an impersonation', () => startImpersonation(3)],
  ['ceasing to', () => cancelImpersonation()],
])('%s forgets every answer that was kept [OP3]', async (_, change) => {
  await using world = await makeWorld();
  const before = await world.read();
  expect(await world.read()).toBe(before);
  await change();
  expect(await world.read()).toBe(before + 1);
});

test('another user, company or set of rights in the same tab forgets them too; the same one keeps them [OP3]', async () => {
  await using world = await makeWorld();
  await world.become({});
  const kept = await world.read();
  await world.become({});
  expect(await world.read()).toBe(kept);
  await world.become({ id: 2 });
  expect(await world.read()).toBe(kept + 1);
  await world.become({ company_id: 2 });
  expect(await world.read()).toBe(kept + 2);
  await world.become({ permissions: [] });
  expect(await world.read()).toBe(kept + 3);
});

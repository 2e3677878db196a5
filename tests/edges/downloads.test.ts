import { afterAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeFile, makeRole, makeTree } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld({ listen: true });
const tree = await makeTree(world);
// More than the network between two ends of this machine holds, so that the rest waits for the reader.
const SIZE = 48 * 1024 * 1024;
const file = await makeFile(world, { company: tree.middle, content: Buffer.alloc(SIZE) });
const root = await as(world, 'super_admin', { company: tree.top });
afterAll(() => world[Symbol.asyncDispose]());

/** Begins a download and reads its first bytes; `rest` reads on and answers how many came, or that it was cut off. */
async function begin(headers: Record<string, string>) {
  const response = await fetch(`${world.url}/api/files/${file.id}/download`, { headers: { ...headers, connection: 'close' } });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  let bytes = (await reader?.read())?.value?.length ?? 0;
  return async (): Promise<number | 'cut off'> => {
    try {
      for (;;) {
        const next = await reader?.read();
        if (next?.value === undefined) return bytes;
        bytes += next.value.length;
      }
    } catch {
      return 'cut off';
    }
  };
}

describe('SE1 downloads that are under way', () => {
  const reader = () => as(world, 'admin', { company: tree.middle });
  const ends: Record<string, (caller: Caller) => Promise<{ status: number }>> = {
    'signing out': (caller) => caller.post('/account/token/revoke'),
    'being disabled': (caller) => root.put(`/users/${caller.user.id}/status`, { disabled: true }),
    'another role': (caller) => root.put(`/users/${caller.user.id}`, { first_name: 'A', last_name: 'B', role_id: 6 }),
    'being removed': (caller) => root.delete(`/users/${caller.user.id}`),
  };

  test.each(Object.keys(ends))('SE1 end with %s, and nobody else’s do', async (how) => {
    const caller = await reader();
    const [rest, other] = [await begin(caller.headers), await begin((await reader()).headers)];
    expect((await ends[how]?.(caller))?.status).toBe(200);
    expect(await rest()).toBe('cut off');
    expect(await other()).toBe(SIZE);
  });

  test('SE1 end when the role loses a right', async () => {
    const role = await makeRole(world, { company: tree.middle, permissions: ['view_files', 'view_tags'] });
    const rest = await begin((await as(world, role, { company: tree.middle })).headers);
    expect((await root.put(`/roles/${role.id}`, { title: 'Less', permission_id: [] })).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });

  test('AC7 of somebody who acts for another end with the consent', async () => {
    const subject = await reader();
    const { headers } = await actFor(world, await as(world, 'admin', { company: tree.top }), subject);
    const rest = await begin(headers);
    expect((await subject.post('/user/revoke-impersonation-access', {})).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });
});

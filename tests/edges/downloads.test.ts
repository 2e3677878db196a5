import { afterAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { makeCompany, makeFile, makeRole, makeTree } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { makeAccessToken, makeServiceAccount } from '../helpers/token-factories.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld({ listen: true });
const tree = await makeTree(world);
// More than the network between two ends of this machine holds, so that the rest waits for the reader.
const SIZE = 48 * 1024 * 1024;
const file = await makeFile(world, { company: tree.middle, content: Buffer.alloc(SIZE) });
const root = await as(world, 'super_admin', { company: tree.top });
afterAll(() => world[Symbol.asyncDispose]());

/** Begins a download and reads its first bytes; `rest` reads on and answers how many came, or that it was cut off. */
async function begin(headers: Record<string, string>, id: number = file.id) {
  const response = await fetch(`${world.url}/api/files/${id}/download`, { headers: { ...headers, connection: 'close' } });
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

describe('downloads that are under way [SE1]', () => {
  const reader = () => as(world, 'admin', { company: tree.middle });
  const ends: Record<string, (caller: Caller) => Promise<{ status: number }>> = {
    'signing out': (caller) => caller.post('/account/token/revoke'),
    'being disabled': (caller) => root.put(`/users/${caller.user.id}/status`, { disabled: true }),
    'another role': (caller) => root.put(`/users/${caller.user.id}`, { first_name: 'A', last_name: 'B', role_id: 6 }),
    'being removed': (caller) => root.delete(`/users/${caller.user.id}`),
  };

  test.each(Object.keys(ends))('end with %s, and nobody else’s do [SE1]', async (how) => {
    const caller = await reader();
    const [rest, other] = [await begin(caller.headers), await begin((await reader()).headers)];
    expect((await ends[how]?.(caller))?.status).toBe(200);
    expect(await rest()).toBe('cut off');
    expect(await other()).toBe(SIZE);
  });

  test('end when the role loses a right [SE1]', async () => {
    const role = await makeRole(world, { company: tree.middle, permissions: ['view_files', 'view_tags'] });
    const rest = await begin((await as(world, role, { company: tree.middle })).headers);
    expect((await root.put(`/roles/${role.id}`, { title: 'Less', permission_id: [] })).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });

  test('of somebody who impersonates another end with the consent [AC7]', async () => {
    const subject = await reader();
    const { headers } = await actFor(world, await as(world, 'admin', { company: tree.top }), subject);
    const rest = await begin(headers);
    expect((await subject.post('/user/revoke-impersonation-access', {})).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });
});

const bearer = (token: { secret: string }) => ({ authorization: `Bearer ${token.secret}` });

describe('downloads of programs that are under way [SE1]', () => {
  const scopes = ['view_files'];

  const ends: Record<string, (caller: Caller, token: { id: number }) => Promise<{ status: number }>> = {
    'its owner revokes the token': (caller, token) => caller.delete(`/account/access-tokens/${token.id}`),
    'an administrator revokes the token': (_caller, token) => root.delete(`/access-tokens/${token.id}`),
    'the owner is disabled': (caller) => root.put(`/users/${caller.user.id}/status`, { disabled: true }),
    'the owner gets another role': (caller) => root.put(`/users/${caller.user.id}`, { first_name: 'A', last_name: 'B', role_id: 6 }),
    'the owner is removed': (caller) => root.delete(`/users/${caller.user.id}`),
  };
  test.each(Object.keys(ends))('end when %s, and those of another token go on [SE1]', async (how) => {
    const caller = await as(world, 'admin', { company: tree.middle });
    const token = await makeAccessToken(world, { user: caller.user, scopes });
    const other = await makeAccessToken(world, { user: (await as(world, 'admin', { company: tree.middle })).user, scopes });
    const [rest, restOfOther] = [await begin(bearer(token)), await begin(bearer(other))];
    expect((await ends[how]?.(caller, token))?.status).toBe(200);
    expect(await rest()).toBe('cut off');
    expect(await restOfOther()).toBe(SIZE);
  });

  test.each<[string, (id: number) => Promise<{ status: number }>]>([
    ['is disabled', (id) => root.put(`/service-accounts/${id}`, { name: 'Robot', role_id: 2, is_disabled: true })],
    ['gets another role', (id) => root.put(`/service-accounts/${id}`, { name: 'Robot', role_id: 6 })],
    ['is removed', (id) => root.delete(`/service-accounts/${id}`)],
  ])('end when the service account %s [SE1]', async (_how, end) => {
    const robot = await makeServiceAccount(world, { company: tree.middle, role: 'admin' });
    const rest = await begin(bearer(await makeAccessToken(world, { user: robot, scopes })));
    expect((await end(robot.id)).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });

  test('end when the role of the owner loses the right [SE1]', async () => {
    const role = await makeRole(world, { company: tree.middle, permissions: ['view_files', 'view_tags'] });
    const { user } = await as(world, role, { company: tree.middle });
    const rest = await begin(bearer(await makeAccessToken(world, { user, scopes })));
    expect((await root.put(`/roles/${role.id}`, { title: 'Fewer', permission_id: [] })).status).toBe(200);
    expect(await rest()).toBe('cut off');
  });

  test('end within 15 s when the token expires, or the right is lost without an event [SE1]', async () => {
    const caller = await as(world, 'admin', { company: tree.middle });
    const brief = await makeAccessToken(world, { user: caller.user, scopes, expires_at: world.clock.now() + 10 * SECOND });
    const narrowed = await makeAccessToken(world, { user: caller.user, scopes });
    const staying = await makeAccessToken(world, { user: caller.user, scopes });
    const rests = [await begin(bearer(brief)), await begin(bearer(narrowed)), await begin(bearer(staying)), await begin(caller.headers)];
    await world.ctx.db.updateTable('access_tokens').set({ scopes: '["view_tags"]' }).where('id', '=', narrowed.id).execute();
    await world.clock.advance(15 * SECOND);
    expect(await Promise.all(rests.map((rest) => rest()))).toEqual(['cut off', 'cut off', SIZE, SIZE]);
  });
});

describe('downloads of a company that moves [SE1]', () => {
  const tokenOf = async (company: { id: number }) =>
    bearer(await makeAccessToken(world, { user: await makeServiceAccount(world, { company, role: 'admin' }), scopes: ['view_files'] }));

  test('end at once for its people and programs and for those of companies that are above it no more; others go on [SE1]', async () => {
    const parent = await makeCompany(world, { parent: tree.top, name: 'Former parent' });
    const target = await makeCompany(world, { parent: tree.top, name: 'New parent' });
    const moved = await makeCompany(world, { parent, name: 'Moved' });
    const own = await makeFile(world, { company: moved, content: Buffer.alloc(SIZE) });
    const readers = [
      (await as(world, 'admin', { company: moved })).headers,
      await tokenOf(moved),
      (await as(world, 'admin', { company: parent })).headers,
      await tokenOf(parent),
      await tokenOf(tree.top),
    ];
    const rests = await Promise.all(readers.map((headers) => begin(headers, own.id)));
    expect((await root.post('/companies/move', { source: moved.id, target: target.id })).status).toBe(200);
    expect(await Promise.all(rests.map((rest) => rest()))).toEqual(['cut off', 'cut off', 'cut off', 'cut off', SIZE]);
  });

  test('end at once for the people and programs of a company that is removed [SE1]', async () => {
    const company = await makeCompany(world, { parent: tree.top, name: 'Removed' });
    const own = await makeFile(world, { company, content: Buffer.alloc(SIZE) });
    const rests = await Promise.all(
      [(await as(world, 'admin', { company })).headers, await tokenOf(company)].map((headers) => begin(headers, own.id)),
    );
    expect((await root.delete(`/companies/${company.id}`, {})).status).toBe(200);
    expect(await Promise.all(rests.map((rest) => rest()))).toEqual(['cut off', 'cut off']);
  });
});

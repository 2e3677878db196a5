import { expect, test } from 'vitest';
import { permissionNames } from '../../schemas/_generated/contract.ts';
import { as, send } from '../helpers/as.ts';
import { makeRole, makeTree } from '../helpers/factories.ts';
import { ORIGIN } from '../helpers/sign-in.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PERSON = { first_name: 'Kari', last_name: 'Nordmann', password: 'a long enough phrase' };
const EMAIL = 'kari@example.org';

const accept = (world: World, body: object) => send(world, 'POST', '/invitations/accept', { body, headers: ORIGIN });

/** An administrator by a role of the company's own, in the company above the one that they invite into. */
async function start() {
  const world = await makeWorld();
  const tree = await makeTree(world);
  const root = await as(world, 'super_admin', { company: tree.foreign });
  const role = await makeRole(world, { company: tree.top, permissions: permissionNames.filter((name) => name !== 'super_admin') });
  const inviter = await as(world, role, { company: tree.middle });
  const guest = await makeRole(world, { company: tree.top });
  const invited = await inviter.post('/users/invite', { company_id: tree.bottom.id, email: EMAIL });
  return { world, tree, root, role, guest, inviter, invited };
}

type Started = Awaited<ReturnType<typeof start>>;

const losses: Record<string, (started: Started) => Promise<{ status: number }>> = {
  'gets another role': ({ root, inviter, guest }) =>
    root.put(`/users/${inviter.user.id}`, { first_name: 'A', last_name: 'B', role_id: guest.id }),
  'loses the right with their role': ({ root, role }) => root.put(`/roles/${role.id}`, { title: 'Less', permission_id: [] }),
  'is disabled': ({ root, inviter }) => root.put(`/users/${inviter.user.id}/status`, { disabled: true }),
  'is removed': ({ root, inviter }) => root.delete(`/users/${inviter.user.id}`),
  'sees the company no more, because it moved': ({ root, tree }) =>
    root.post('/companies/move', { source: tree.bottom.id, target: tree.sibling.id }),
  'is of a company that was removed': ({ root, tree }) => root.delete(`/companies/${tree.middle.id}`),
};

test.each(Object.keys(losses))('an invitation dies when its inviter %s [SE6]', async (how) => {
  const started = await start();
  const { world, invited } = started;
  await using _end = world;
  const token = String(invited.data.url).split('#')[1];
  const unknown = await accept(world, { token: 'nothing', ...PERSON });
  expect((await losses[how]?.(started))?.status).toBe(200);
  const answer = await accept(world, { token, ...PERSON });
  expect([answer.status, answer.text]).toEqual([403, unknown.text]);
  expect(await world.ctx.db.selectFrom('users').select('id').where('email', '=', EMAIL).execute()).toEqual([]);
});

test('an invitation is for its address, company and role: the person who accepts chooses none of them [SE6]', async () => {
  const { world, tree, invited } = await start();
  await using _end = world;
  const token = String(invited.data.url).split('#')[1];
  for (const more of [{ email: 'ola@example.org' }, { company_id: tree.top.id }, { role: 'admin' }, { role_id: 2 }]) {
    const answer = await accept(world, { token, ...PERSON, ...more });
    expect([Object.keys(more), answer.codes]).toEqual([Object.keys(more), ['UNKNOWN_FIELD']]);
  }
  expect((await accept(world, { token, ...PERSON })).status).toBe(200);
  const members = await world.ctx.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['memberships.company_id', 'roles.name'])
    .where('users.email', '=', EMAIL)
    .execute();
  expect(members).toEqual([{ company_id: tree.bottom.id, name: 'read_only' }]);
});

import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeRole, makeTree, makeUser, roleIdOf } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('what a user can see is shown with the role that gives it', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom } = await makeTree(world);
  const role = await makeRole(world, { company: top, permissions: ['view_tags', 'update_tags'], title: 'Tagger' });
  const user = await makeUser(world, { company: middle, role, username: 'Kari Nordmann' });
  const admin = await as(world, 'admin', { company: top });
  expect((await admin.get(`/users/${user.id}/access`)).data).toEqual({
    id: user.id,
    username: 'Kari Nordmann',
    email: user.email,
    places: [
      {
        company_id: middle.id,
        company_name: 'Middle',
        is_disabled: false,
        role_id: role.id,
        role_name: role.name,
        role_title: 'Tagger',
        role_company_name: 'Top',
        scope: 'tree',
        permissions: ['view_tags', 'update_tags'],
        companies_count: 2,
        companies: [
          { id: middle.id, name: 'Middle', level: 2 },
          { id: bottom.id, name: 'Bottom', level: 3 },
        ],
      },
    ],
  });
});

test('the reach of somebody who sees more than the caller is shown as far as the caller sees [AC2]', async () => {
  await using world = await makeWorld();
  const { middle, bottom } = await makeTree(world);
  const user = await makeUser(world, { company: middle, role: 'super_admin' });
  const admin = await as(world, 'admin', { company: middle });
  const { data, text } = await admin.get(`/users/${user.id}/access`);
  expect(data.places[0]).toMatchObject({
    scope: 'all',
    role_id: roleIdOf('super_admin'),
    companies_count: 2,
    permissions: expect.arrayContaining(['delete_devices']),
  });
  expect(data.places[0].companies.map((company: { id: number }) => company.id)).toEqual([middle.id, bottom.id]);
  expect(text).not.toContain('Foreign');
});

test('people who may not see permissions are shown the role only', async () => {
  await using world = await makeWorld();
  const { middle } = await makeTree(world);
  const user = await makeUser(world, { company: middle });
  const caller = await as(world, await makeRole(world, { company: middle, permissions: ['view_users'] }), { company: middle });
  expect((await caller.get(`/users/${user.id}/access`)).data.places).toMatchObject([{ role_title: 'Administrator', permissions: null }]);
});

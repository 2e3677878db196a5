import { describe, expect, test } from 'vitest';
import { as, asUser } from '../helpers/as.ts';
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
    has_second_factor: false,
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

describe('the sessions of a user', () => {
  test('are shown to those who may change users, only in companies that they see, and are ended all at once [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const user = await makeUser(world, { company: middle, role: 'end_user' });
    const signedIn = await asUser(world, user);
    const admin = await as(world, 'admin', { company: middle });
    const { data } = await admin.get(`/users/${user.id}/sessions`);
    expect(data).toMatchObject([{ company_name: 'Middle', ip: expect.any(String), device: expect.any(String) }]);

    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get(`/users/${user.id}/sessions`)).text).toBe((await stranger.get('/users/99999999/sessions')).text);
    expect((await stranger.delete(`/users/${user.id}/sessions`)).status).toBe(404);
    const reader = await as(world, await makeRole(world, { company: middle, permissions: ['view_users'] }), { company: middle });
    expect((await reader.get(`/users/${user.id}/sessions`)).status).toBe(403);
    expect((await signedIn.get('/user')).status).toBe(200);

    expect((await admin.delete(`/users/${user.id}/sessions`)).status).toBe(200);
    expect((await signedIn.get('/user')).status).toBe(401);
    expect((await admin.get(`/users/${user.id}/sessions`)).data).toEqual([]);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'users.end-sessions', entity_name: user.username });
  });

  test('of somebody with more rights are not ended', async () => {
    await using world = await makeWorld();
    const { middle } = await makeTree(world);
    const user = await makeUser(world, { company: middle, role: 'super_admin' });
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.delete(`/users/${user.id}/sessions`)).status).toBe(403);
    expect((await admin.delete(`/users/${admin.user.id}/sessions`)).status).toBe(409);
  });
});

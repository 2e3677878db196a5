import { describe, expect, test } from 'vitest';
import { as, asUser, send } from '../helpers/as.ts';
import { changeMember, makeCompany, makeRole, makeTree, makeUser, PASSWORD, roleIdOf } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const person = { first_name: 'Kari', last_name: 'Nordmann', password: 'a long enough phrase' };

async function count(world: World): Promise<number> {
  return (await world.ctx.db.selectFrom('users').select('id').execute()).length;
}

describe('users', () => {
  test('an administrator adds a user, who signs in', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await admin.post('/users', { ...person, company_id: bottom.id, email: 'Kari@Example.org', role_id: roleIdOf('end_user') });
    expect(made).toMatchObject({
      status: 201,
      data: { username: 'Kari Nordmann', email: 'kari@example.org', role: 'end_user', company_name: 'Bottom' },
    });
    expect(made.text).not.toContain('password');
    const body = { email: 'kari@example.org', password: person.password };
    expect((await send(world, 'POST', '/account/login', { body })).status).toBe(200);
    const [entry] = (await admin.get('/history', { entity: 'user', entity_id: made.data.id, sort: 'created_at' })).data;
    expect(entry).toMatchObject({ action: 'users.new', user_id: admin.user.id, before: null, after: { email: 'kari@example.org' } });
    expect(JSON.stringify(entry)).not.toContain('argon2');
  });

  test('an address that somebody has already is refused at its field, however it is written', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'super_admin');
    await makeUser(world, { email: 'kari@example.org' });
    const answer = await admin.post('/users', { ...person, company_id: admin.user.company_id, email: 'KARI@example.ORG', role_id: 3 });
    expect(answer).toMatchObject({ status: 409, errors: [{ code: 'EMAIL_TAKEN', source: 'email' }] });
  });

  test('nobody gives a role with a permission or a reach that they lack [AC5]', async () => {
    await using world = await makeWorld();
    const { top, foreign } = await makeTree(world);
    const wide = await makeRole(world, { company: top, permissions: ['view_users', 'delete_devices'] });
    const all = await makeRole(world, { company: top, permissions: ['view_tags'], scope: 'all' });
    const theirs = await makeRole(world, { company: foreign, permissions: ['view_tags'] });
    const keeper = await makeRole(world, { company: top, permissions: ['view_users', 'create_users', 'update_users', 'view_tags'] });
    const caller = await as(world, keeper, { company: top });
    const before = await count(world);
    for (const role_id of [roleIdOf('super_admin'), roleIdOf('admin'), wide.id, all.id, theirs.id, 999_999]) {
      const answer = await caller.post('/users', { ...person, company_id: top.id, email: `a${role_id}@example.org`, role_id });
      expect([role_id, answer.status, answer.errors]).toEqual([
        role_id,
        403,
        [expect.objectContaining({ code: 'ROLE_NOT_ALLOWED', source: 'role_id' })],
      ]);
    }
    const colleague = await makeUser(world, { company: top, role: await makeRole(world, { company: top, permissions: ['view_tags'] }) });
    const raised = await caller.put(`/users/${colleague.id}`, { first_name: 'A', last_name: 'B', role_id: wide.id });
    expect(raised.codes).toEqual(['ROLE_NOT_ALLOWED']);
    expect(await count(world)).toBe(before + 1);
  });

  test('the role of a company is for that company and those below it [AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, sibling } = await makeTree(world);
    const role = await makeRole(world, { company: middle, permissions: ['view_tags'] });
    const admin = await as(world, 'admin', { company: top });
    const status = async (company: { id: number }): Promise<number> =>
      (await admin.post('/users', { ...person, company_id: company.id, email: `u${company.id}@example.org`, role_id: role.id })).status;
    expect([await status(middle), await status(bottom), await status(sibling), await status(top)]).toEqual([201, 201, 403, 403]);
  });

  test('nobody changes their own role, status or existence, but their name [AC5]', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'super_admin');
    await makeUser(world, { role: 'super_admin' });
    const { id } = admin.user;
    expect((await admin.put(`/users/${id}`, { first_name: 'A', last_name: 'B', role_id: 2 })).codes).toEqual(['OWN_ACCOUNT']);
    expect((await admin.put(`/users/${id}/status`, { disabled: true })).codes).toEqual(['OWN_ACCOUNT']);
    expect((await admin.delete(`/users/${id}`)).codes).toEqual(['OWN_ACCOUNT']);
    expect(await admin.put(`/users/${id}`, { first_name: 'Ada', last_name: 'B', role_id: admin.user.role_id })).toMatchObject({
      status: 200,
      data: { username: 'Ada B' },
    });
  });

  test('several are disabled and enabled at once; those who cannot be are reported by position and leave the others changed', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const [kari, ola] = [await as(world, 'end_user', { company: middle }), await makeUser(world, { company: top })];
    const stranger = await makeUser(world, { company: foreign });
    const members = [{ id: kari.user.id, company_id: middle.id }, { id: admin.user.id }, { id: stranger.id }, { id: ola.id }];
    const answer = await admin.put('/users/status', { disabled: true, members });
    expect(answer).toMatchObject({
      status: 207,
      data: [
        { id: kari.user.id, is_disabled: true },
        { id: ola.id, is_disabled: true },
      ],
      errors: [
        { code: 'OWN_ACCOUNT', source: 'members.1' },
        { code: 'NOT_FOUND', source: 'members.2' },
      ],
    });
    expect((await kari.get('/user')).status).toBe(401);
    const idsOf = async (status: string) => (await admin.get('/users', { status })).data.map(({ id }: { id: number }) => id).sort();
    expect(await idsOf('disabled')).toEqual([kari.user.id, ola.id].sort());
    expect(await idsOf('enabled')).toEqual([admin.user.id]);
    expect((await admin.put('/users/status', { disabled: false, members: [{ id: kari.user.id }, { id: ola.id }] })).status).toBe(200);
    expect(await idsOf('disabled')).toEqual([]);
    expect((await kari.put('/users/status', { disabled: true, members: [{ id: ola.id }] })).status).toBe(401);
  });

  test('an administrator cannot touch a system administrator of the same company [AC5]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const above = await makeUser(world, { role: 'super_admin', company });
    const admin = await as(world, 'admin', { company });
    expect((await admin.delete(`/users/${above.id}`)).codes).toEqual(['FORBIDDEN']);
    expect((await admin.put(`/users/${above.id}/status`, { disabled: true })).codes).toEqual(['FORBIDDEN']);
    expect((await admin.put(`/users/${above.id}`, { first_name: 'A', last_name: 'B', role_id: 3 })).codes).toEqual(['FORBIDDEN']);
  });

  test('two system administrators who remove each other at once leave one [AC5]', async () => {
    await using world = await makeWorld();
    const first = await as(world, 'super_admin');
    const second = await as(world, 'super_admin');
    const answers = await Promise.all([
      first.put(`/users/${second.user.id}/status`, { disabled: true }),
      second.put(`/users/${first.user.id}/status`, { disabled: true }),
    ]);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const left = await world.ctx.db.selectFrom('memberships').select('user_id').where('disabled_at', 'is', null).execute();
    expect(left).toHaveLength(1);
  });

  test('a system administrator removes others, but never itself, not by a token either [AC5]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const last = await makeUser(world, { role: 'super_admin', company });
    const permissions = ['super_admin', 'update_users', 'delete_users', 'view_users'] as const;
    const other = await as(world, await makeRole(world, { permissions: [...permissions], scope: 'all' }));
    expect((await other.put(`/users/${last.id}/status`, { disabled: true })).status, 'a second one is left').toBe(200);
    const again = await as(world, 'super_admin');
    await changeMember(world, other.user, { disabled_at: 1 });
    const token = (await again.post('/account/access-tokens', { name: 'x', scopes: ['super_admin'], expires_in_days: 1 })).data.token;
    const answer = await send(world, 'DELETE', `/users/${again.user.id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.codes).toEqual(['OWN_ACCOUNT']);
  });

  test('disabling a user ends its sessions at once; enabling lets it sign in again [SE1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const user = await makeUser(world, { role: 'end_user', company });
    const phone = await asUser(world, user);
    expect((await admin.put(`/users/${user.id}/status`, { disabled: true })).data).toMatchObject({ is_disabled: true });
    expect((await phone.get('/user')).status).toBe(401);
    expect((await phone.post('/account/token/refresh')).status).toBe(401);
    const login = () => send(world, 'POST', '/account/login', { body: { email: user.email, password: PASSWORD } });
    expect((await login()).status).toBe(401);
    await admin.put(`/users/${user.id}/status`, { disabled: false });
    expect((await phone.get('/user')).status, 'old sessions stay ended').toBe(401);
    expect((await login()).status).toBe(200);
  });

  test('another role ends the sessions at once [SE1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const user = await as(world, 'admin', { company });
    await admin.put(`/users/${user.user.id}`, { first_name: 'A', last_name: 'B', role_id: roleIdOf('read_only') });
    expect((await user.get('/user')).status).toBe(401);
  });

  test('a removed user is gone with its sessions and tokens; what it did stays in the history', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const user = await as(world, 'admin', { company });
    await user.post('/tags', { company_id: company.id, name: 'by-the-removed' });
    expect((await admin.delete(`/users/${user.user.id}`)).status).toBe(200);
    expect((await user.get('/user')).status).toBe(401);
    expect((await admin.get(`/users/${user.user.id}`)).status).toBe(404);
    const [entry] = (await admin.get('/history', { entity: 'tag' })).data;
    expect(entry).toMatchObject({ user_name: user.user.username, user_id: null });
  });

  test('lists filter by role and company, search and sort', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await makeUser(world, { company: middle, role: 'end_user', username: 'Berit', email: 'berit@example.org' });
    await makeUser(world, { company: middle, role: 'read_only', username: 'Arne', email: 'arne@example.org' });
    const names = async (query: Record<string, string | number>) =>
      (await admin.get('/users', query)).data.map((row: { username: string }) => row.username);
    expect(await names({ role: 'end_user' })).toEqual(['Berit']);
    expect(await names({ company_id: middle.id, sort: 'username' })).toEqual(['Arne', 'Berit']);
    expect(await names({ company_id: middle.id, sort: '-email' })).toEqual(['Berit', 'Arne']);
    expect(await names({ q: 'ARNE@' })).toEqual(['Arne']);
    expect(await names({ role_id: roleIdOf('read_only') })).toEqual(['Arne']);
  });
});

describe('roles', () => {
  test('everybody with the right sees the built-in roles and those of companies in sight; system administrator shows only to those who are', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    await makeRole(world, { company: middle, title: 'Technician' });
    await makeRole(world, { company: foreign, title: 'Foreign' });
    const titles = async (role: 'admin' | 'super_admin', query = {}) =>
      (await (await as(world, role, { company: top })).get('/roles', { limit: 100, ...query })).data.map(
        (row: { title: string }) => row.title,
      );
    expect(await titles('admin')).toEqual(['Administrator', 'Advanced Guest', 'End Client', 'Guest', 'Support', 'Technician']);
    expect(await titles('super_admin')).toContain('System Administrator');
    expect(await titles('admin', { type: 'custom' })).toEqual(['Technician']);
    expect(await titles('admin', { company_id: top.id })).not.toContain('Technician');
    expect(await titles('admin', { company_id: middle.id })).toContain('Technician');
  });

  test('the permissions of a role are listed with their names in words', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const role = await makeRole(world, { company, permissions: ['view_tags', 'create_tags'] });
    const admin = await as(world, 'admin', { company });
    const answer = await admin.get(`/roles/${role.id}/permissions`, { sort: 'name' });
    expect(answer).toMatchObject({
      status: 200,
      meta: { total: 2 },
      data: [{ name: 'create_tags', title: 'Create tags', category: 'Tags' }, { name: 'view_tags' }],
    });
  });
});

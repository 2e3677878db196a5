import { describe, expect, test } from 'vitest';
import { as, asUser, send, type Answer } from '../helpers/as.ts';
import { makeRole, makeTree, makeUser, PASSWORD, roleIdOf } from '../helpers/factories.ts';
import { makeAccessToken, makeServiceAccount } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
const token = (more: object = {}) => ({ name: 'Nightly', scopes: ['tags:read', 'tags:write'], expires_in_days: 30, ...more });

async function callWith(world: World, secret: string, path: string): Promise<Answer> {
  return send(world, 'GET', path, bearer(secret));
}

describe('service accounts', () => {
  test('a program gets an account of its company and a token that works within role and scopes', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const role = await makeRole(world, { company: top, permissions: ['view_tags', 'view_devices', 'create_tags'] });
    const made = await admin.post('/service-accounts', { name: 'Inventory robot', company_id: middle.id, role_id: role.id });
    expect(made).toMatchObject({
      status: 201,
      data: { name: 'Inventory robot', company_name: 'Middle', tokens_count: 0, last_used_at: null },
    });
    const answer = await admin.post(`/service-accounts/${made.data.id}/tokens`, token());
    expect(answer).toMatchObject({ status: 201, data: { scopes: ['tags:read', 'tags:write'], token: expect.stringMatching(/^canopy_/) } });
    const secret = answer.data.token;
    expect((await callWith(world, secret, '/user')).data).toMatchObject({
      username: 'Inventory robot',
      permissions: ['view_tags', 'create_tags'],
    });
    expect((await callWith(world, secret, '/tags')).status).toBe(200);
    expect((await callWith(world, secret, '/devices')).codes).toEqual(['FORBIDDEN']);
    expect((await admin.get('/service-accounts')).data).toMatchObject([{ tokens_count: 1, last_used_at: expect.any(String) }]);
    const [entry] = (await admin.get('/history', { entity: 'service_account', entity_id: made.data.id })).data;
    expect(entry).toMatchObject({ action: 'service-accounts.new', after: { username: 'Inventory robot' } });
  });

  test('nobody signs in as a program, and it is none of the people', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.post('/service-accounts', { name: 'Robot', company_id: top.id, role_id: roleIdOf('read_only') });
    const { email } = await world.ctx.db.selectFrom('users').select('email').where('id', '=', data.id).executeTakeFirstOrThrow();
    for (const password of ['', 'Robot', PASSWORD])
      expect(
        (await send(world, 'POST', '/account/login', { body: { email, password }, headers: { origin: world.ctx.publicUrl() } })).status,
      ).not.toBe(200);
    expect((await admin.get('/users', { q: 'Robot' })).meta['total']).toBe(0);
    expect((await admin.get(`/users/${data.id}`)).status).toBe(404);
    expect((await admin.put(`/users/${data.id}/status`, { disabled: true })).status).toBe(404);
    expect((await admin.get(`/companies/${top.id}`)).data.users_count).toBe(1);
  });

  test('disabled or removed, none of its tokens works', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const robot = await makeServiceAccount(world, { company: top, role: 'end_user' });
    const { secret } = await makeAccessToken(world, { user: robot });
    const edit = { name: 'Robot', role_id: roleIdOf('end_user') };
    expect((await callWith(world, secret, '/devices')).status).toBe(200);
    expect((await admin.put(`/service-accounts/${robot.id}`, { ...edit, is_disabled: true })).data).toMatchObject({ is_disabled: true });
    expect((await callWith(world, secret, '/devices')).status).toBe(401);
    expect((await admin.put(`/service-accounts/${robot.id}`, edit)).data, 'what is not said stays').toMatchObject({ is_disabled: true });
    await admin.put(`/service-accounts/${robot.id}`, { ...edit, is_disabled: false });
    expect((await callWith(world, secret, '/devices')).status).toBe(200);
    expect((await admin.delete(`/service-accounts/${robot.id}`)).status).toBe(200);
    expect((await callWith(world, secret, '/devices')).status).toBe(401);
    expect((await admin.get('/access-tokens')).meta['total']).toBe(0);
  });

  test('nobody makes, changes or equips a program with more than they hold, and none is a system administrator [AC5]', async () => {
    await using world = await makeWorld();
    const { top, foreign } = await makeTree(world);
    const keeper = await as(
      world,
      await makeRole(world, {
        company: top,
        permissions: ['view_service_accounts', 'create_service_accounts', 'update_service_accounts', 'delete_service_accounts'],
      }),
      { company: top },
    );
    const theirs = await makeRole(world, { company: foreign, permissions: [] });
    for (const role_id of [roleIdOf('admin'), roleIdOf('end_user'), theirs.id, 999_999])
      expect((await keeper.post('/service-accounts', { name: 'R', company_id: top.id, role_id })).errors).toMatchObject([
        { code: 'ROLE_NOT_ALLOWED', source: 'role_id' },
      ]);
    const strong = await makeServiceAccount(world, { company: top, role: 'end_user' });
    const edit = { name: 'Mine', role_id: roleIdOf('end_user') };
    expect((await keeper.put(`/service-accounts/${strong.id}`, edit)).codes).toEqual(['FORBIDDEN']);
    expect((await keeper.post(`/service-accounts/${strong.id}/tokens`, token())).codes).toEqual(['FORBIDDEN']);
    expect((await keeper.delete(`/service-accounts/${strong.id}`)).codes).toEqual(['FORBIDDEN']);
    const root = await as(world, 'super_admin', { company: top });
    const body = { name: 'Root', company_id: top.id, role_id: roleIdOf('super_admin') };
    expect((await root.post('/service-accounts', body)).codes).toEqual(['ROLE_NOT_ALLOWED']);
  });

  test('a token has only scopes that the role of its account permits, and is made by a person', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const robot = await makeServiceAccount(world, { company: top, role: 'read_only' });
    const refused = await admin.post(`/service-accounts/${robot.id}/tokens`, token({ scopes: ['devices:read', 'devices:delete'] }));
    expect(refused).toMatchObject({ status: 403, errors: [{ code: 'SCOPE_NOT_IN_ROLE', source: 'scopes.1' }] });
    const own = await makeAccessToken(world, { user: admin.user, scopes: ['service_accounts:write'] });
    const byToken = await send(world, 'POST', `/service-accounts/${robot.id}/tokens`, {
      body: token({ scopes: ['devices:read'] }),
      ...bearer(own.secret),
    });
    expect(byToken.codes).toEqual(['SESSION_REQUIRED']);
  });
});

describe('all tokens of a company', () => {
  test('shows those of people and programs with state, never a secret', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const person = await makeAccessToken(world, {
      user: await makeUser(world, { company: middle, username: 'Kari' }),
      name: 'Old',
      expires_at: 1,
    });
    const program = await makeAccessToken(world, { user: await makeServiceAccount(world, { company: top, name: 'Robot' }), name: 'Fresh' });
    await makeAccessToken(world, { user: await makeUser(world, { company: foreign }) });
    const { data, text, meta } = await admin.get('/access-tokens', { sort: 'name' });
    expect(meta['total']).toBe(2);
    expect(data).toMatchObject([
      { name: 'Fresh', user_name: 'Robot', kind: 'service', company_name: 'Top', state: 'active' },
      { name: 'Old', user_name: 'Kari', kind: 'person', company_name: 'Middle', state: 'expired' },
    ]);
    for (const { secret, token_hash } of [person, program])
      expect([text.includes(secret), text.includes(token_hash)]).toEqual([false, false]);
    const names = async (query: Record<string, string | number>) =>
      (await admin.get('/access-tokens', query)).data.map((row: { name: string }) => row.name);
    expect([
      await names({ kind: 'person' }),
      await names({ state: 'active' }),
      await names({ company_id: middle.id }),
      await names({ q: 'robot' }),
    ]).toEqual([['Old'], ['Fresh'], ['Old'], ['Fresh']]);
  });

  test('a token is revoked at once, unless its owner holds more', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const owner = await asUser(world, await makeUser(world, { company: top, role: 'end_user' }));
    const made = await makeAccessToken(world, { user: owner.user });
    const stronger = await makeAccessToken(world, { user: await makeUser(world, { company: top, role: 'super_admin' }) });
    expect((await admin.delete(`/access-tokens/${stronger.id}`)).codes).toEqual(['FORBIDDEN']);
    expect((await callWith(world, made.secret, '/devices')).status).toBe(200);
    expect((await admin.delete(`/access-tokens/${made.id}`)).status).toBe(200);
    expect((await callWith(world, made.secret, '/devices')).status).toBe(401);
    const [entry] = (await admin.get('/history', { entity: 'access_token', entity_id: made.id })).data;
    expect(entry).toMatchObject({ action: 'access-tokens.remove', user_id: admin.user.id, after: null });
  });
});

test('a scope of one’s own token is the permissions that one holds of it, from one call to the next', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const role = await makeRole(world, {
    company: top,
    permissions: ['view_tags', 'update_tags', 'create_access_tokens', 'view_access_tokens'],
  });
  const owner = await asUser(world, await makeUser(world, { company: top, role }));
  expect((await owner.get('/account/scopes')).data).toMatchObject([
    { name: 'access_tokens:read' },
    { name: 'access_tokens:write' },
    { name: 'tags:read', permissions: ['view_tags'] },
    { name: 'tags:write', permissions: ['update_tags'] },
  ]);
  const refused = await owner.post('/account/access-tokens', token({ scopes: ['devices:read'] }));
  expect(refused.errors).toMatchObject([{ code: 'SCOPE_NOT_HELD', source: 'scopes.0' }]);
  const { data } = await owner.post('/account/access-tokens', token());
  const permissions = async () => (await callWith(world, data.token, '/user')).data.permissions;
  expect(await permissions()).toEqual(['view_tags', 'update_tags']);
  await world.ctx.db.insertInto('role_permissions').values({ role_id: role.id, permission: 'create_tags' }).execute();
  await world.ctx.db.deleteFrom('role_permissions').where('role_id', '=', role.id).where('permission', '=', 'update_tags').execute();
  expect(await permissions()).toEqual(['view_tags', 'create_tags']);
});

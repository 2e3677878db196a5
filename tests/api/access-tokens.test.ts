import { describe, expect, test } from 'vitest';
import { DAY } from '../../server/kernel/clock.ts';
import { as, send, type Answer, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeRole } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

describe('personal access tokens', () => {
  async function makeToken(caller: Caller, scopes: string[]): Promise<Answer> {
    return caller.post('/account/access-tokens', { name: 'Nightly export', scopes, expires_in_days: 30 });
  }
  const bearer = (world: World, token: string, path = '/tags') =>
    send(world, 'GET', path, { headers: { authorization: `Bearer ${token}` } });

  test('a program calls with a token, within its scopes, without a forgery header', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const made = await makeToken(caller, ['view_tags', 'create_tags']);
    expect(made).toMatchObject({ status: 201, data: { name: 'Nightly export', scopes: ['view_tags', 'create_tags'] } });
    const { token } = made.data;
    expect((await bearer(world, token)).status).toBe(200);
    expect((await bearer(world, token, '/companies')).status).toBe(403);
    const created = await send(world, 'POST', '/tags', {
      body: { name: 'from-a-program', company_id: caller.user.company_id },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(created.status).toBe(201);
    const audit = await world.ctx.db.selectFrom('audit').selectAll().where('action', '=', 'tags.new').executeTakeFirstOrThrow();
    expect(audit).toMatchObject({ actor_id: caller.user.id, token_name: 'Nightly export' });
  });

  test('the secret is shown once and stored only as a hash', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { token } = (await makeToken(caller, ['view_tags'])).data;
    const rows = await world.ctx.db.selectFrom('access_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const listed = await caller.get('/account/access-tokens');
    expect(listed.data).toMatchObject([{ token: null, token_hint: token.slice(0, 11), last_used_at: null }]);
    const history = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'access_token').execute();
    expect(JSON.stringify(history)).not.toContain(rows[0]?.token_hash ?? 'never');
    await bearer(world, token);
    expect((await caller.get('/account/access-tokens')).data[0]).toMatchObject({
      last_used_at: '2026-11-02 09:00:00',
      last_used_ip: '127.0.0.1',
    });
  });

  test('nobody gives a token more than they hold', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'end_user');
    for (const scope of ['create_users', 'super_admin', 'no_such_permission']) {
      const answer = await makeToken(caller, ['view_tags', scope]);
      expect(answer).toMatchObject({ status: 403, errors: [{ code: 'SCOPE_NOT_HELD', source: 'scopes.1' }] });
    }
  });

  test('a token has system administrator rights only when it was made with them', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'super_admin');
    const narrow = (await makeToken(caller, ['view_tags'])).data.token;
    expect((await bearer(world, narrow, '/users')).status).toBe(403);
    const wide = (await makeToken(caller, ['super_admin'])).data.token;
    expect((await bearer(world, wide, '/users')).status).toBe(200);
  });

  test('a token makes no tokens', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const { token } = (await makeToken(caller, ['create_access_tokens', 'view_tags'])).data;
    const answer = await send(world, 'POST', '/account/access-tokens', {
      body: { name: 'forever', scopes: ['view_tags'], expires_in_days: 365 },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(403);
  });

  test('a token dies when it expires, is revoked, its owner is disabled, or its role loses the right', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const role = await makeRole(world, { company, permissions: ['view_tags', 'create_access_tokens', 'view_access_tokens'] });
    const caller = await as(world, role, { company });
    const token = async (): Promise<string> => (await makeToken(caller, ['view_tags'])).data.token;

    const revoked = await token();
    const [{ id }] = (await caller.get('/account/access-tokens')).data;
    expect((await caller.delete(`/account/access-tokens/${id}`)).status).toBe(200);
    expect((await bearer(world, revoked)).status).toBe(401);

    const kept = await token();
    await changeMember(world, caller.user, { disabled_at: 1 });
    expect((await bearer(world, kept)).status).toBe(401);
    await changeMember(world, caller.user, { disabled_at: null });
    await world.ctx.db.deleteFrom('role_permissions').where('role_id', '=', role.id).where('permission', '=', 'view_tags').execute();
    expect((await bearer(world, kept)).status).toBe(403);
    await world.clock.jump(31 * DAY);
    expect((await bearer(world, kept)).status).toBe(401);
  });

  test('the token of another user is as unknown as one that never was [AC2]', async () => {
    await using world = await makeWorld();
    const owner = await as(world, 'admin');
    const other = await as(world, 'admin', { company: { id: owner.user.company_id } });
    await makeToken(owner, ['view_tags']);
    const [{ id }] = (await owner.get('/account/access-tokens')).data;
    const foreign = await other.delete(`/account/access-tokens/${id}`);
    const unknown = await other.delete('/account/access-tokens/999999');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await owner.get('/account/access-tokens')).meta['total']).toBe(1);
  });
});

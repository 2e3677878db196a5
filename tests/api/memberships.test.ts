import { describe, expect, test } from 'vitest';
import { HOUR } from '../../server/kernel/clock.ts';
import { insertMembership } from '../../server/kernel/auth/memberships.ts';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { changeMember, makeRole, makeTree, makeUser, PASSWORD, roleIdOf, type RoleChoice } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

function join(world: World, user: { id: number }, company: { id: number }, role: RoleChoice) {
  return insertMembership(world.ctx.db, { userId: user.id, companyId: company.id, roleId: roleIdOf(role), at: world.ctx.clock.now() });
}

/** Somebody who is administrator in one company and guest in another one of the tree. */
async function makePerson(world: World) {
  const tree = await makeTree(world);
  const user = await makeUser(world, { company: tree.middle, role: 'admin' });
  await join(world, user, tree.sibling, 'read_only');
  return { ...tree, user };
}

const companiesOf = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/companies', { limit: 100, sort: 'name' })).data.map((company: { name: string }) => company.name);

describe('several companies', () => {
  test('a session acts in one company, with the role of that one; switching takes effect at once', async () => {
    await using world = await makeWorld();
    const { middle, sibling, user } = await makePerson(world);
    const caller = await asUser(world, user);
    expect((await caller.get('/user')).data).toMatchObject({
      company_id: middle.id,
      role: { name: 'admin' },
      memberships: [
        { company_id: middle.id, role_name: 'admin', role_title: 'Administrator' },
        { company_id: sibling.id, role_name: 'read_only', role_title: 'Guest' },
      ],
    });
    expect(await companiesOf(caller)).toContain(middle.name);
    expect((await caller.post('/user/company', { company_id: sibling.id })).status).toBe(200);
    expect((await caller.get('/user')).data).toMatchObject({ company_id: sibling.id, role: { name: 'read_only' } });
    expect(await companiesOf(caller)).toEqual([sibling.name]);
    expect((await caller.post('/tags', { company_id: sibling.id, name: 'nice' })).codes).toEqual(['FORBIDDEN']);
    expect((await caller.get(`/companies/${middle.id}`)).status).toBe(404);
    const history = await (await as(world, 'admin', { company: sibling })).get('/history', { entity: 'user' });
    const switched = { action: 'account.switch-company', before: null, after: { company_id: sibling.id } };
    expect(history.data).toContainEqual(expect.objectContaining(switched));
  });

  test('refreshing keeps the company, and the next sign-in begins in it', async () => {
    await using world = await makeWorld();
    const { sibling, user } = await makePerson(world);
    const caller = await asUser(world, user);
    await caller.post('/user/company', { company_id: sibling.id });
    expect((await caller.post('/account/token/refresh')).data).toMatchObject({ company_id: sibling.id });
    const body = { email: user.email, password: PASSWORD };
    expect((await send(world, 'POST', '/account/login', { body })).data).toMatchObject({ company_id: sibling.id });
  });

  test('a company that one does not belong to, or is disabled in, is as unknown as none [AC2]', async () => {
    await using world = await makeWorld();
    const { sibling, foreign, user } = await makePerson(world);
    const caller = await asUser(world, user);
    const unknown = await caller.post('/user/company', { company_id: 999_999 });
    expect(unknown).toMatchObject({ status: 404, errors: [{ source: 'company_id' }] });
    expect((await caller.post('/user/company', { company_id: foreign.id })).text).toBe(unknown.text);
    await changeMember(world, { id: user.id, company_id: sibling.id }, { disabled_at: 1 });
    expect((await caller.post('/user/company', { company_id: sibling.id })).text).toBe(unknown.text);
    expect((await caller.get('/user')).data.memberships).toHaveLength(1);
  });

  test('a company lists its members with the role that they have there; filters ask about one and the same company', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, user } = await makePerson(world);
    const admin = await as(world, 'admin', { company: top });
    const find = async (query: Record<string, string | number>) => (await admin.get('/users', { q: user.email, ...query })).data;
    expect(await find({ company_id: middle.id })).toMatchObject([{ id: user.id, role: 'admin', company_id: middle.id }]);
    expect(await find({ company_id: sibling.id })).toMatchObject([{ id: user.id, role: 'read_only', company_id: sibling.id }]);
    expect(await find({ company_id: sibling.id, role: 'admin' })).toEqual([]);
    expect(await find({ role: 'read_only' })).toHaveLength(1);
    expect((await find({}))[0].memberships).toHaveLength(2);
    expect((await admin.get(`/companies/${sibling.id}`)).data).toMatchObject({ users_count: 1 });
  });

  test('a person who sees one of the companies learns nothing of the others [AC2]', async () => {
    await using world = await makeWorld();
    const { sibling, middle, user } = await makePerson(world);
    const admin = await as(world, 'admin', { company: sibling });
    const seen = await admin.get(`/users/${user.id}`);
    expect(seen.data).toMatchObject({ company_id: sibling.id, role: 'read_only', memberships: [{ company_id: sibling.id }] });
    expect(seen.text).not.toContain(middle.name);
    expect((await admin.get('/users', { company_id: middle.id })).data).toEqual([]);
    expect((await admin.get('/users', { role: 'admin', q: user.email })).data).toEqual([]);
  });
});

describe('changing somebody who belongs to several companies', () => {
  test('who sees several of them must say which one is meant', async () => {
    await using world = await makeWorld();
    const { top, sibling, user } = await makePerson(world);
    const admin = await as(world, 'admin', { company: top });
    const needed = { status: 409, errors: [{ code: 'COMPANY_NEEDED', source: 'company_id' }] };
    const names = { first_name: user.first_name, last_name: user.last_name };
    expect(await admin.put(`/users/${user.id}/status`, { disabled: true })).toMatchObject(needed);
    expect(await admin.delete(`/users/${user.id}`)).toMatchObject(needed);
    expect(await admin.put(`/users/${user.id}`, { ...names, role_id: 3 })).toMatchObject(needed);
    expect(await admin.put(`/users/${user.id}`, { ...names, role_id: 3, company_id: sibling.id })).toMatchObject({
      status: 200,
      data: { company_id: sibling.id, role: 'end_user' },
    });
    expect(await admin.delete(`/users/${user.id}`, { company_id: 999_999 })).toMatchObject({ status: 404 });
  });

  test('disabling in one company ends the sessions there and leaves the other company alone [SE1]', async () => {
    await using world = await makeWorld();
    const { sibling, user } = await makePerson(world);
    const [here, there] = [await asUser(world, user), await asUser(world, user)];
    await there.post('/user/company', { company_id: sibling.id });
    const admin = await as(world, 'admin', { company: sibling });
    expect((await admin.put(`/users/${user.id}/status`, { disabled: true })).data).toMatchObject({ is_disabled: true });
    expect([(await here.get('/user')).status, (await there.get('/user')).status]).toEqual([200, 401]);
    const login = await send(world, 'POST', '/account/login', { body: { email: user.email, password: PASSWORD } });
    expect(login.data, 'it begins where it still may').toMatchObject({ company_id: user.company_id });
  });

  test('removing takes the membership with its tokens; the account goes with its last company', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, user } = await makePerson(world);
    const caller = await asUser(world, user);
    await changeMember(world, { id: user.id, company_id: sibling.id }, { role: 'end_user' });
    await caller.post('/user/company', { company_id: sibling.id });
    const made = await caller.post('/account/access-tokens', { name: 'x', scopes: ['view_tags'], expires_in_days: 1 });
    const bearer = { authorization: `Bearer ${made.data.token}` };
    expect((await send(world, 'GET', '/user', { headers: bearer })).data).toMatchObject({ company_id: sibling.id });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.delete(`/users/${user.id}`, { company_id: sibling.id })).status).toBe(200);
    expect((await caller.get('/user')).status).toBe(401);
    expect((await send(world, 'GET', '/user', { headers: bearer })).status).toBe(401);
    const again = await send(world, 'POST', '/account/login', { body: { email: user.email, password: PASSWORD } });
    expect(again.data).toMatchObject({ company_id: middle.id });
    expect((await admin.delete(`/users/${user.id}`)).status).toBe(200);
    expect(await world.ctx.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).toEqual([]);
  });

  test('names and the second factor belong to the account: who does not see all of its companies cannot change them [AC5]', async () => {
    await using world = await makeWorld();
    const { sibling, user } = await makePerson(world);
    const admin = await as(world, 'admin', { company: sibling });
    const renamed = await admin.put(`/users/${user.id}`, { first_name: 'Other', last_name: 'Name', role_id: roleIdOf('read_only') });
    expect(renamed.codes).toEqual(['ACCOUNT_SHARED']);
    expect((await admin.delete('/admin/users/mfa', { email: user.email })).codes).toEqual(['ACCOUNT_SHARED']);
  });

  test('removing by address takes somebody out of the companies in sight only [AC8]', async () => {
    await using world = await makeWorld();
    const { sibling, middle, user } = await makePerson(world);
    const admin = await as(world, 'admin', { company: sibling });
    expect((await admin.delete('/admin/users', { email: user.email })).status).toBe(200);
    const left = await world.ctx.db.selectFrom('memberships').select('company_id').where('user_id', '=', user.id).execute();
    expect(left).toEqual([{ company_id: middle.id }]);
  });
});

describe('inviting an address that has an account', () => {
  test('tells the inviter no more than inviting one that has none: neither the answer, nor the invitation, nor its link [HF9]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const known = await makeUser(world, { company: foreign, email: 'known@example.org' });
    const admin = await as(world, 'admin', { company: middle });
    const body = { first_name: 'Ola', last_name: 'Nordmann', password: 'a long phrase' };
    const seen = async (email: string) => {
      const invited = await admin.post('/users/invite', { company_id: middle.id, email });
      const { data: list } = await admin.get('/users/invitations', { q: email });
      const token = String(invited.data.url).split('#')[1];
      const looked = await send(world, 'POST', '/invitations/look', { body: { token } });
      const texts = [invited.text, JSON.stringify(list), looked.text].map((text) =>
        text.replaceAll(email, 'EMAIL').replaceAll(`"id":${invited.data.id}`, 'ID').replaceAll(String(token), 'TOKEN'),
      );
      return { texts, status: invited.status, token };
    };
    const [existing, fresh] = [await seen(known.email), await seen('fresh@example.org')];
    expect(existing.status).toBe(201);
    expect(existing.texts).toEqual(fresh.texts);
    // Who has the account joins by signing in; the link alone answers as one that is over.
    const refused = await send(world, 'POST', '/invitations/accept', {
      body: { token: existing.token, ...body },
      headers: { origin: world.ctx.publicUrl() },
    });
    const over = await send(world, 'POST', '/invitations/accept', {
      body: { token: 'nothing', ...body },
      headers: { origin: world.ctx.publicUrl() },
    });
    expect([refused.status, refused.text]).toEqual([403, over.text]);
    expect((await (await asUser(world, known)).post('/invitations/join', { token: existing.token })).status).toBe(200);
  });

  test('when a user is added with a password, taken addresses are named a few times an hour only, and then no address is tried [HF9]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const role_id = roleIdOf('end_user');
    const add = (email: string) =>
      admin.post('/users', { company_id: middle.id, email, role_id, first_name: 'Ola', last_name: 'Nordmann', password: 'a long phrase' });
    const people = await Promise.all(Array.from({ length: 10 }, () => makeUser(world, { company: foreign })));
    for (const { email } of people) expect((await add(email)).codes).toEqual(['EMAIL_TAKEN']);
    expect((await add(people[0]?.email ?? '')).codes).toEqual(['TOO_MANY_REQUESTS']);
    expect((await add('fresh@example.org')).codes).toEqual(['TOO_MANY_REQUESTS']);
    await world.clock.jump(HOUR);
    const later = await asUser(world, admin.user);
    const body = {
      company_id: middle.id,
      email: 'fresh@example.org',
      role_id,
      first_name: 'Ola',
      last_name: 'Nordmann',
      password: 'a long phrase',
    };
    expect((await later.post('/users', body)).status).toBe(201);
  });

  test('its owner joins by signing in, once, and acts in the new company then [SE6]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const user = await makeUser(world, { company: foreign, role: 'admin' });
    const admin = await as(world, 'admin', { company: middle });
    const invited = await admin.post('/users/invite', { company_id: middle.id, email: user.email, role: 'end_user' });
    expect(invited.status, 'that the address has an account is not revealed').toBe(201);
    const token = String(invited.data.url).split('#')[1];
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.post('/invitations/join', { token })).codes).toEqual(['INVITATION_REFUSED']);
    const caller = await asUser(world, user);
    const answers = await Promise.all(Array.from({ length: 10 }, () => caller.post('/invitations/join', { token })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await caller.get('/user')).data).toMatchObject({ company_id: middle.id, role: { name: 'end_user' } });
    expect((await caller.get('/user')).data.memberships).toHaveLength(2);
    const again = await admin.post('/users/invite', { company_id: middle.id, email: user.email });
    expect(again).toMatchObject({ status: 409, errors: [{ code: 'EMAIL_TAKEN', source: 'email' }] });
  });
});

describe('a company that moves', () => {
  test('leaves the roles of companies that are above it no more: who held one becomes a guest [AC6]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const role = await makeRole(world, { company: middle, permissions: ['view_tags', 'delete_tags'] });
    const holder = await makeUser(world, { company: bottom, role });
    const keeper = await makeUser(world, { company: bottom, role: 'end_user' });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.post('/companies/move', { source: bottom.id, target: sibling.id })).status).toBe(200);
    const roles = await world.ctx.db
      .selectFrom('memberships')
      .select(['user_id', 'role_id'])
      .where('company_id', '=', bottom.id)
      .orderBy('user_id')
      .execute();
    expect(roles).toEqual([
      { user_id: holder.id, role_id: roleIdOf('read_only') },
      { user_id: keeper.id, role_id: roleIdOf('end_user') },
    ]);
    expect((await admin.get('/history', { entity: 'user', entity_id: holder.id })).data[0]).toMatchObject({
      before: { role_id: role.id },
      after: { role_id: roleIdOf('read_only') },
    });
  });
});

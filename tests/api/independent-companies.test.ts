import { afterAll, describe, expect, test } from 'vitest';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { makeDevice, makeFile, makeRole, makeTag, makeTree, makeUser, PASSWORD, roleIdOf } from '../helpers/factories.ts';
import { makeApplication } from '../helpers/token-factories.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());
const tree = await makeTree(world);
const root = await as(world, 'super_admin', { company: tree.top });

/** A company of its own with an administrator and one of each thing, all named alike. */
async function found(word: string) {
  const { data: company } = await root.post('/companies', { name: `${word} networks` });
  const admin = await asUser(world, await makeUser(world, { role: 'admin', company, username: `${word} admin` }));
  const below = (await admin.post('/companies', { name: `${word} north`, parent_id: company.id })).data;
  const tag = await makeTag(world, { company, name: `${word}-tag` });
  await makeDevice(world, { company: below, name: `${word}-device`, serial: 'SAME-SERIAL', tags: [tag] });
  await makeFile(world, { company, name: `${word}-file`, content: word });
  await makeRole(world, { company, title: `${word} role`, permissions: ['view_tags'] });
  await makeApplication(world, { company, name: `${word} application` });
  return { company, below, admin };
}

/** Everything that a person can read without knowing a number, as one text. */
async function crawl(caller: Caller, text: string): Promise<string> {
  const paths = world.app.routes
    .filter(
      ({ method, path, access, forPrograms }) =>
        method === 'GET' && !path.includes(':') && path.startsWith('/api/') && access !== 'public' && !forPrograms,
    )
    .map(({ path }) => path.slice('/api'.length));
  const answers: string[] = [];
  for (const path of paths) {
    answers.push((await caller.get(path)).text);
    answers.push((await caller.get(path, { q: text })).text);
  }
  expect(answers.length).toBeGreaterThan(100);
  return answers.join('\n');
}

describe('independent companies on one installation', () => {
  test('are made by system administrators only, and have nobody above them', async () => {
    const made = await root.post('/companies', { name: 'Sørnett' });
    expect(made).toMatchObject({ status: 201, data: { level: 1, parent_id: null } });
    const admin = await as(world, 'admin', { company: tree.top });
    expect(await admin.post('/companies', { name: 'Mine' })).toMatchObject({ status: 400, errors: [{ source: 'parent_id' }] });
    expect((await admin.get(`/companies/${made.data.id}`)).status).toBe(404);
    expect((await root.get('/companies', { q: 'Sørnett' })).data).toMatchObject([{ id: made.data.id }]);
    expect((await root.post('/companies/move', { source: made.data.id, target: tree.top.id })).status).toBeGreaterThanOrEqual(400);
  });

  test('come from a distributor invitation that says so, which only a system administrator sends', async () => {
    const admin = await as(world, 'admin', { company: tree.top });
    const wish = { email: 'eier@vestnett.example', is_independent: true };
    expect((await admin.post('/distributors/invitations', wish)).codes).toEqual(['UNKNOWN_FIELD']);
    const { data } = await root.post('/distributors/invitations', wish);
    const token = new URL(data.url).hash.slice(1);
    const accepted = await send(world, 'POST', '/invitations/accept', {
      body: { token, first_name: 'Ada', last_name: 'Vest', password: PASSWORD, company_name: 'Vestnett AS' },
      headers: { origin: world.ctx.publicUrl() },
    });
    expect(accepted.status).toBe(200);
    const row = await world.ctx.db.selectFrom('companies').selectAll().where('name', '=', 'Vestnett AS').executeTakeFirstOrThrow();
    expect(row).toMatchObject({ level: 1, parent_id: null, path: `/${row.id}/` });
    const user = await world.ctx.db.selectFrom('users').selectAll().where('email', '=', wish.email).executeTakeFirstOrThrow();
    expect((await (await asUser(world, user)).get('/companies')).data).toMatchObject([{ id: row.id }]);
  });

  test('share no name, number or word: whatever one of them reads or searches, nothing of another one is in it', async () => {
    const alpha = await found('alphanett');
    const omega = await found('omeganett');
    for (const [own, other] of [
      [alpha, 'omeganett'],
      [omega, 'alphanett'],
    ] as const) {
      const all = (await crawl(own.admin, other)).toLowerCase();
      expect(all.includes(other)).toBe(false);
      expect((await own.admin.get('/devices', { q: 'SAME-SERIAL' })).meta['total']).toBe(1);
    }
    expect(await crawl(root, 'omeganett')).toContain('omeganett');
    const sameName = await alpha.admin.post('/companies', { name: 'omeganett north', parent_id: alpha.company.id });
    expect(sameName.status, 'a name of another tree is free').toBe(201);
    const shared = await alpha.admin.put('/devices/tags', { device_id: [1], tag_id: [1] });
    expect(shared.status).toBeGreaterThanOrEqual(400);
  });
});

describe('inviting with a role', () => {
  test('takes a role that the company made itself, and none of another company or above the inviter', async () => {
    const admin = await as(world, 'admin', { company: tree.middle });
    const own = await makeRole(world, { company: tree.middle, permissions: ['view_tags'] });
    const foreign = await makeRole(world, { company: tree.sibling, permissions: ['view_tags'] });
    const invite = (email: string, role_id: number) => admin.post('/users/invite', { company_id: tree.bottom.id, email, role_id });
    expect((await invite('kari@own.example', own.id)).status).toBe(201);
    expect((await admin.get('/users/invitations', { q: 'kari@own.example' })).data).toMatchObject([{ role_id: own.id }]);
    expect((await invite('kari@foreign.example', foreign.id)).codes).toEqual(['ROLE_NOT_ALLOWED']);
    expect((await invite('kari@root.example', roleIdOf('super_admin'))).codes).toEqual(['ROLE_NOT_ALLOWED']);
    expect((await invite('kari@support.example', roleIdOf('support'))).codes).toEqual(['ROLE_NOT_ALLOWED']);
    expect((await root.post('/users/invite', { company_id: tree.top.id, email: 'sid@support.example', role: 'support' })).status).toBe(201);
  });

  test('roles say whom their holders may invite', async () => {
    const roles = (await root.get('/roles', { type: 'default' })).data as { name: string; can_invite_roles: string[] }[];
    expect(Object.fromEntries(roles.map(({ name, can_invite_roles }) => [name, can_invite_roles.toSorted()]))).toEqual({
      super_admin: ['admin', 'end_user', 'read_only', 'readonly_admin', 'support'],
      admin: ['admin', 'end_user', 'read_only', 'readonly_admin'],
      support: [],
      end_user: [],
      readonly_admin: [],
      read_only: [],
    });
  });

  test('support sees every company, runs actions on devices, and changes nothing', async () => {
    const support = await as(world, 'support', { company: tree.top });
    expect((await support.get(`/companies/${tree.foreign.id}`)).status).toBe(200);
    expect((await support.put(`/companies/${tree.foreign.id}`, { name: 'Taken over' })).status).toBe(403);
    const device = await makeDevice(world, { company: tree.foreign });
    expect((await support.post('/devices/actions', { action: 'reboot', device_id: [device.id] })).status).toBeLessThan(300);
  });
});

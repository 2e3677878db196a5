import { expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeRole, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const basics = { resource: 'devices', query: 'status=offline&sort=-name' };
const namesFor = async (caller: Caller) =>
  (await caller.get('/views', { resource: 'devices', limit: 100 })).data.map((view: { name: string }) => view.name);

test('a view is seen by its maker, by the company, or also by the companies below, as it is shared [T3]', async () => {
  await using world = await makeWorld();
  const { top, middle, sibling, bottom, foreign } = await makeTree(world);
  const maker = await as(world, 'admin', { company: middle });
  const colleague = await as(world, 'read_only', { company: middle });
  await maker.post('/views', { ...basics, name: 'Mine' });
  await maker.post('/views', { ...basics, name: 'Ours', share: 'company', columns: '{"density":"compact"}' });
  await maker.post('/views', { ...basics, name: 'Below', share: 'company', everyone: true });
  await maker.post('/views', { ...basics, name: 'Other list', resource: 'tags' });
  expect(await namesFor(maker)).toEqual(['Below', 'Mine', 'Ours']);
  expect(await namesFor(colleague)).toEqual(['Below', 'Ours']);
  expect(await namesFor(await as(world, 'read_only', { company: bottom }))).toEqual(['Below']);
  for (const company of [top, sibling, foreign]) expect(await namesFor(await as(world, 'admin', { company }))).toEqual([]);
  const [, ours] = (await colleague.get('/views', { resource: 'devices' })).data;
  expect(ours).toMatchObject({
    query: basics.query,
    columns: '{"density":"compact"}',
    share: 'company',
    is_own: false,
    can_edit: false,
    user_name: maker.user.username,
  });
});

test('a system administrator shares with every company of the installation [T3]', async () => {
  await using world = await makeWorld();
  const system = await as(world, 'super_admin');
  await system.post('/views', { ...basics, name: 'For all', share: 'company', everyone: true });
  expect(await namesFor(await as(world, 'read_only', { company: await makeCompany(world) }))).toEqual(['For all']);
});

test('sharing with the companies below needs the right to change companies [T3]', async () => {
  await using world = await makeWorld();
  const guest = await as(world, 'end_user');
  const refused = await guest.post('/views', { ...basics, name: 'Below', share: 'company', everyone: true });
  expect([refused.status, refused.errors[0]?.source]).toEqual([400, 'everyone']);
  expect((await guest.post('/views', { ...basics, name: 'Ours', share: 'company' })).status).toBe(201);
});

test('a view is changed and removed by its maker, and a shared one by who runs the company; others may not, strangers do not see it [T3]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const maker = await as(world, 'end_user', { company });
  const colleague = await as(world, 'end_user', { company });
  const admin = await as(world, 'admin', { company });
  const { id } = (await maker.post('/views', { ...basics, name: 'Ours', share: 'company' })).data;
  const { id: own } = (await maker.post('/views', { ...basics, name: 'Mine' })).data;
  expect((await colleague.put(`/views/${id}`, { name: 'Theirs' })).codes).toEqual(['FORBIDDEN']);
  expect((await colleague.delete(`/views/${id}`, {})).codes).toEqual(['FORBIDDEN']);
  for (const who of [colleague, admin]) expect((await who.delete(`/views/${own}`, {})).status).toBe(404);
  expect((await as(world, 'admin').then((stranger) => stranger.put(`/views/${id}`, { name: 'Theirs' }))).status).toBe(404);
  // What is not given stays; an administrator cannot take a shared view for themselves.
  expect((await admin.put(`/views/${id}`, { name: 'Fleet', share: 'private' })).status).toBe(200);
  expect((await maker.put(`/views/${id}`, { name: 'Fleet', query: 'status=online' })).status).toBe(200);
  const [fleet] = (await colleague.get('/views', { resource: 'devices' })).data;
  expect(fleet).toMatchObject({ name: 'Fleet', query: 'status=online', share: 'company' });
  expect((await admin.delete(`/views/${id}`, {})).status).toBe(200);
  expect(await namesFor(colleague)).toEqual([]);
  const history = await as(world, 'super_admin').then((system) => system.get('/history', { entity_id: id, limit: 10 }));
  expect(history.data.map((row: { action: string }) => row.action)).toEqual(['views.remove', 'views.edit', 'views.edit', 'views.new']);
});

test('views are of lists that one may see, and a shared one stays when its maker leaves [T3]', async () => {
  await using world = await makeWorld();
  const company = await makeCompany(world);
  const maker = await as(world, 'end_user', { company });
  const blind = await as(world, await makeRole(world, { company, permissions: ['view_tags'] }), { company });
  await maker.post('/views', { ...basics, name: 'Ours', share: 'company' });
  await maker.post('/views', { ...basics, name: 'Mine' });
  expect(await namesFor(blind)).toEqual([]);
  expect((await blind.post('/views', { ...basics, name: 'Guess' })).errors[0]?.source).toBe('resource');
  expect((await maker.post('/views', { ...basics, name: 'None', resource: 'nothing' })).errors[0]?.source).toBe('resource');
  expect((await maker.post('/views', { ...basics, name: 'Broken', columns: '[1' })).errors[0]?.source).toBe('columns');
  const admin = await as(world, 'admin', { company });
  expect((await admin.delete(`/users/${maker.user.id}`, { company_id: company.id })).status).toBe(200);
  expect(await namesFor(admin)).toEqual(['Ours']);
  const left = await world.ctx.db.selectFrom('views').select('name').execute();
  expect(left).toEqual([{ name: 'Ours' }]);
});

test('at most a hundred views are kept for a person [T3]', async () => {
  await using world = await makeWorld();
  const maker = await as(world, 'end_user');
  for (let index = 0; index < 100; index += 1) await maker.post('/views', { ...basics, name: `View ${index}` });
  expect((await maker.post('/views', { ...basics, name: 'One more' })).errors[0]?.source).toBe('name');
});

test('a shared view is the default of a role in its company, the nearest one goes first, and only who runs the company says so [T3]', async () => {
  await using world = await makeWorld();
  const { top, middle, foreign } = await makeTree(world);
  const above = await as(world, 'admin', { company: top });
  const admin = await as(world, 'admin', { company: middle });
  const guest = await as(world, 'end_user', { company: middle });
  const defaultsOf = async (caller: Caller) => (await caller.get('/user')).data.default_views;
  const add = async (caller: Caller, name: string, everyone: boolean) =>
    (await caller.post('/views', { ...basics, name, share: 'company', ...(everyone ? { everyone } : {}) })).data.id as number;
  const [general, first, second] = [await add(above, 'General', true), await add(admin, 'First', false), await add(admin, 'Second', false)];
  const default_roles = [(await guest.get('/user')).data.role_id as number];
  expect((await above.put(`/views/${general}`, { name: 'General', share: 'company', everyone: true, default_roles })).status).toBe(200);
  expect(await defaultsOf(guest)).toEqual({ devices: general });
  for (const id of [first, second]) await admin.put(`/views/${id}`, { name: `View ${id}`, share: 'company', default_roles });
  expect(await defaultsOf(guest)).toEqual({ devices: second });
  expect(await defaultsOf(admin)).toEqual({});
  expect(await defaultsOf(await as(world, 'end_user', { company: foreign }))).toEqual({});
  expect((await guest.put(`/views/${await add(guest, 'Theirs', false)}`, { name: 'Theirs', share: 'company', default_roles })).status).toBe(
    400,
  );
  await admin.put(`/views/${second}`, { name: 'Second', share: 'company', default_roles: [] });
  expect(await defaultsOf(guest)).toEqual({ devices: general });
});

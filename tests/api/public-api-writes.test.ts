import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeWorld, type World } from '../helpers/world.ts';

// What programs of the public API send to change things, and what they read of what they made.

let world: World;
let program: Program;
let root: Program;
let console: Caller;
let companyId: number;
let foreignId: number;

beforeAll(async () => {
  world = await makeWorld();
  const { top, foreign } = await makeTree(world);
  companyId = top.id;
  foreignId = foreign.id;
  program = await asProgram(world, 'admin', { company: top });
  root = await asProgram(world, 'super_admin', { company: top });
  console = await as(world, 'admin', { company: top });
  await root.post('/credits', paid(companyId, 20));
});
afterAll(() => world[Symbol.asyncDispose]());

test('credits are given to devices in the documented way: a list, flags as 0 and 1, and 201', async () => {
  const [one, two] = [await makeDevice(world, { company: { id: companyId } }), await makeDevice(world, { company: { id: companyId } })];
  const credit = { auto_extend_credit: 1, credit_enabled: 1, credit_type_id: 2 };
  const given = await program.put('/devices/credit', { data: [one, two].map(({ id }) => ({ device_id: id, ...credit })) });
  expect(given).toMatchObject({ status: 201, meta: { channel: expect.any(String), count: 2 } });
  await world.ctx.jobs.settled();
  const held = async (id: number) => (await program.get('/credits/devices', { device_id: id })).data;
  for (const { id } of [one, two]) expect(await held(id)).toMatchObject([{ credit_type_id: 2, auto_extend_credit: true }]);
  const off = { auto_extend_credit: 0, credit_enabled: 0, credit_type_id: 2 };
  expect((await program.put('/devices/credit', { data: [{ device_id: one.id, ...off }] })).status).toBe(201);
  await world.ctx.jobs.settled();
  expect((await held(one.id))[0]).toMatchObject({ auto_extend_credit: false });
  const mixed = await program.put('/devices/credit', {
    data: [
      { device_id: one.id, ...off },
      { device_id: two.id, ...credit },
    ],
  });
  expect(mixed).toMatchObject({ status: 422, errors: [{ source: 'data' }] });
  expect((await program.put('/devices/credit', { data: [{ device_id: one.id, ...credit, credit_enabled: 2 }] })).status).toBe(422);
  const flat = { device_id: [two.id], credit_enabled: true, credit_type_id: 2, auto_extend_credit: true };
  expect((await program.put('/devices/credit', flat)).status).toBe(201);
  await world.ctx.jobs.settled();
  expect((await console.put('/devices/credit', flat)).status).toBe(200);
  expect((await console.put('/devices/credit', { ...flat, credit_enabled: 1 })).status).toBe(400);
});

test('a code is made of the own credits whether or not the company is named, and of those of others by system administrators alone', async () => {
  const code = { amount: 1, credit_type_name: 'credit' };
  for (const caller of [root, program])
    for (const body of [code, { ...code, company_id: companyId }])
      expect(await caller.post('/credits/codes', body)).toMatchObject({ status: 201, meta: { credit_code: expect.any(String) } });
  const foreign = await program.post('/credits/codes', { ...code, company_id: foreignId });
  expect(foreign).toMatchObject({ status: 422, errors: [{ code: 'UNKNOWN_FIELD', source: 'company_id' }] });
  expect((await console.post('/credits/codes', { ...code, company_id: companyId })).status).toBe(400);
});

test('credits are moved from the own company where no other is named', async () => {
  const child = (await program.post('/companies', { name: 'Quay', parent_id: companyId })).data;
  const body = { amount: 1, credit_type_name: 'credit' };
  expect((await program.post('/credits/move', { ...body, target: child.id })).status).toBe(200);
  expect((await program.get('/credits', { company_id: child.id })).data).toMatchObject([{ credit_left: 1 }]);
  expect((await program.post('/credits/move', { ...body, source: child.id })).status).toBe(200);
  expect((await program.post('/credits/move', body)).errors).toMatchObject([{ code: 'SAME_PLACE' }]);
  expect((await program.post('/credits/move', { ...body, target: foreignId })).errors).toMatchObject([
    { code: 'NOT_FOUND', source: 'target' },
  ]);
  expect((await console.post('/credits/move', { ...body, target: child.id })).status).toBe(400);
});

test('a device is changed by what is sent, in both forms, its tags too', async () => {
  const device = await makeDevice(world, { company: { id: companyId }, name: 'ferry 1' });
  const tag = await makeTag(world, { company: { id: companyId }, name: 'ferries' });
  const read = async () => (await program.get(`/devices/${device.id}`, { fields: 'name,description,tags' })).data;
  expect((await program.put(`/devices/${device.id}`, { description: 'x' })).status).toBe(200);
  expect(await read()).toMatchObject({ name: 'ferry 1', description: 'x', tags: [] });
  const edited = await program.put(`/devices/${device.id}`, { name: 'n', tag_id: [tag.id], vpn_monitoring: 60 });
  expect([edited.status, edited.headers['warning']]).toEqual([200, '299 - "Unknown field ignored: vpn_monitoring"']);
  expect(await read()).toMatchObject({ name: 'n', tags: [{ id: tag.id }] });
  const bulk = await program.put('/devices', {
    data: [{ id: device.id, tag_id: [], password_confirmation: 'x', user_set_latitude: 1, user_set_longitude: 2 }],
  });
  expect(bulk.status).toBe(201);
  expect(await read()).toMatchObject({ name: 'n', description: 'x', tags: [] });
  expect((await console.put('/devices', { data: [{ id: device.id, name: 'm' }] })).status).toBe(200);
});

test('tags of an edit are those that the caller sees and may change, and nothing is changed without [AC2]', async () => {
  const device = await makeDevice(world, { company: { id: companyId }, name: 'pilot boat' });
  const foreign = await makeTag(world, { company: { id: foreignId }, name: 'foreign' });
  const own = await makeTag(world, { company: { id: companyId }, name: 'boats' });
  const missing = await program.put('/devices', { data: [{ id: device.id, name: 'changed', tag_id: [foreign.id] }] });
  expect(missing.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'data.0.tag_id.0' }]);
  const narrow = await asProgram(world, 'admin', { company: { id: companyId }, scopes: ['view_devices', 'update_devices'] });
  expect((await narrow.put(`/devices/${device.id}`, { name: 'changed', tag_id: [own.id] })).status).toBe(403);
  expect((await program.get(`/devices/${device.id}`)).data).toMatchObject({ name: 'pilot boat', tags: [] });
});

test('the current user is answered flat and in data, with the token that calls', async () => {
  const answer = await program.get('/user');
  const flat = JSON.parse(answer.text);
  expect(flat).toMatchObject({
    success: true,
    email: program.user.email,
    company: { id: companyId },
    scope: expect.arrayContaining(['view_devices']),
    token: { jti: String(program.token.id), sub: String(program.user.id), first_party: false },
    terms_conditions: true,
    avatar_path: null,
  });
  expect(answer.data).toMatchObject({ email: program.user.email, role: { name: 'admin' } });
  expect(answer.text).not.toContain(program.token.secret);
  expect(JSON.parse((await console.get('/user')).text)).not.toHaveProperty('email');
});

test('what a program makes is answered as the record', async () => {
  const tag = await program.post('/tags', { name: 'tfe', company_id: companyId, description: '' });
  expect(tag).toMatchObject({ status: 201, data: { name: 'tfe', company_id: companyId } });
  const company = await program.post('/companies', { name: 'Pier', parent_id: companyId });
  expect(company).toMatchObject({ status: 201, data: { name: 'Pier', parent_id: companyId } });
  const server = {
    name: 'Post',
    host: 'smtp.nordic.example',
    port: 587,
    email: 'post@nordic.example',
    username: 'post',
    password: 'secret',
  };
  const mail = await program.post('/email-configurations', server);
  expect(mail).toMatchObject({ status: 201, data: { name: 'Post', host: server.host, port: 587, username: 'post' } });
  expect(mail.text).not.toContain('secret');
  const permissions = (await program.get('/permissions', { limit: 100 })).data;
  const view = permissions.find(({ name }: { name: string }) => name === 'view_devices').id;
  const role = await program.post('/roles', { title: 'Viewer', description: '', company_id: [companyId], permission_id: [view] });
  expect(role).toMatchObject({ status: 200, data: { title: 'Viewer', company_id: companyId } });
  const edited = await program.put(`/roles/${role.data.id}`, { id: role.data.id, description: 'Sees' });
  expect(edited.errors).toEqual([]);
  expect(edited).toMatchObject({ status: 200, data: { title: 'Viewer', description: 'Sees' } });
});

test('a company is changed by what is sent, and an empty address takes it away', async () => {
  const { data } = await program.post('/companies', { name: 'Wharf', parent_id: companyId });
  const change = async (body: object) => (await program.put(`/companies/${data.id}`, body)).data;
  expect(await change({ email: 'post@wharf.example' })).toMatchObject({ name: 'Wharf', email: 'post@wharf.example' });
  expect(await change({ name: 'Wharves' })).toMatchObject({ name: 'Wharves', email: 'post@wharf.example' });
  expect(await change({ name: 'Wharves', email: '' })).toMatchObject({ email: null });
  expect((await program.put(`/companies/${data.id}`, { email: 'nobody' })).errors).toMatchObject([{ source: 'email' }]);
});

test('a code keeps its comment when nothing is sent', async () => {
  await program.post('/credits/codes', { amount: 1, credit_type_name: 'credit', comment: 'For the quay' });
  const [code] = (await program.get('/credits/codes', { q: 'quay' })).data;
  expect((await program.put(`/credits/codes/${code.id}`, {})).status).toBe(200);
  expect((await program.get(`/credits/codes/${code.id}`)).data.comment).toBe('For the quay');
});

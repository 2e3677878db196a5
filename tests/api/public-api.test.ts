import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCode, paid } from '../helpers/credits.ts';
import { makeTag, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

// What programs written for the public API send and read (docs/behaviour.md section 7).

test('people and invitations are filtered by the number of a role as by its name', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await makeUser(world, { company: top, role: 'end_user' });
  await admin.post('/users/invite', { company_id: top.id, email: 'ola@nordic.example', role: 'end_user' });
  await admin.post('/users/invite', { company_id: top.id, email: 'kari@nordic.example', role: 'read_only' });
  for (const list of ['/users', '/users/invitations']) {
    const byName = (await admin.get(list, { role: 'end_user' })).data;
    expect(byName.map((row: { role: string }) => row.role)).toEqual(['end_user']);
    expect((await admin.get(list, { role: byName[0].role_id })).data).toEqual(byName);
    expect((await admin.get(list, { role: 987654 })).data).toEqual([]);
  }
});

test('the permissions of a role come all at once unless a page is asked for', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'admin');
  const { data, meta } = await admin.get(`/roles/${admin.user.role_id}/permissions`);
  expect(data.length).toBe(meta['total']);
  expect(data.length).toBeGreaterThan(10);
  expect((await admin.get(`/roles/${admin.user.role_id}/permissions`, { limit: 10 })).data).toEqual(data.slice(0, 10));
});

test('resources, their codes and their histories are searched by company, as far as the caller sees [AC2]', async () => {
  await using world = await makeWorld();
  const { top, middle, foreign } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  for (const { id } of [middle, foreign]) {
    await root.post('/credits', paid(id, 10));
    await makeCode(root, id, 1);
    await root.post('/companies/data', { company_id: id, credits: 2 });
  }
  const admin = await as(world, 'admin', { company: top });
  for (const list of ['/credits', '/credits/codes', '/credits/history', '/companies/data/history']) {
    const found = await admin.get(list, { q: 'middl' });
    expect([list, found.meta['total']]).toEqual([list, found.data.length]);
    expect(found.data.length).toBeGreaterThan(0);
    for (const row of found.data) expect(row.company_name ?? row.company).toBe('Middle');
    expect([list, (await admin.get(list, { q: 'foreig' })).data]).toEqual([list, []]);
  }
});

test('an activated code says who took it, and a pool since when it is there', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(top.id, 10));
  const { code } = await makeCode(root, top.id, 3);
  const taker = await as(world, 'admin', { company: middle });
  expect((await taker.post('/credits/codes/activate', { code })).meta).toEqual({ amount: 3 });
  expect((await root.get('/credits/codes')).data[0]).toMatchObject({ used_by_user_id: taker.user.id, used_by_company_id: middle.id });
  const [pool] = (await root.get('/credits', { company_id: top.id })).data;
  expect(pool.assigned_at).toBe(pool.updated_at);
});

test('a tag is changed by what is sent, also without its name', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const tag = await makeTag(world, { company: top, name: 'ferry' });
  expect(await admin.put(`/tags/${tag.id}`, { description: 'By the quay' })).toMatchObject({
    status: 200,
    data: { name: 'ferry', description: 'By the quay' },
  });
  expect((await admin.put(`/tags/${tag.id}`, { name: '' })).errors).toMatchObject([{ source: 'name' }]);
});

test('a mail server is kept for the own company and changed by what is sent, its password asked for again with another host [IN8]', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const server = {
    name: 'Post',
    host: 'smtp.nordic.example',
    port: 587,
    email: 'post@nordic.example',
    username: 'post',
    password: 'secret',
  };
  expect((await admin.post('/email-configurations', server)).status).toBe(201);
  const [kept] = (await admin.get('/email-configurations', { q: 'post@' })).data;
  expect(kept).toMatchObject({ company_id: top.id, security: 'starttls', username: 'post' });
  expect((await admin.put(`/email-configurations/${kept.id}`, { name: 'Mail' })).status).toBe(200);
  expect((await admin.get(`/email-configurations/${kept.id}`)).data).toEqual({ ...kept, name: 'Mail' });
  expect((await admin.put(`/email-configurations/${kept.id}`, { host: 'evil.example' })).errors).toMatchObject([{ source: 'password' }]);
});

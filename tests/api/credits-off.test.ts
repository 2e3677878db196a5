import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const CREDIT_RIGHTS = /credit|company_data/;

test('where nothing is sold, calls, rights and permissions of credits are gone', async () => {
  await using world = await makeWorld({ config: { hasResources: false } });
  const { top } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  const never = await root.get('/never-was');
  for (const path of ['/credits', '/credits/codes', '/credits/history', '/credits/summary', '/credits/types', '/companies/data/history'])
    expect([path, (await root.get(path)).codes]).toEqual([path, never.codes]);
  expect((await root.post('/credits', {})).status).toBe(404);
  const user = (await root.get('/user')).data;
  expect(user).toMatchObject({ show_payment: false, show_payment_control: false });
  expect(user.permissions.filter((name: string) => CREDIT_RIGHTS.test(name))).toEqual([]);
  const known = (await root.get('/permissions', { limit: 100 })).data.map((row: { name: string }) => row.name);
  expect(known).toContain('view_devices');
  expect(known.filter((name: string) => CREDIT_RIGHTS.test(name))).toEqual([]);
});

test('a look that shows no data and resources takes them from everybody below but system administrators; a code is activated still', async () => {
  await using world = await makeWorld();
  const { top, middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const below = await as(world, 'admin', { company: middle });
  expect((await below.get('/credits')).status).toBe(200);
  await admin.put(`/themes/${top.id}`, { app_name: 'Fleet' });
  expect((await below.get('/credits')).status).toBe(200);
  await admin.put(`/themes/${top.id}`, { show_data: false });
  for (const path of ['/credits', '/credits/holdings', '/credits/summary', '/credits/codes', '/credits/devices', '/companies/data/history'])
    expect([path, (await below.get(path)).status]).toEqual([path, 403]);
  const { permissions } = (await below.get('/user')).data;
  expect(permissions.filter((name: string) => CREDIT_RIGHTS.test(name))).toEqual(['activate_credit_transfer_codes']);
  expect((await (await as(world, 'admin', { company: foreign })).get('/credits')).status).toBe(200);
  expect((await (await as(world, 'super_admin', { company: top })).get('/credits')).status).toBe(200);
});

test('a top-level company says which companies below are shown where resources are bought, and nobody further down does [AC5]', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await admin.put(`/themes/${top.id}`, { default: true, show_payment: true, buy_link: 'https://shop.example' });
  const below = await as(world, 'admin', { company: middle });
  const isShown = async (company: { id: number }) => (await (await as(world, 'read_only', { company })).get('/user')).data.show_payment;
  expect([await isShown(top), await isShown(middle), await isShown(bottom)]).toEqual([true, true, true]);
  const flags = { can_use_parent_license: false, show_payment: false };
  expect((await below.put(`/companies/${bottom.id}/flags`, flags)).codes).toEqual(['UNKNOWN_FIELD']);
  expect((await admin.put(`/companies/${middle.id}/flags`, flags)).data).toMatchObject({ show_payment: false });
  expect([await isShown(top), await isShown(middle), await isShown(bottom)]).toEqual([true, false, false]);
  const made = await admin.post('/companies', { name: 'Quiet one', parent_id: top.id, show_payment: false });
  expect(await isShown(made.data)).toBe(false);
  const { id } = (await admin.get('/history')).data.find((row: { action: string }) => row.action === 'companies.flags');
  expect((await below.post(`/history/${id}/undo`, {})).status).toBe(403);
  expect((await admin.post(`/history/${id}/undo`, {})).status).toBe(200);
  expect(await isShown(bottom)).toBe(true);
});

test('what is bought is controlled at the top of a tree', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  for (const [company, hasControl] of [
    [top, true],
    [middle, false],
  ] as const) {
    const admin = await as(world, 'admin', { company });
    expect((await admin.get('/user')).data).toMatchObject({ show_payment: false, show_payment_control: hasControl });
  }
});

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

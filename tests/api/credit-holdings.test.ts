import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { move, paid } from '../helpers/credits.ts';
import { makeRole, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const GB = 1024 ** 3;

test('who holds what: each company itself, and together with all below it', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, sibling } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(top.id, 20));
  await root.post('/credits/move', move(top.id, middle.id, 8));
  await root.post('/credits/move', move(middle.id, bottom.id, 3));
  await root.post('/credits', { ...paid(bottom.id, 2), credit_type_id: 10 });
  await root.post('/credits', { credit_type_id: 1, credit_count: 5, company_id: sibling.id });
  await root.post('/companies/data', { company_id: bottom.id, credits: '1' });

  const admin = await as(world, 'admin', { company: top });
  const { data, meta } = await admin.get('/credits/holdings', { sort: '-credits_left' });
  expect(meta['total']).toBe(data.length);
  const of = (company: { id: number }) => data.find((row: { company_id: number }) => row.company_id === company.id);
  expect(of(top)).toMatchObject({
    credits_left: 12,
    credits_below: 24,
    packs_left: 0,
    packs_below: 2,
    remaining_data: 0,
    data_below: 2 * GB,
  });
  expect(of(middle)).toMatchObject({ credits_left: 5, credits_below: 7, packs_left: 0, packs_below: 2 });
  expect(of(bottom)).toMatchObject({
    credits_left: 2,
    credits_below: 2,
    packs_left: 2,
    packs_below: 2,
    remaining_data: 2 * GB,
    data_below: 2 * GB,
  });
  expect(data[0].company_id).toBe(top.id);
  const below = await admin.get('/credits/holdings', { parent_id: top.id });
  expect(below.data.map((row: { company_id: number }) => row.company_id).toSorted()).toEqual([middle.id, sibling.id].toSorted());
});

test('who holds what: nobody learns of companies outside their own tree', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, foreign } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  for (const company of [top, middle, bottom, foreign]) await root.post('/credits', paid(company.id, 4));
  const seenBy = async (company: { id: number }) =>
    (await (await as(world, 'admin', { company })).get('/credits/holdings')).data
      .map((row: { company_id: number }) => row.company_id)
      .toSorted();
  expect(await seenBy(middle)).toEqual([middle.id, bottom.id].toSorted());
  expect(await seenBy(foreign)).toEqual([foreign.id]);
  const inMiddle = await (await as(world, 'admin', { company: middle })).get('/credits/holdings', { id: middle.id });
  expect(inMiddle.data).toMatchObject([{ credits_left: 4, credits_below: 8 }]);
});

test('a company says what it has itself, to who may see credits and who may see data', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(middle.id, 5));
  await root.post('/companies/data', { company_id: middle.id, credits: '1' });
  const has = { credits_left: 4, packs_left: 0, remaining_data: 2 * GB };
  expect((await root.get(`/companies/${middle.id}`)).data).toMatchObject(has);
  expect((await root.get('/companies', { id: middle.id })).data).toMatchObject([has]);
  const role = await makeRole(world, { company: top, permissions: ['view_companies', 'view_credits'] });
  const reader = await as(world, role, { company: top });
  const { data } = await reader.get(`/companies/${middle.id}`);
  expect(data).toMatchObject({ credits_left: 4, packs_left: 0 });
  expect(data).not.toHaveProperty('remaining_data');
});

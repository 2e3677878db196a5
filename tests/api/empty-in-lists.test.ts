import { expect, test } from 'vitest';
import { makeCompany } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('a query for one of no values finds nothing, and one for none of no values finds everything', async () => {
  await using world = await makeWorld();
  await makeCompany(world);
  for (const db of [world.ctx.db, world.ctx.reads]) {
    const companies = db.selectFrom('companies').select('id');
    const all = await companies.execute();
    expect(all.length).toBeGreaterThan(0);
    expect(await companies.where('id', 'in', []).execute()).toEqual([]);
    expect(await companies.where('id', 'not in', []).execute()).toEqual(all);
  }
});

import { expect, test } from 'vitest';
import lookupsFile from '../../schemas/lookups.json' with { type: 'json' };
import { LOOKUP_PAGE } from '../../src/engine/form/lookup.ts';
import { as } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

test('every list that fields choose from answers what such a field asks', async () => {
  await using world = await makeWorld();
  const caller = await as(world, 'super_admin', { company: await makeCompany(world) });
  const refused: string[] = [];
  for (const [name, entry] of Object.entries(lookupsFile.lookups)) {
    const fixed: Record<string, string> = 'params' in entry ? entry.params : {};
    const { status, errors } = await caller.get(entry.path, { ...fixed, limit: LOOKUP_PAGE, offset: 0, q: 'a' });
    if (status !== 200) refused.push(`${name}: ${status} ${JSON.stringify(errors)}`);
  }
  expect(refused).toEqual([]);
});

import { expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { as } from '../helpers/as.ts';
import { makeWorld } from '../helpers/world.ts';

/** Where lists are read that have an address of the same name. */
const entries: readonly ResourceEntry[] = resources;
const lists = entries.flatMap((resource) => (resource.table?.isSearchable === true ? [resource.name] : [])).toSorted();

test('every list whose page has a search box can be searched', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'super_admin');
  const answers = await Promise.all(lists.map(async (name) => [name, (await admin.get(`/${name}`, { q: 'quay' })).status]));
  expect(answers.filter(([, status]) => status !== 200 && status !== 404)).toEqual([]);
  expect(answers.filter(([, status]) => status === 200).length).toBeGreaterThan(5);
});

import { expect, test } from 'vitest';
import type { UserRow } from '../../server/features/users/present.ts';
import { as } from '../helpers/as.ts';
import { makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const NAMES = Array.from({ length: 24 }, (_, index) => `Ingrid ${String.fromCodePoint(97 + ((index * 7) % 24))}`);

test('a search that most people match finds them in order and counts them, as one that few match does; whom nobody sees is left out', async () => {
  await using world = await makeWorld();
  const { top, middle, sibling } = await makeTree(world);
  for (const [index, username] of NAMES.entries()) await makeUser(world, { username, company: index % 2 === 0 ? top : sibling });
  await makeUser(world, { username: 'Ingrid gone', company: middle });
  const both = await makeUser(world, { username: 'Ingrid both', company: middle });
  const at = world.clock.now();
  await world.ctx.db
    .insertInto('memberships')
    .values({ user_id: both.id, company_id: top.id, role_id: both.role_id, created_at: at, updated_at: at })
    .execute();
  await world.ctx.db
    .updateTable('companies')
    .set({ path: `-${middle.id}${middle.path}`, removed_at: at })
    .where('id', '=', middle.id)
    .execute();
  const expected = [...NAMES, 'Ingrid both'].toSorted();
  for (const role of ['super_admin', 'admin'] as const) {
    const reader = await as(world, role, { company: top });
    const page = (offset: number, q = 'ingrid') => reader.get('/users', { q, sort: 'username', limit: '5', offset: String(offset) });
    const namesOf = ({ data }: Awaited<ReturnType<typeof page>>) => data.map((user: UserRow) => user.username);
    for (const offset of [0, 5, 20]) {
      const answer = await page(offset);
      expect(namesOf(answer)).toEqual(expected.slice(offset, offset + 5));
      expect(answer.meta['total']).toBe(25);
    }
    expect(namesOf(await page(0, 'ingrid b'))).toEqual(['Ingrid b', 'Ingrid both']);
    expect((await page(0, 'in')).meta['total']).toBe(25);
  }
});

import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { as, type Caller } from '../helpers/as.ts';
import { move, paid } from '../helpers/credits.ts';
import { makeCompany, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const DAY = 86_400_000;

/** All that a history lists, put together from pages that overlap nowhere. */
async function readAll(caller: Caller, path: string, sort: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { data, meta } = await caller.get(path, { limit: 2, offset: ids.length, sort });
    if (data.length === 0) {
      expect(meta['total'], `${path} ${sort}`).toBe(ids.length);
      return ids;
    }
    ids.push(...data.map((row: { id: number }) => row.id));
  }
}

/** The same, asked of the rows themselves: what belongs to a company that is there. */
async function listed(world: World): Promise<{ entries: number[]; moves: number[] }> {
  const { db } = world.ctx;
  const present = sql`(select id from companies where path >= '/')`;
  const entries = await sql<{ id: number }>`select e.id from credit_entries e inner join credit_transfers t on t.id = e.transfer_id
    where t.credit_type_id > 0 and e.company_id in ${present} order by e.id`.execute(db);
  const moves = await sql<{ id: number }>`select id from credit_transfers
    where kind = 'move' and (from_company_id in ${present} or to_company_id in ${present}) order by id`.execute(db);
  return { entries: entries.rows.map((row) => row.id), moves: moves.rows.map((row) => row.id) };
}

async function expectPages(world: World, caller: Caller): Promise<void> {
  const { entries, moves } = await listed(world);
  expect(await readAll(caller, '/credits/history', 'created_at')).toEqual(entries);
  expect(await readAll(caller, '/credits/history', '-created_at')).toEqual(entries.toReversed());
  expect(await readAll(caller, '/credits/move/history', 'created_at')).toEqual(moves);
  expect(await readAll(caller, '/credits/move/history', '-created_at')).toEqual(moves.toReversed());
}

test('far pages of the histories pass over nothing and nothing twice, whatever companies were removed or are gone for good [BL1]', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, sibling } = await makeTree(world);
  const away = await makeCompany(world, { parent: top });
  const root = await as(world, 'super_admin', { company: top });
  const places = [top, middle, bottom, sibling, away];
  for (const company of places) expect((await root.post('/credits', paid(company.id, 50))).status).toBe(201);
  await root.post('/companies/data', { company_id: middle.id, credits: '2' });
  for (let step = 0; step < 14; step += 1) {
    const [from, to] = [places[(step * 3) % places.length], places[(step * 3 + 1 + (step % 4)) % places.length]];
    expect((await root.post('/credits/move', move(from?.id ?? 0, to?.id ?? 0, 1))).status).toBe(200);
  }
  await expectPages(world, root);
  const branch = await as(world, 'admin', { company: middle });
  const { total } = (await branch.get('/credits/history', { limit: 1 })).meta as { total: number };
  expect(await readAll(branch, '/credits/history', '-created_at')).toHaveLength(total);

  for (const company of [middle, away]) expect((await root.delete(`/companies/${company.id}`)).status).toBe(200);
  await expectPages(world, root);
  await world.clock.jump(31 * DAY);
  await world.clock.jump(3_600_000);
  expect(await world.ctx.db.selectFrom('companies').select('id').where('id', '=', away.id).execute()).toEqual([]);
  const again = await as(world, 'super_admin', { company: top });
  await expectPages(world, again);
  const { data } = await again.get('/credits/summary');
  const { data: holdings } = await again.get('/credits/holdings');
  const held = holdings.reduce((sum: number, row: { credits_left: number }) => sum + row.credits_left, 0);
  expect(data.credits.left.reduce((sum: number, row: { credits_left: number }) => sum + row.credits_left, 0)).toBe(held);
  expect((await again.get('/credits/check')).data.balanced).toBe(true);
});

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** Lets the database grow no further, as a full disk does. */
async function fillDisk(world: World): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(world.ctx.db);
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 0}`).execute(world.ctx.db);
}

describe('a full disk', () => {
  test('refuses writes with a clear answer, loses nothing, still reads, and recovers when there is space again [FT2]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const save = (key: string) => caller.post('/storage', { key, value: 'x'.repeat(30_000) });
    const tag = (name: string) => caller.post('/tags', { company_id: caller.user.company_id, name, description: 'd'.repeat(200) });
    expect((await tag('before')).status).toBe(201);
    await fillDisk(world);
    const statuses: number[] = [];
    for (let index = 0; index < 10; index += 1) statuses.push((await save(`k${index}`)).status);
    expect(statuses.at(-1)).toBe(507);
    const refused = await save('refused');
    expect(refused).toMatchObject({ status: 507, codes: ['STORAGE_FULL'] });
    const kept = statuses.filter((status) => status === 200).length;
    expect((await caller.get('/storage')).meta['total']).toBe(kept);
    expect((await caller.get('/tags')).data).toMatchObject([{ name: 'before' }]);
    const made: number[] = [];
    for (let index = 0; index < 200 && !made.includes(507); index += 1) made.push((await tag(`tag-${index}`)).status);
    expect(made.at(-1)).toBe(507);
    const tags = await world.ctx.db.selectFrom('tags').select('id').execute();
    const rows = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'tags.new').execute();
    expect(rows, 'no tag without its row in the history, no row without its tag').toHaveLength(tags.length);
    await sql`pragma max_page_count = 1000000`.execute(world.ctx.db);
    expect((await save('after')).status).toBe(200);
    expect((await tag('after')).status).toBe(201);
    const { rows: check } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(world.ctx.db);
    expect(check).toEqual([{ integrity_check: 'ok' }]);
  });
});

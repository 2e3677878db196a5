import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeWorld } from '../helpers/world.ts';

describe('a database that another program has locked', () => {
  test('refuses writes soon and in words, reads on, loses nothing, and goes on when the lock is gone [FT6]', async () => {
    await using world = await makeWorld();
    const caller = await as(world, 'admin');
    const tag = (name: string) => caller.post('/tags', { company_id: caller.user.company_id, name });
    expect((await tag('before')).status).toBe(201);
    const other = new DatabaseSync(world.ctx.database.file ?? '');
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const refused = await tag('meanwhile');
    expect(refused).toMatchObject({ status: 503, codes: ['OVERLOADED'], headers: { 'retry-after': '5' } });
    // Nobody is served while a write waits for the lock.
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await caller.get('/tags')).data).toMatchObject([{ name: 'before' }]);
    other.exec('ROLLBACK');
    other.close();
    expect((await tag('after')).status).toBe(201);
    expect((await caller.get('/tags', { sort: 'name' })).data.map((row: { name: string }) => row.name)).toEqual(['after', 'before']);
    const rows = await world.ctx.db.selectFrom('audit').select('id').where('action', '=', 'tags.new').execute();
    expect(rows).toHaveLength(2);
  });
});

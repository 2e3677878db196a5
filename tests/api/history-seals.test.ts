import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** Changes rows past the triggers, as somebody with the database in hand could. */
async function tamper(world: World, change: () => Promise<unknown>): Promise<void> {
  const { db, database } = world.ctx;
  if (database.tools.kind === 'sqlite') {
    const { rows } = await sql<{
      name: string;
      sql: string;
    }>`select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'audit'`.execute(db);
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db);
    await change();
    for (const row of rows) await sql.raw(row.sql).execute(db);
    return;
  }
  await sql`alter table audit disable trigger all`.execute(db);
  await change();
  await sql`alter table audit enable trigger all`.execute(db);
}

test('rows of the history that were changed or removed in the database are noticed [OP2]', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  for (const name of ['one', 'two', 'three']) await root.post('/tags', { name, company_id: top.id });
  await world.clock.advance(3 * MINUTE);
  for (const name of ['four', 'five']) await root.post('/tags', { name, company_id: top.id });
  await world.clock.advance(3 * MINUTE);
  const check = async () => (await root.get('/history/check')).data;
  expect(await check()).toMatchObject({ is_whole: true, count: 5, broken: null });
  expect((await (await as(world, 'admin', { company: top })).get('/history/check')).status).toBe(403);
  const rename = (to: string) => () =>
    world.ctx.db
      .updateTable('audit')
      .set({ entity_name: to })
      .where('entity_name', '=', to === 'two' ? 'other' : 'two')
      .execute();
  await expect(rename('other')()).rejects.toThrow('history rows are final');
  await tamper(world, rename('other'));
  expect(await check()).toMatchObject({ is_whole: false, broken: { why: 'rows' } });
  await tamper(world, rename('two'));
  expect((await check()).is_whole).toBe(true);
  await tamper(world, () => world.ctx.db.deleteFrom('audit').where('entity_name', '=', 'five').execute());
  expect((await check()).is_whole).toBe(false);
  await expect(world.ctx.db.deleteFrom('audit_seals').execute()).rejects.toThrow('final');
});

test('rows older than the history is kept go, and the chain stays whole [OP2]', async () => {
  await using world = await makeWorld({ config: { historyMs: 30 * DAY } });
  const { top } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/tags', { name: 'old', company_id: top.id });
  await world.clock.advance(3 * MINUTE);
  await world.clock.jump(31 * DAY);
  const later = await as(world, 'super_admin', { company: top });
  await later.post('/tags', { name: 'new', company_id: top.id });
  await world.clock.advance(HOUR + 3 * MINUTE);
  const last = await as(world, 'super_admin', { company: top });
  const names = (await last.get('/history', { entity: 'tag' })).data.map((row: { entity_name: string }) => row.entity_name);
  expect(names).toEqual(['new']);
  expect((await last.get('/history/check')).data).toMatchObject({ is_whole: true, count: 1 });
});

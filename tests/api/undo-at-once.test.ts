import { expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeTag, makeTree, makeUser, roleIdOf } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

async function newest(caller: Caller, action: string): Promise<number> {
  const { data } = await caller.get('/history');
  return data.find((row: { action: string }) => row.action === action)?.id;
}

test('a change is undone once, of ten who do so at once, and the others are refused [OP2]', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const tag = await makeTag(world, { company: top, name: 'Harbour' });
  const person = await makeUser(world, { company: middle, role: 'read_only' });
  await admin.put(`/companies/${middle.id}`, { name: 'Pier' });
  await admin.put(`/users/${person.id}`, { first_name: 'Ola', last_name: 'Nordmann', role_id: roleIdOf('end_user') });
  await admin.delete(`/tags/${tag.id}`);
  for (const action of ['companies.edit', 'users.edit', 'tags.remove']) {
    const change = await newest(admin, action);
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(`/history/${change}/undo`, {})));
    expect(answers.map(({ status }) => status).toSorted(), action).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(new Set(answers.flatMap(({ codes }) => codes)), action).toEqual(new Set(['UNDONE_ALREADY']));
    const rows = await world.ctx.db.selectFrom('audit').select('id').where('undoes', '=', change).execute();
    expect(rows, action).toHaveLength(1);
  }
});

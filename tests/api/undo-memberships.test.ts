import { describe, expect, test } from 'vitest';
import { insertMembership } from '../../server/kernel/auth/memberships.ts';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { makeTree, makeUser, roleIdOf } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** An administrator of the top company, and somebody who is a guest in two companies below. */
async function makeMember(world: World) {
  const { top, middle, sibling } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  const person = await makeUser(world, { company: middle, role: 'read_only' });
  await insertMembership(world.ctx.db, { userId: person.id, companyId: sibling.id, roleId: roleIdOf('read_only'), at: 1 });
  const names = { first_name: person.first_name, last_name: person.last_name };
  const edit = (company: { id: number }, changes: object) =>
    admin.put(`/users/${person.id}`, { ...names, role_id: roleIdOf('read_only'), ...changes, company_id: company.id });
  const roleIn = async (company: { id: number }): Promise<number> =>
    (await admin.get('/users', { company_id: company.id })).data.find(({ id }: { id: number }) => id === person.id)?.role_id;
  return { middle, sibling, admin, person, edit, roleIn };
}

async function newest(caller: Caller, action: string): Promise<number> {
  const { data } = await caller.get('/history');
  return data.find((row: { action: string }) => row.action === action)?.id;
}

describe('undoing a change of a member of several companies', () => {
  test('a role in one company is undone whatever became of the membership in another one', async () => {
    await using world = await makeWorld();
    const { middle, sibling, admin, person, edit, roleIn } = await makeMember(world);
    const [guest, user, manager] = [roleIdOf('read_only'), roleIdOf('end_user'), roleIdOf('admin')];
    await edit(middle, { role_id: user });
    const change = await newest(admin, 'users.edit');
    await edit(sibling, { role_id: manager });
    await admin.put(`/users/${person.id}/status`, { disabled: true, company_id: sibling.id });
    expect((await admin.delete(`/users/${person.id}`, { company_id: sibling.id })).status).toBe(200);
    const undone = await admin.post(`/history/${change}/undo`, {});
    expect([undone.status, await roleIn(middle), await roleIn(sibling)]).toEqual([200, guest, undefined]);
  });

  test('a later role in the same company, and a later name in any, still block it', async () => {
    await using world = await makeWorld();
    const { middle, sibling, admin, edit, roleIn } = await makeMember(world);
    await edit(middle, { role_id: roleIdOf('end_user'), first_name: 'Ola' });
    const both = await newest(admin, 'users.edit');
    await edit(sibling, { first_name: 'Kari' });
    const name = await newest(admin, 'users.edit');
    expect((await admin.post(`/history/${both}/undo`, {})).codes).toEqual(['UNDO_BLOCKED']);
    expect((await admin.post(`/history/${name}/undo`, {})).status).toBe(200);
    await edit(middle, { role_id: roleIdOf('admin'), first_name: 'Ola' });
    expect((await admin.post(`/history/${both}/undo`, {})).codes).toEqual(['UNDO_BLOCKED']);
    expect(await roleIn(middle)).toBe(roleIdOf('admin'));
  });

  test('a removal is undone although the person went on elsewhere', async () => {
    await using world = await makeWorld();
    const { middle, sibling, admin, person, edit, roleIn } = await makeMember(world);
    expect((await admin.delete(`/users/${person.id}`, { company_id: middle.id })).status).toBe(200);
    const removal = await newest(admin, 'users.remove');
    await edit(sibling, { role_id: roleIdOf('end_user'), first_name: 'Kari' });
    expect((await admin.post(`/history/${removal}/undo`, {})).status).toBe(200);
    expect(await roleIn(middle)).toBe(roleIdOf('read_only'));
  });

  test('what the person was denied meanwhile blocks nothing', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const person = await makeUser(world, { company: top, role: 'end_user' });
    const { first_name, last_name } = person;
    await admin.put(`/users/${person.id}`, { first_name, last_name, role_id: roleIdOf('read_only') });
    const change = await newest(admin, 'users.edit');
    expect((await (await asUser(world, person)).post('/tags', { name: 'a' })).status).toBe(403);
    expect(await newest(admin, 'account.denied')).toBeGreaterThan(change);
    expect((await admin.post(`/history/${change}/undo`, {})).status).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import { findBreak } from '../../scripts/verify-history.ts';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { allPermissions } from '../../server/kernel/auth/permission-list.ts';
import { insertMembership } from '../../server/kernel/auth/memberships.ts';
import { makeDevice, makeRole, makeTag, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

async function newest(caller: Caller, action: string): Promise<{ id: number; is_undoable: boolean; is_undone: boolean }> {
  const { data } = await caller.get('/history');
  return data.find((row: { action: string }) => row.action === action);
}

describe('undoing a change', () => {
  test('a rename, a move and a removal of a company are undone, as changes of the person who undoes them', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'Renamed' });
    await admin.post('/companies/move', { source: bottom.id, target: sibling.id });
    for (const [action, id, back] of [
      ['companies.edit', middle.id, { name: 'Middle' }],
      ['companies.move', bottom.id, { parent_id: middle.id }],
    ] as const) {
      const entry = await newest(admin, action);
      expect(entry).toMatchObject({ is_undoable: true, is_undone: false });
      expect((await admin.post(`/history/${entry.id}/undo`, {})).status).toBe(200);
      expect((await admin.get(`/companies/${id}`)).data).toMatchObject(back);
    }
    await admin.delete(`/companies/${middle.id}`);
    const removal = await newest(admin, 'companies.remove');
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/companies/${bottom.id}`)).status).toBe(200);
  });

  test('names, tags and the company of a device, and a tag, are as before again', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const device = await makeDevice(world, { company: top, name: 'Quay 4' });
    const tag = await makeTag(world, { company: top, name: 'Harbour' });
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/tags/${tag.id}`, { name: 'Port' });
    const edit = await newest(admin, 'tags.edit');
    expect((await admin.post(`/history/${edit.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/tags/${tag.id}`)).data).toMatchObject({ name: 'Harbour' });
    const tags = await world.ctx.db
      .insertInto('audit')
      .values({
        ...{ at: world.clock.now(), actor_id: admin.user.id, actor_name: 'Kari', on_behalf_of: null, action: 'devices.unassign-tags' },
        ...{
          entity: 'device',
          entity_id: device.id,
          entity_name: device.name,
          company_id: top.id,
          ip: '',
          token_name: null,
          request_id: 'r',
        },
        ...{ before: JSON.stringify({ tag_id: [tag.id] }), after: JSON.stringify({ tag_id: [] }) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await admin.post(`/history/${tags.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/devices/${device.id}`)).data.tags).toMatchObject([{ name: 'Harbour' }]);
    await world.ctx.db.updateTable('devices').set({ company_id: middle.id }).where('id', '=', device.id).execute();
    const move = await world.ctx.db
      .insertInto('audit')
      .values({
        ...{ at: world.clock.now(), actor_id: admin.user.id, actor_name: 'Kari', on_behalf_of: null, action: 'devices.move' },
        ...{
          entity: 'device',
          entity_id: device.id,
          entity_name: device.name,
          company_id: middle.id,
          ip: '',
          token_name: null,
          request_id: 'q',
        },
        ...{ before: JSON.stringify({ company_id: top.id }), after: JSON.stringify({ company_id: middle.id }) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await admin.post(`/history/${move.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject({ company_id: top.id });
  });

  test('is refused while a later change builds on it, and works once that is undone; never twice', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'First' });
    const first = await newest(admin, 'companies.edit');
    await admin.put(`/companies/${middle.id}`, { name: 'Second' });
    const second = await newest(admin, 'companies.edit');
    await admin.put(`/companies/${middle.id}/flags`, { can_use_parent_license: true });
    const blocked = await admin.post(`/history/${first.id}/undo`, {});
    expect(blocked.errors[0]).toMatchObject({ code: 'UNDO_BLOCKED', params: { action: 'companies.edit', name: 'First' } });
    expect((await admin.post(`/history/${second.id}/undo`, {})).status).toBe(200);
    expect((await admin.post(`/history/${second.id}/undo`, {})).codes).toEqual(['UNDONE_ALREADY']);
    expect((await admin.post(`/history/${first.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/companies/${middle.id}`)).data).toMatchObject({ name: 'Middle', can_use_parent_license: true });
    const again = await newest(admin, 'companies.edit');
    expect((await admin.post(`/history/${again.id}/undo`, {})).codes).toEqual(['NOT_UNDOABLE']);
  });

  test('sets back what the change changed and nothing else', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const tag = await makeTag(world, { company: top, name: 'Harbour' });
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/tags/${tag.id}`, { name: 'Port' });
    const rename = await newest(admin, 'tags.edit');
    await admin.put(`/tags/${tag.id}`, { name: 'Port', description: 'All of the quay' });
    expect((await admin.post(`/history/${rename.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/tags/${tag.id}`)).data).toMatchObject({ name: 'Harbour', description: 'All of the quay' });
  });

  test('a user has the role and names of before, and is signed out as with any other role', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const person = await as(world, 'read_only', { company: middle });
    const { first_name, last_name, role_id } = (await admin.get(`/users/${person.user.id}`)).data;
    const other = await makeRole(world, { company: top, permissions: ['view_devices'] });
    await admin.put(`/users/${person.user.id}`, { first_name: 'Ola', last_name, role_id: other.id });
    const again = await asUser(world, person.user);
    const edit = await newest(admin, 'users.edit');
    expect(edit).toMatchObject({ is_undoable: true });
    expect((await admin.post(`/history/${edit.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/users/${person.user.id}`)).data).toMatchObject({ first_name, last_name, role_id });
    expect((await again.get('/devices')).status).toBe(401);
  });

  test('an edit of a role is undone by a person who holds all that it gave [AC5]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const role = await makeRole(world, { company: top, title: 'Engineer', permissions: ['view_devices', 'view_tags'], scope: 'tree' });
    const admin = await as(world, 'admin', { company: top });
    const devices = allPermissions.find(({ name }) => name === 'view_devices');
    await admin.put(`/roles/${role.id}`, { title: 'Looker', scope: 'company', permission_id: [devices?.id] });
    const edit = await newest(admin, 'roles.edit');
    const lesser = await makeRole(world, {
      company: top,
      permissions: ['view_history', 'view_roles', 'update_roles', 'view_devices'],
      scope: 'tree',
    });
    const few = await as(world, lesser, { company: top });
    expect((await few.post(`/history/${edit.id}/undo`, {})).codes).toEqual(['PERMISSION_NOT_HELD']);
    await admin.put(`/roles/${role.id}`, { title: 'Looker', description: 'Looks' });
    expect((await admin.post(`/history/${edit.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/roles/${role.id}`)).data).toMatchObject({
      ...{ title: 'Engineer', description: 'Looks', scope: 'tree', permissions_count: 2 },
    });
  });

  test('nobody undoes what they may not do themselves, nor what they do not see [AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'Renamed' });
    const entry = await newest(admin, 'companies.edit');
    const guest = await as(world, 'readonly_admin', { company: top });
    expect(await newest(guest, 'companies.edit')).toMatchObject({ is_undoable: false });
    expect((await guest.post(`/history/${entry.id}/undo`, {})).status).toBe(403);
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.post(`/history/${entry.id}/undo`, {})).text).toBe((await stranger.post('/history/987654/undo', {})).text);
  });
});

describe('the export for auditors', () => {
  test('is a chain: a changed, missing or added line is found [OP2]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'One name' });
    await admin.put(`/companies/${middle.id}`, { name: 'Another name' });
    const { text } = await admin.get('/history/export');
    expect(findBreak(text)).toBeUndefined();
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(findBreak(text.replace('One name', 'No name'))).toContain('does not follow');
    expect(findBreak(lines.toSpliced(1, 1).join('\n'))).toContain('does not follow');
    expect(findBreak(lines.slice(0, -1).join('\n'))).toBe('the end is missing');
  });

  test('a row of the history is neither changed nor deleted by anybody [OP2]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    await (await as(world, 'admin', { company: top })).put(`/companies/${middle.id}`, { name: 'Renamed' });
    await expect(world.ctx.db.updateTable('audit').set({ actor_name: 'Nobody' }).execute()).rejects.toThrow('final');
    await expect(world.ctx.db.deleteFrom('audit').execute()).rejects.toThrow('final');
  });
});

describe('undoing a removal', () => {
  test('a tag comes back under its number, on the devices that are still below its company', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const tag = await makeTag(world, { company: middle, name: 'Harbour' });
    const [kept, gone] = [
      await makeDevice(world, { company: middle, tags: [tag] }),
      await makeDevice(world, { company: middle, tags: [tag] }),
    ];
    const admin = await as(world, 'admin', { company: top });
    const before = (await admin.get(`/tags/${tag.id}`)).data;
    await admin.delete(`/tags/${tag.id}`);
    await world.ctx.db.updateTable('devices').set({ company_id: sibling.id }).where('id', '=', gone.id).execute();
    const removal = await newest(admin, 'tags.remove');
    const guest = await as(world, 'readonly_admin', { company: top });
    expect((await guest.post(`/history/${removal.id}/undo`, {})).codes).toEqual(['FORBIDDEN']);
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/tags/${tag.id}`)).data).toEqual({ ...before, devices_count: 1, updated_at: expect.any(String) });
    expect((await admin.get(`/devices/${kept.id}`)).data.tags).toMatchObject([{ id: tag.id, name: 'Harbour' }]);
    expect((await admin.get(`/devices/${gone.id}`)).data.tags).toEqual([]);
    expect((await admin.post(`/history/${removal.id}/undo`, {})).codes).toEqual(['UNDONE_ALREADY']);
  });

  test('a tag comes back with its actions, which are those of who had set them up', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const tag = await makeTag(world, { company: middle, name: 'Harbour' });
    const owner = await as(world, 'admin', { company: top });
    const leaver = await as(world, 'admin', { company: top });
    const admin = await as(world, 'admin', { company: middle });
    await owner.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'uptime', timeout: 5 });
    await leaver.post(`/tags/${tag.id}/actions`, { action: 'reboot' });
    const actions = (await admin.get(`/tags/${tag.id}/actions`)).data;
    expect((await admin.delete(`/tags/${tag.id}`)).status).toBe(200);
    await owner.delete(`/users/${leaver.user.id}`);
    const removal = await newest(admin, 'tags.remove');
    expect(removal).not.toHaveProperty('before.actions');
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/tags/${tag.id}/actions`)).data).toEqual(actions);
    const rows = await world.ctx.db.selectFrom('tag_actions').select(['created_by', 'company_id']).orderBy('id').execute();
    expect(rows).toEqual([
      { created_by: owner.user.id, company_id: top.id },
      { created_by: null, company_id: top.id },
    ]);
  });

  test('a tag whose name another one has by now stays removed', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const tag = await makeTag(world, { company: top, name: 'Harbour' });
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/tags/${tag.id}`);
    await admin.post('/tags', { company_id: top.id, name: 'Harbour' });
    expect((await admin.post(`/history/${(await newest(admin, 'tags.remove')).id}/undo`, {})).codes).toEqual(['NAME_TAKEN']);
  });

  test('a role comes back as it was, but not by who holds less than it gives [AC5]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const role = await makeRole(world, { company: top, title: 'Engineer', permissions: ['view_devices', 'view_tags'], scope: 'tree' });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.delete(`/roles/${role.id}`)).status).toBe(200);
    const removal = await newest(admin, 'roles.remove');
    const lesser = await makeRole(world, { company: top, permissions: ['view_history', 'create_roles', 'view_roles', 'view_tags'] });
    const few = await as(world, lesser, { company: top });
    expect((await few.post(`/history/${removal.id}/undo`, {})).codes).toEqual(['PERMISSION_NOT_HELD']);
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/roles/${role.id}`)).data).toMatchObject({ title: 'Engineer', scope: 'tree', permissions_count: 2 });
  });

  test('a person is a member again, in the role of then; one whose account is gone has to be invited', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const both = await makeUser(world, { company: middle, role: 'read_only' });
    await insertMembership(world.ctx.db, { userId: both.id, companyId: sibling.id, roleId: both.role_id, at: 1 });
    const single = await makeUser(world, { company: middle, email: 'kari@example.org' });
    await admin.delete(`/users/${both.id}`, { company_id: middle.id });
    const removal = await newest(admin, 'users.remove');
    expect((await admin.post(`/history/${removal.id}/undo`, {})).status).toBe(200);
    const members = (await admin.get('/users', { company_id: middle.id })).data;
    expect(members.find(({ id }: { id: number }) => id === both.id)).toMatchObject({ company_id: middle.id, role_id: both.role_id });
    await admin.delete(`/users/${single.id}`);
    const refused = await admin.post(`/history/${(await newest(admin, 'users.remove')).id}/undo`, {});
    expect(refused.errors).toMatchObject([{ code: 'ACCOUNT_GONE', params: { email: 'kari@example.org' } }]);
  });

  test('who was disabled is enabled again', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const person = await makeUser(world, { company: middle });
    await admin.put(`/users/${person.id}/status`, { disabled: true });
    expect((await admin.post(`/history/${(await newest(admin, 'users.disable')).id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/users/${person.id}`)).data.is_disabled).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { findBreak } from '../../scripts/verify-history.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

async function newest(caller: Caller, action: string): Promise<{ id: number; is_undoable: boolean; is_undone: boolean }> {
  const { data } = await caller.get('/history');
  return data.find((row: { action: string }) => row.action === action);
}

describe('undoing a change', () => {
  test('a rename, a move and a removal of a company are taken back, as changes of whoever does it', async () => {
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

  test('is refused while a later change stands on it, and works once that is undone; never twice', async () => {
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

  test('AC5 nobody takes back what they may not do themselves, nor what they do not see', async () => {
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
  test('OP2 is a chain: a changed, missing or added line is found', async () => {
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

  test('OP2 a row of the history is neither changed nor deleted by anybody', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    await (await as(world, 'admin', { company: top })).put(`/companies/${middle.id}`, { name: 'Renamed' });
    await expect(world.ctx.db.updateTable('audit').set({ actor_name: 'Nobody' }).execute()).rejects.toThrow('final');
    await expect(world.ctx.db.deleteFrom('audit').execute()).rejects.toThrow('final');
  });
});

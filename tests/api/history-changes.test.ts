import { describe, expect, test } from 'vitest';
import { SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeRole, makeTag, makeTree } from '../helpers/factories.ts';
import { startJob } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Tree = Awaited<ReturnType<typeof makeTree>>;

/** Three devices of one company that were moved to another one by a single call. */
async function moveThree(world: World): Promise<Tree & { admin: Caller; devices: { id: number; name: string }[]; label: { id: number } }> {
  const tree = await makeTree(world);
  const label = await makeTag(world, { company: tree.middle, name: 'Pier' });
  const devices = [];
  for (const name of ['Quay 1', 'Quay 2', 'Quay 3'])
    devices.push(await makeDevice(world, { company: tree.middle, name, ...(name === 'Quay 1' ? { tags: [label] } : {}) }));
  const admin = await as(world, 'admin', { company: tree.top });
  await startJob(world, admin, '/devices/move', { company_id: tree.sibling.id, device_id: devices.map((device) => device.id) });
  return { ...tree, admin, devices, label };
}

async function findChange(caller: Caller, action: string, entity = 'device') {
  const { data } = await caller.get('/history/changes', { entity });
  return data.find((change: { action: string }) => change.action === action);
}

describe('changes as one', () => {
  test('what one call did to many records is one change, with where from and where to; its rows are there one by one', async () => {
    await using world = await makeWorld();
    const { admin, middle, sibling } = await moveThree(world);
    const change = await findChange(admin, 'devices.move');
    expect(change).toMatchObject({
      ...{ count: 3, from_name: 'Middle', to_name: 'Sibling', company_id: sibling.id, company_name: 'Sibling' },
      ...{ names: ['Quay 1', 'Quay 2', 'Quay 3'], via: 'console', undone_count: 0, is_undoable: true, before: null, entity_id: null },
    });
    const { data, meta } = await admin.get('/history', { change_id: change.id, sort: 'id' });
    expect(meta['total']).toBe(3);
    expect(data.map((row: { entity_name: string }) => row.entity_name)).toEqual(['Quay 1', 'Quay 2', 'Quay 3']);
    expect(data[0]).toMatchObject({ id: change.id, before: { company_id: middle.id }, after: { company_id: sibling.id } });
    expect(data[0].labels).toMatchObject({ [`company_id:${middle.id}`]: 'Middle', [`company_id:${sibling.id}`]: 'Sibling' });
    const all = await admin.get('/history/changes', { limit: 1 });
    expect(all.meta['total']).toBe((await admin.get('/history/changes', { limit: 100 })).data.length);
  });

  test('a single change has its record, before and after', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'Harbour' });
    await admin.post('/companies/move', { source: bottom.id, target: sibling.id });
    expect((await admin.get('/history/changes')).data).toMatchObject([
      { action: 'companies.move', count: 1, entity_id: bottom.id, from_name: 'Harbour', to_name: 'Sibling' },
      { action: 'companies.edit', count: 1, entity_id: middle.id, before: { name: 'Middle' }, after: { name: 'Harbour' }, from_name: null },
    ]);
    expect((await admin.get('/history/changes', { entity: 'company', entity_id: middle.id })).meta['total']).toBe(1);
    expect((await admin.get('/history/changes', { user_id: admin.user.id, sort: 'id' })).data[0]).toMatchObject({
      action: 'companies.edit',
    });
  });

  test('only rows in sight count, and a company out of sight has no name [AC2]', async () => {
    await using world = await makeWorld();
    const { sibling } = await moveThree(world);
    const reader = await as(world, 'admin', { company: sibling });
    expect(await findChange(reader, 'devices.move')).toMatchObject({ count: 3, from_name: null, to_name: 'Sibling', user_id: null });
    const [row] = (await reader.get('/history', { entity: 'device' })).data;
    expect(row.labels).toEqual({ [`company_id:${sibling.id}`]: 'Sibling' });
    const role = await makeRole(world, { company: sibling, permissions: ['view_history'] });
    const narrow = await findChange(await as(world, role, { company: sibling }), 'devices.move');
    expect(narrow).not.toHaveProperty('to_name');
    expect(narrow).not.toHaveProperty('company_name');
  });

  test('rows of a change that is out of sight are not found by it [AC2]', async () => {
    await using world = await makeWorld();
    const { admin, foreign, middle } = await moveThree(world);
    const change = await findChange(admin, 'devices.move');
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get('/history', { change_id: change.id })).text).toBe(
      (await stranger.get('/history', { change_id: 987_654 })).text,
    );
    const undo = `/history/changes/${change.id}/undo`;
    expect((await stranger.post(undo, {})).text).toBe((await stranger.post('/history/changes/987654/undo', {})).text);
    expect((await (await as(world, 'readonly_admin', { company: middle })).post(undo, {})).status).toBe(404);
  });
});

test('a move is shown once to those who see both ends, and as removed or added to those who see one [AC2]', async () => {
  await using world = await makeWorld();
  const { admin, middle, sibling } = await moveThree(world);
  const seen = async (caller: Caller) => {
    const { data } = await caller.get('/history/changes', { entity: 'device' });
    return data.map(({ action, count }: { action: string; count: number }) => [action, count]);
  };
  expect(await seen(admin)).toEqual([['devices.move', 3]]);
  expect(await seen(await as(world, 'admin', { company: middle }))).toEqual([['devices.leave', 3]]);
  expect(await seen(await as(world, 'admin', { company: sibling }))).toEqual([['devices.move', 3]]);
  expect((await admin.get('/history/export')).text).not.toContain('devices.leave');
});

describe('undoing a whole change', () => {
  test('sets back all that it did, with the tags that came off on the way, once', async () => {
    await using world = await makeWorld();
    const { admin, devices, middle, label } = await moveThree(world);
    const change = await findChange(admin, 'devices.move');
    const undone = await admin.post(`/history/changes/${change.id}/undo`, {});
    expect([undone.status, undone.data.length]).toEqual([200, 3]);
    for (const device of devices) expect((await admin.get(`/devices/${device.id}`)).data).toMatchObject({ company_id: middle.id });
    expect((await admin.get(`/devices/${devices[0]?.id}`)).data.tags).toMatchObject([{ id: label.id }]);
    const [first, second] = (await admin.get('/history/changes', { entity: 'device' })).data;
    expect([first, second].map(({ action, count, is_undoable }) => [action, count, is_undoable])).toEqual([
      ['devices.assign-tags', 1, true],
      ['devices.move', 3, false],
    ]);
    expect(await admin.get('/history/changes', { id: change.id })).toMatchObject({ data: [{ undone_count: 3, is_undoable: false }] });
    expect((await admin.post(`/history/changes/${change.id}/undo`, {})).codes).toEqual(['UNDONE_ALREADY']);
  });

  test('does what it can and names the rest with the reason; when nothing can be undone, nothing is', async () => {
    await using world = await makeWorld();
    const { admin, devices, middle, bottom } = await moveThree(world);
    const [first, second, third] = devices;
    const change = await findChange(admin, 'devices.move');
    await startJob(world, admin, '/devices/move', { company_id: bottom.id, device_id: [first?.id] });
    await admin.delete('/devices', { device_id: [second?.id] });
    await world.ctx.jobs.settled();
    const undone = await admin.post(`/history/changes/${change.id}/undo`, {});
    expect(undone.status).toBe(207);
    expect(undone.data).toHaveLength(1);
    expect(undone.errors.map(({ code, params }) => [code, params?.['record'], params?.['action']])).toEqual([
      ['UNDO_BLOCKED', 'Quay 1', 'devices.move'],
      ['UNDO_BLOCKED', 'Quay 2', 'devices.remove'],
    ]);
    expect((await admin.get(`/devices/${third?.id}`)).data).toMatchObject({ company_id: middle.id });
    const again = await admin.post(`/history/changes/${change.id}/undo`, {});
    expect([again.status, again.codes]).toEqual([409, ['NOTHING_UNDONE', 'UNDO_BLOCKED', 'UNDO_BLOCKED']]);
    // The removed device is instructed to delete its credentials, which waits for an answer.
    await world.clock.advance(10 * SECOND);
  });

  test('needs the right that the change itself asks for [AC5]', async () => {
    await using world = await makeWorld();
    const { admin, top } = await moveThree(world);
    const change = await findChange(admin, 'devices.move');
    const guest = await as(world, 'readonly_admin', { company: top });
    expect(await findChange(guest, 'devices.move')).toMatchObject({ is_undoable: false });
    expect((await guest.post(`/history/changes/${change.id}/undo`, {})).status).toBe(403);
  });

  test('a company comes back from its move with people whose role stayed behind', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const role = await makeRole(world, { company: middle, permissions: ['view_devices'] });
    const person = await as(world, role, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    await admin.post('/companies/move', { source: bottom.id, target: sibling.id });
    const change = await findChange(admin, 'companies.move', 'company');
    // The role of the company that it leaves again is lost as well, so the undoing writes rows of people beside its own.
    await world.ctx.db
      .updateTable('memberships')
      .set({ role_id: (await makeRole(world, { company: sibling })).id })
      .where('user_id', '=', person.user.id)
      .execute();
    expect((await admin.post(`/history/changes/${change.id}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/companies/${bottom.id}`)).data).toMatchObject({ parent_id: middle.id });
  });
});

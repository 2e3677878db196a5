import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeRole, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('the history', () => {
  test('says who changed what, from what to what, newest first', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${middle.id}`, { name: 'Middle renamed' });
    await admin.post('/tags', { company_id: middle.id, name: 'ferry' });
    const answer = await admin.get('/history');
    expect(answer).toMatchObject({
      status: 200,
      meta: { total: 2 },
      data: [
        { action: 'tags.new', entity: 'tag', entity_name: 'ferry', company_id: middle.id, company_name: 'Middle renamed', before: null },
        {
          action: 'companies.edit',
          user_id: admin.user.id,
          user_name: admin.user.username,
          before: { name: 'Middle' },
          after: { name: 'Middle renamed' },
          ip: '127.0.0.1',
        },
      ],
    });
    expect((await admin.get('/history', { entity: 'company', entity_id: middle.id })).meta['total']).toBe(1);
    expect((await admin.get('/history', { company_id: middle.id, user_id: admin.user.id })).meta['total']).toBe(2);
  });

  test('names the form and version in which a change was entered; what is no form is not kept [G5]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/companies/${top.id}`, { name: 'Pier' }, { 'x-canopy-form': 'sites/rename@12' });
    for (const hostile of ['<b>@1', 'sites/rename', `${'a'.repeat(70)}/b@1`, 'sites/rename@0', '../x@1'])
      await admin.put(`/companies/${top.id}`, { name: `Quay ${hostile.length}` }, { 'x-canopy-form': hostile });
    const forms = (await admin.get('/history', { sort: 'id' })).data.map(({ form }: { form: string | null }) => form);
    expect(forms).toEqual(['sites/rename@12', null, null, null, null, null]);
    expect((await admin.get('/history/changes', { sort: 'created_at' })).data[0].form).toBe('sites/rename@12');
  });

  test('a write and its row are one: when the row cannot be written, nothing is', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await world.ctx.db.schema.alterTable('audit').renameTo('audit_away').execute();
    expect((await admin.put(`/companies/${middle.id}`, { name: 'Unaudited' })).status).toBe(500);
    expect((await admin.post('/tags', { company_id: middle.id, name: 'unaudited' })).status).toBe(500);
    expect((await admin.get(`/companies/${middle.id}`)).data.name).toBe('Middle');
    expect((await admin.get('/tags')).meta['total']).toBe(0);
  });

  test('people and companies above the reader stay out of sight [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const above = await as(world, 'admin', { company: top });
    await above.put(`/companies/${middle.id}`, { name: 'Renamed from above' });
    const reader = await as(world, 'admin', { company: middle });
    const [entry] = (await reader.get('/history')).data;
    expect(entry).toMatchObject({ user_name: above.user.username, user_id: null, after: { name: 'Renamed from above' } });
    expect(entry.after).not.toHaveProperty('path');
    expect(entry.after).not.toHaveProperty('parent_id');
    expect((await reader.get('/history', { user_id: above.user.id })).meta['total']).toBe(0);
  });

  test('kept records hide the fields whose permission the reader lacks [AC3]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const at = { at: 1, actor_id: null, actor_name: '', on_behalf_of: null, ip: '', token_name: null, request_id: '' };
    const kept = { name: 'a', company_name: 'Top', tags: ['x'] };
    await world.ctx.db
      .insertInto('audit')
      .values({
        ...at,
        action: 'devices.edit',
        entity: 'device',
        entity_id: 1,
        entity_name: 'a',
        company_id: top.id,
        before: null,
        after: JSON.stringify(kept),
      })
      .execute();
    const reader = await as(world, await makeRole(world, { company: top, permissions: ['view_history'] }), { company: top });
    expect((await reader.get('/history')).data[0].after).toEqual({ name: 'a' });
  });
});

test('the history is searched by the name of a record or of who changed it, and hides where people of companies above are', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const above = await as(world, 'admin', { company: top });
  const below = await as(world, 'admin', { company: middle });
  await above.post('/tags', { name: 'ferry', company_id: middle.id });
  await below.post('/tags', { name: 'pier', company_id: middle.id });
  const namesOf = async (path: string, q: string) =>
    ((await below.get(path, { q })).data as { entity_name: string | null }[]).map(({ entity_name }) => entity_name);
  for (const path of ['/history', '/history/changes']) {
    expect(await namesOf(path, 'FERR')).toEqual(['ferry']);
    expect(await namesOf(path, 'nothing of this')).toEqual([]);
  }
  const ips = ((await below.get('/history', { entity: 'tag' })).data as { entity_name: string; ip: string | null }[]).map(
    ({ entity_name, ip }) => [entity_name, ip === null],
  );
  expect(Object.fromEntries(ips)).toEqual({ ferry: true, pier: false });
  const seen = (await above.get('/history', { entity: 'tag' })).data as { ip: string | null }[];
  expect(seen.every(({ ip }) => ip !== null)).toBe(true);
});

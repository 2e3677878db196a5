import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const FIELDS = [
  { name: 'asset', title: 'Asset number', type: 'text' },
  { name: 'weight', title: 'Weight', type: 'number' },
  { name: 'installed', title: 'Installed', type: 'date' },
  { name: 'critical', title: 'Critical', type: 'boolean' },
  { name: 'cabinet', title: 'Cabinet', type: 'choice', choices: ['Indoor', 'Outdoor'] },
];

/** The fields at `middle`, a device there and one below it. */
async function makeFields(world: World) {
  const tree = await makeTree(world);
  const admin = await as(world, 'admin', { company: tree.top });
  expect((await admin.put(`/companies/${tree.middle.id}/custom-fields`, { fields: FIELDS })).status).toBe(200);
  const one = await makeDevice(world, { company: tree.middle, name: 'one' });
  const two = await makeDevice(world, { company: tree.bottom, name: 'two' });
  const outside = await makeDevice(world, { company: tree.sibling, name: 'outside' });
  return { ...tree, admin, one, two, outside };
}

describe('custom fields', () => {
  test('are inherited by companies below, and their values are read and written with the device', async () => {
    await using world = await makeWorld();
    const { admin, one, two, outside } = await makeFields(world);
    const custom = { asset: 'A-12', weight: 2.5, installed: '2026-11-25', critical: true, cabinet: 'Outdoor' };
    expect((await admin.put(`/devices/${two.id}`, { custom })).status).toBe(200);
    expect((await admin.get(`/devices/${two.id}`)).data.custom).toEqual(custom);
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({});
    expect((await admin.get(`/devices/${two.id}/custom-fields`)).data.schema.properties).toMatchObject({
      weight: { type: 'number' },
      cabinet: { enum: ['Indoor', 'Outdoor'] },
    });
    expect((await admin.get(`/devices/${outside.id}/custom-fields`)).data.fields).toEqual([]);
    const foreign = await admin.put(`/devices/${outside.id}`, { custom: { asset: 'x' } });
    expect(foreign.status).toBe(400);
    expect(foreign.errors[0]?.source).toBe('custom.asset');
    await admin.put(`/devices/${two.id}`, { custom: { asset: 'A-13', weight: null } });
    expect((await admin.get(`/devices/${two.id}`)).data.custom, 'all that they hold then').toEqual({ asset: 'A-13' });
    await admin.put(`/devices/${two.id}`, { name: 'renamed' });
    expect((await admin.get(`/devices/${two.id}`)).data.custom).toEqual({ asset: 'A-13' });
  });

  test('refuse values that do not fit, each at its field, and keep what was there', async () => {
    await using world = await makeWorld();
    const { admin, one } = await makeFields(world);
    await admin.put(`/devices/${one.id}`, { custom: { asset: 'A' } });
    const refused = await admin.put(`/devices/${one.id}`, {
      custom: { asset: 'two\nlines', weight: 'much', installed: '2026-02-30', critical: 'maybe', cabinet: 'Attic', other: 1 },
    });
    expect(refused.status).toBe(400);
    expect(refused.errors.map(({ source }) => source).sort()).toEqual(
      ['asset', 'cabinet', 'critical', 'installed', 'other', 'weight'].map((name) => `custom.${name}`),
    );
    const many = await admin.put('/devices', { data: [{ id: one.id, custom: { weight: 'x' } }] });
    expect(many.errors[0]?.source).toBe('data.0.custom.weight');
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ asset: 'A' });
  });

  test('are filters, sort keys and columns of files of the device list', async () => {
    await using world = await makeWorld();
    const { admin, one, two, outside } = await makeFields(world);
    await admin.put(`/devices/${one.id}`, { custom: { asset: 'Big 50% box', weight: 10, installed: '2026-01-05', cabinet: 'Indoor' } });
    await admin.put(`/devices/${two.id}`, { custom: { asset: 'small', weight: 9.5, critical: true } });
    const found = async (query: Record<string, string>) =>
      (await admin.get('/devices', query)).data.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
    expect(await found({ 'custom.asset': 'BOX' })).toEqual([one.id]);
    expect(await found({ 'custom.asset': '0% b' })).toEqual([one.id]);
    expect(await found({ 'custom.asset': '%' })).toEqual([one.id]);
    expect(await found({ 'custom.weight': '9.5' })).toEqual([two.id]);
    expect(await found({ 'custom.weight': '>9.5' })).toEqual([one.id]);
    expect(await found({ 'custom.installed': '<2026-02-01' })).toEqual([one.id]);
    expect(await found({ 'custom.critical': 'true' })).toEqual([two.id]);
    expect(await found({ 'custom.cabinet': 'Indoor,Outdoor' })).toEqual([one.id]);
    expect(await found({ 'custom.weight': 'is_null' })).toEqual([outside.id]);
    expect(await found({ 'custom.nothing': 'x' })).toEqual([]);
    const order = async (sort: string) => (await admin.get('/devices', { sort })).data.map(({ id }: { id: number }) => id);
    expect(await order('custom.weight')).toEqual([two.id, one.id, outside.id]);
    expect(await order('-custom.asset')).toEqual([two.id, one.id, outside.id]);
    expect((await admin.get('/devices', { sort: 'custom.Asset' })).status).toBe(400);
    expect((await admin.get('/devices', { "custom.x'); drop": '1' })).status).toBe(400);
    const file = (await admin.get('/devices/export/csv', { fields: 'name,custom.weight,custom', sort: 'name' })).text;
    expect(file).toContain('one,10');
    expect(file).toContain('asset: small; critical: true; weight: 9.5');
    expect((await admin.get('/devices', { fields: 'id,custom.weight', sort: 'name', limit: '1' })).data[0]).toEqual({
      id: one.id,
      custom: { weight: 10 },
    });
  });

  test('of removed fields keep their values until the company deletes them', async () => {
    await using world = await makeWorld();
    const { admin, middle, one } = await makeFields(world);
    const path = `/companies/${middle.id}/custom-fields`;
    await admin.put(`/devices/${one.id}`, { custom: { asset: 'A', cabinet: 'Indoor' } });
    await admin.put(path, { fields: FIELDS.slice(1) });
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ cabinet: 'Indoor' });
    expect((await admin.get(path)).data.kept).toEqual([{ name: 'asset', devices_count: 1 }]);
    await admin.put(path, { fields: FIELDS });
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ asset: 'A', cabinet: 'Indoor' });
    await admin.put(path, { fields: FIELDS.slice(1), delete_values: true });
    await admin.put(path, { fields: FIELDS });
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ cabinet: 'Indoor' });
  });

  test('have names of their own on the way from the top to the device, and limits', async () => {
    await using world = await makeWorld();
    const { admin, top, middle, bottom, sibling } = await makeFields(world);
    const put = (id: number, fields: object[]) => admin.put(`/companies/${id}/custom-fields`, { fields });
    const asset = { name: 'asset', title: 'Asset', type: 'text' };
    expect((await put(bottom.id, [asset])).errors[0]?.source, 'taken above').toBe('fields.0.name');
    expect((await put(top.id, [asset])).errors[0]?.source, 'taken below').toBe('fields.0.name');
    expect((await put(sibling.id, [asset])).status, 'of another branch').toBe(200);
    expect((await put(sibling.id, [asset, asset])).errors[0]?.source).toBe('fields.1.name');
    expect((await put(sibling.id, [{ ...asset, name: 'constructor' }])).errors[0]?.source).toBe('fields.0.name');
    expect((await put(sibling.id, [{ ...asset, name: '__proto__' }])).status).toBe(400);
    expect((await put(sibling.id, [{ ...asset, type: 'choice' }])).errors[0]?.source).toBe('fields.0.choices');
    expect((await put(sibling.id, [{ ...asset, choices: ['x'] }])).errors[0]?.source).toBe('fields.0.choices');
    const many = Array.from({ length: 31 }, (_, index) => ({ ...asset, name: `f${index}` }));
    expect((await put(sibling.id, many)).errors[0]?.source).toBe('fields');
    expect((await admin.get(`/companies/${bottom.id}/custom-fields`)).data.inherited).toHaveLength(FIELDS.length);
    expect((await admin.get(`/companies/${middle.id}/custom-fields`)).data.fields).toEqual(FIELDS);
  });

  test('are there for those who see the devices, and stay out of sight of other companies', async () => {
    await using world = await makeWorld();
    const { one, foreign, middle, bottom, two } = await makeFields(world);
    const below = await as(world, 'admin', { company: bottom });
    expect((await below.get('/custom-fields')).data.map(({ name }: { name: string }) => name)).toContain('asset');
    expect((await below.put(`/companies/${middle.id}/custom-fields`, { fields: [] })).status).toBe(404);
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get('/custom-fields')).data).toEqual([]);
    for (const path of [`/devices/${one.id}/custom-fields`, `/devices/${two.id}/custom-fields`, `/companies/${middle.id}/custom-fields`])
      expect((await stranger.get(path)).status).toBe(404);
  });

  test('values of a field that is required are asked for when values are sent', async () => {
    await using world = await makeWorld();
    const { admin, middle, one } = await makeFields(world);
    await admin.put(`/companies/${middle.id}/custom-fields`, { fields: [{ ...FIELDS[0], required: true }] });
    expect((await admin.put(`/devices/${one.id}`, { name: 'new name' })).status).toBe(200);
    expect((await admin.put(`/devices/${one.id}`, { custom: {} })).errors[0]?.source).toBe('custom.asset');
  });

  test('a change of values is in the history, and is undone', async () => {
    await using world = await makeWorld();
    const { admin, one } = await makeFields(world);
    await admin.put(`/devices/${one.id}`, { custom: { asset: 'before' } });
    const changed = await admin.put(`/devices/${one.id}`, { custom: { asset: 'after', weight: 1 } });
    expect((await admin.post('/history/undo', { request_id: changed.headers['x-request-id'] })).status).toBe(200);
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ asset: 'before' });
  });

  test('values of another company are out of sight when the device moves there, and back when it returns', async () => {
    await using world = await makeWorld();
    const { admin, one, sibling, middle } = await makeFields(world);
    await admin.put(`/devices/${one.id}`, { custom: { asset: 'A' } });
    await world.ctx.db.updateTable('devices').set({ company_id: sibling.id }).where('id', '=', one.id).execute();
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({});
    expect((await admin.get('/devices', { 'custom.asset': 'A' })).data).toEqual([]);
    await world.ctx.db.updateTable('devices').set({ company_id: middle.id }).where('id', '=', one.id).execute();
    expect((await admin.get(`/devices/${one.id}`)).data.custom).toEqual({ asset: 'A' });
  });
});

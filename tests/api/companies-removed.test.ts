import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { as, send } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeEnrolmentCode, makeTag, makeTree, makeUser, PASSWORD } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { makeServiceAccount } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function names(world: World): Promise<string[]> {
  const rows = await world.ctx.db.selectFrom('companies').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
}

describe('removing a company', () => {
  test('what goes with it is counted over all below it first', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    await makeDevice(world, { company: middle });
    await makeDevice(world, { company: bottom });
    await makeUser(world, { company: bottom });
    await makeServiceAccount(world, { company: bottom });
    await makeTag(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.get(`/companies/${middle.id}/contents`);
    expect(data).toEqual({ companies: 1, devices: 2, users: 1, tags: 1, codes: 0, credits: 0, name: 'Middle' });
  });

  test('it and all in it are gone from every list and page, for system administrators too [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    const device = await makeDevice(world, { company: bottom });
    const user = await makeUser(world, { company: bottom });
    await makeTag(world, { company: middle });
    await makeEnrolmentCode(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    const root = await as(world, 'super_admin', { company: foreign });
    expect((await admin.delete(`/companies/${middle.id}`)).status).toBe(200);
    const never = await admin.get('/companies/987654321');
    for (const caller of [admin, root]) {
      expect((await caller.get(`/companies/${bottom.id}`)).text).toBe(never.text);
      expect((await caller.get(`/devices/${device.id}`)).status).toBe(404);
      expect((await caller.get(`/users/${user.id}`)).status).toBe(404);
      for (const list of ['/devices', '/tags', '/devices/enrolment-codes']) expect((await caller.get(list)).data, list).toEqual([]);
      const { data } = await caller.get('/companies');
      expect(data.map((row: { name: string }) => row.name)).not.toContain('Bottom');
      expect((await caller.get('/devices', { company_id: middle.id })).data).toEqual([]);
      expect((await caller.put(`/companies/${bottom.id}`, { name: 'Back again' })).status).toBe(404);
      expect(await caller.get('/devices', { q: device.name })).toMatchObject({ data: [], meta: { total: 0 } });
    }
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'companies.remove', entity_name: 'Middle' });
  });

  test('programs poll the channel that the removal names, as long as it can be undone and by who could [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const stranger = await as(world, 'admin', { company: foreign });
    const reader = await as(world, 'readonly_admin', { company: top });
    const removed = await admin.delete(`/companies/${middle.id}`);
    expect(removed.meta).toEqual({ channel: `companies.${middle.id}.removal` });
    const poll = `//status/channel/${String(removed.meta['channel'])}`;
    expect((await admin.get(poll)).data).toEqual({ [middle.id]: [{ status: 'completed', value: 'Done' }] });
    const never = await stranger.get('//status/channel/companies.987654321.removal');
    expect(never.codes).toEqual(['CHANNEL_NOT_FOUND']);
    expect((await stranger.get(poll)).text).toBe(never.text);
    expect((await reader.get(poll)).status).toBe(403);
    for (const other of [`companies.${bottom.id}.removal`, `companies.${top.id}.removal`, `companies.${middle.id}.devices`])
      expect([other, (await admin.get(`//status/channel/${other}`)).codes]).toEqual([other, ['CHANNEL_NOT_FOUND']]);
    expect((await admin.post(`/companies/${middle.id}/restore`, {})).status).toBe(200);
    expect((await admin.get(poll)).codes).toEqual(['CHANNEL_NOT_FOUND']);
  });

  test('its people are signed out at once and cannot sign in, and its codes let no device join', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const person = await as(world, 'admin', { company: bottom });
    const { code } = await makeEnrolmentCode(world, { company: middle });
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    expect((await person.get('/devices')).status).toBe(401);
    const origin = { origin: world.ctx.publicUrl() };
    const signIn = await send(world, 'POST', '/account/login', { headers: origin, body: { email: person.user.email, password: PASSWORD } });
    expect(signIn.codes).toEqual(['WRONG_CREDENTIALS']);
    const join = await send(world, 'POST', '/enrol', { body: { code, serial: 'S-1', mac: '02:00:00:00:00:01', model: 'M' } });
    expect(join.codes).toEqual(['ENROLMENT_REFUSED']);
  });

  test('is refused when more belongs to it than the caller was shown', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { name, ...seen } = (await admin.get(`/companies/${middle.id}/contents`)).data;
    expect(name).toBe('Middle');
    await makeDevice(world, { company: middle });
    expect((await admin.delete(`/companies/${middle.id}`, seen)).codes).toEqual(['COMPANY_HAS_MORE']);
    expect((await admin.get(`/companies/${middle.id}`)).status).toBe(200);
  });

  test('the own company, one above it, and one with a system administrator are kept [AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const root = await as(world, 'super_admin', { company: bottom });
    expect((await admin.delete(`/companies/${middle.id}`)).status).toBe(403);
    expect((await root.delete(`/companies/${top.id}`)).status).toBe(403);
    expect((await admin.delete(`/companies/${bottom.id}`)).codes).toEqual(['COMPANY_HAS_ADMINISTRATOR']);
  });

  test('its name is free again', async () => {
    await using world = await makeWorld();
    const { top, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${sibling.id}`);
    expect((await admin.post('/companies', { name: 'Sibling', parent_id: top.id })).status).toBe(201);
    expect((await admin.post(`/companies/${sibling.id}/restore`, {})).codes).toEqual(['NAME_TAKEN']);
  });
});

describe('removed companies', () => {
  test('are listed to those above with who removed them and until when they are kept', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    const { data, meta } = await admin.get('/companies/removed');
    expect(meta['total']).toBe(1);
    expect(data[0]).toMatchObject({ id: middle.id, name: 'Middle', parent_name: 'Top', user_name: admin.user.username });
    expect(Date.parse(`${data[0].purge_at}Z`) - Date.parse(`${data[0].removed_at}Z`)).toBe(30 * DAY);
    const stranger = await as(world, 'admin', { company: foreign });
    expect((await stranger.get('/companies/removed')).data).toEqual([]);
    expect((await stranger.post(`/companies/${middle.id}/restore`, {})).status).toBe(404);
    expect((await admin.post(`/companies/${bottom.id}/restore`, {})).status).toBe(404);
  });

  test('come back with all that went with them, and their people can sign in', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const device = await makeDevice(world, { company: bottom });
    const person = await makeUser(world, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    expect((await admin.post(`/companies/${middle.id}/restore`, {})).data).toMatchObject({ id: middle.id, parent_id: top.id, level: 2 });
    expect((await admin.get(`/devices/${device.id}`)).status).toBe(200);
    const signIn = await send(world, 'POST', '/account/login', {
      headers: { origin: world.ctx.publicUrl() },
      body: { email: person.email, password: PASSWORD },
    });
    expect(signIn.status).toBe(200);
    expect((await admin.get('/history')).data.map((row: { action: string }) => row.action)).toContain('companies.restore');
  });

  test('removed and restored is as if neither was done: what was changed before can still be undone', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.post('/companies/move', { source: bottom.id, target: sibling.id });
    await admin.delete(`/companies/${bottom.id}`);
    await admin.post(`/companies/${bottom.id}/restore`, {});
    const { data: changes } = await admin.get('/history');
    const idOf = (action: string): number => changes.find((row: { action: string }) => row.action === action).id;
    expect((await admin.post(`/history/${idOf('companies.remove')}/undo`, {})).codes).toEqual(['UNDONE_ALREADY']);
    expect((await admin.post(`/history/${idOf('companies.move')}/undo`, {})).status).toBe(200);
    expect((await admin.get(`/companies/${bottom.id}`)).data).toMatchObject({ parent_id: middle.id });
  });

  test('one that was removed before its parent comes back only after it, and not with it', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${bottom.id}`);
    await admin.delete(`/companies/${middle.id}`);
    expect((await admin.get('/companies/removed')).data.map((row: { name: string }) => row.name)).toEqual(['Middle']);
    expect((await admin.post(`/companies/${bottom.id}/restore`, {})).status).toBe(404);
    await admin.post(`/companies/${middle.id}/restore`, {});
    expect((await admin.get(`/companies/${bottom.id}`)).status).toBe(404);
    expect((await admin.post(`/companies/${bottom.id}/restore`, {})).data).toMatchObject({ parent_id: middle.id, level: 3 });
  });

  test('one whose parent was moved comes back where the parent is now, unless that is too deep', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${bottom.id}`);
    await admin.post('/companies/move', { source: middle.id, target: sibling.id });
    expect((await admin.post(`/companies/${bottom.id}/restore`, {})).codes).toEqual(['COMPANY_TOO_DEEP']);
    await admin.post('/companies/move', { source: middle.id, target: top.id });
    expect((await admin.post(`/companies/${bottom.id}/restore`, {})).status).toBe(200);
  });

  test('are deleted for good after 30 days with everything in them, not earlier; the history stays', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const device = await makeDevice(world, { company: bottom });
    await makeUser(world, { company: bottom });
    await makeEnrolmentCode(world, { company: middle, tags: [await makeTag(world, { company: middle })] });
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    await world.clock.jump(30 * DAY - HOUR);
    expect(await names(world)).toContain('Middle');
    await world.clock.jump(2 * HOUR);
    expect(await names(world)).toEqual(['Foreign', 'Sibling', 'Top']);
    expect(await world.ctx.db.selectFrom('devices').select('id').where('id', '=', device.id).execute()).toEqual([]);
    const rows = await world.ctx.db.selectFrom('audit').select(['action', 'entity_name']).where('action', 'like', 'companies.%').execute();
    expect(rows).toEqual([
      { action: 'companies.remove', entity_name: 'Middle' },
      { action: 'companies.purge', entity_name: 'Middle' },
    ]);
    await until('the device gets the command', () => world.commands.some(({ deviceKey }) => deviceKey === device.device_key));
    await world.clock.jump(HOUR);
  });

  test('no table holds on to a company that is to be deleted', () => {
    const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');
    const holding = [...schema.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\)(?: without rowid)?;/gi)].flatMap(([, table = '', body = '']) =>
      /references companies \(id\)(?! on delete)/.test(body) ? [table] : [],
    );
    expect(holding.sort()).toEqual(['companies', 'devices', 'enrolment_codes', 'jobs', 'memberships', 'roles', 'tags', 'users']);
  });
});

test('a company below a removed one is as free to make again as any', async () => {
  await using world = await makeWorld();
  const { top, middle } = await makeTree(world);
  const admin = await as(world, 'admin', { company: top });
  await admin.delete(`/companies/${middle.id}`);
  expect((await admin.post('/companies', { name: 'Lost', parent_id: middle.id })).errors[0]).toMatchObject({ source: 'parent_id' });
  const again = await makeCompany(world, { name: 'Middle', parent: top });
  expect((await admin.get(`/companies/${again.id}`)).status).toBe(200);
});

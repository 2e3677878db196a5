import { describe, expect, test } from 'vitest';
import { insertMembership } from '../../server/kernel/auth/memberships.ts';
import { allPermissions } from '../../server/kernel/auth/permission-list.ts';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import { as, asUser } from '../helpers/as.ts';
import { makeRole, makeTree, makeUser, roleIdOf } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const idsOf = (...names: PermissionName[]): number[] => names.map((name) => allPermissions.find((entry) => entry.name === name)?.id ?? 0);

async function permissionsOf(world: World, roleId: number): Promise<string[]> {
  const rows = await world.ctx.db.selectFrom('role_permissions').select('permission').where('role_id', '=', roleId).execute();
  return rows.map((row) => row.permission).sort();
}

const KEEPER: PermissionName[] = [
  'view_roles',
  'view_permissions',
  'create_roles',
  'update_roles',
  'delete_roles',
  'view_users',
  'view_tags',
];

async function asKeeper(world: World, company: { id: number }, more: PermissionName[] = [], scope: 'tree' | 'company' = 'tree') {
  return as(world, await makeRole(world, { company, permissions: [...KEEPER, ...more], scope }), { company });
}

test('roles to choose from are those that the caller may give', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const titles = async (who: Awaited<ReturnType<typeof as>>) =>
    (await who.get('/roles', { assignable: '1', sort: 'id', limit: '100' })).data.map((role: { name: string }) => role.name);
  expect(await titles(await as(world, 'admin', { company: top }))).toEqual(['admin', 'end_user', 'read_only', 'readonly_admin']);
  const narrow = await as(world, await makeRole(world, { company: top, permissions: ['view_roles', 'view_tags'], scope: 'company' }), {
    company: top,
  });
  const [own] = (await narrow.get('/roles', { type: 'custom' })).data;
  expect(await titles(narrow)).toEqual([own.name]);
  expect((await narrow.get('/roles', { assignable: '0', limit: '100' })).data).toHaveLength(5);
});

describe('custom roles', () => {
  test('one call makes a role in several companies, and an action brings its view', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await admin.post('/roles', {
      title: 'Field engineer',
      description: 'On site',
      company_id: [middle.id, sibling.id],
      permission_id: idsOf('update_devices'),
    });
    expect(made).toMatchObject({ status: 201, data: [{ id: expect.any(Number) }, { id: expect.any(Number) }] });
    const [first] = made.data;
    expect(await permissionsOf(world, first.id)).toEqual(['update_devices', 'view_devices']);
    expect((await admin.get('/roles', { type: 'custom', sort: 'company_name' })).data).toMatchObject([
      {
        title: 'Field engineer',
        name: 'custom_field_engineer',
        company_name: 'Middle',
        scope: 'company',
        users_count: 0,
        is_default: false,
      },
      { title: 'Field engineer', company_name: 'Sibling' },
    ]);
    const [entry] = (await admin.get('/history', { entity: 'role', entity_id: first.id })).data;
    expect(entry).toMatchObject({ action: 'roles.new', before: null, after: { permissions: ['view_devices', 'update_devices'] } });
  });

  test('the call comes as parts too, as clients written for RMS send it', async () => {
    await using world = await makeWorld();
    const admin = await as(world, 'super_admin');
    const parts = { title: 'Features', description: '', 'company_id[0]': admin.user.company_id, 'permission_id[0]': idsOf('view_tags')[0] };
    const body = Object.entries(parts)
      .map(([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('');
    const answer = await admin.post('/roles', `${body}--x--\r\n`, { 'content-type': 'multipart/form-data; boundary=x' });
    expect([answer.status, answer.errors]).toEqual([201, []]);
  });

  test('a role is made in every company of the call or in none', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const body = { title: 'Half', company_id: [middle.id, foreign.id], permission_id: [] };
    expect(await admin.post('/roles', body)).toMatchObject({ status: 404, errors: [{ source: 'company_id.1' }] });
    expect((await admin.get('/roles', { q: 'Half' })).meta['total']).toBe(0);
    expect((await admin.post('/roles', { ...body, company_id: [middle.id] })).status).toBe(201);
    expect(await admin.post('/roles', { ...body, company_id: [top.id, middle.id] })).toMatchObject({
      status: 409,
      errors: [{ code: 'NAME_TAKEN', source: 'title' }],
    });
    expect((await admin.get('/roles', { q: 'Half' })).meta['total']).toBe(1);
  });

  test('nobody puts a permission or a reach into a role that they lack, nor the one of the system administrator [AC5]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const keeper = await asKeeper(world, top, [], 'company');
    const role = await makeRole(world, { company: top, permissions: ['view_tags'], scope: 'company' });
    const making = { title: 'New', company_id: [top.id] };
    for (const [names, code] of [
      [['delete_devices'], 'PERMISSION_NOT_HELD'],
      // Its view is what is missing.
      [['create_users', 'view_tags'], 'PERMISSION_NOT_HELD'],
      [['super_admin'], 'PERMISSION_RESERVED'],
    ] as [PermissionName[], string][]) {
      const permission_id = idsOf(...names);
      expect((await keeper.post('/roles', { ...making, permission_id })).errors).toMatchObject([{ code, source: 'permission_id' }]);
      expect((await keeper.put(`/roles/${role.id}`, { title: 'R', permission_id })).codes).toEqual([code]);
      expect((await keeper.put('/roles/permissions', { role_id: [role.id], permission_id })).codes).toEqual([code]);
    }
    expect((await keeper.post('/roles', { ...making, permission_id: [999_999] })).errors).toMatchObject([{ source: 'permission_id.0' }]);
    expect((await keeper.post('/roles', { ...making, scope: 'tree', permission_id: [] })).errors).toMatchObject([
      { code: 'SCOPE_TOO_WIDE', source: 'scope' },
    ]);
    expect((await keeper.put(`/roles/${role.id}`, { title: 'R', scope: 'tree' })).codes).toEqual(['SCOPE_TOO_WIDE']);
    expect(await permissionsOf(world, role.id)).toEqual(['view_tags']);
    const admin = await as(world, 'super_admin', { company: top });
    expect((await admin.post('/roles', { ...making, permission_id: idsOf('super_admin') })).codes).toEqual(['PERMISSION_RESERVED']);
  });

  test('nobody changes a built-in role, their own, a stronger one, or one of a company above [AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const keeper = await asKeeper(world, middle);
    const strong = await makeRole(world, { company: middle, permissions: ['delete_devices'] });
    const above = await makeRole(world, { company: top, permissions: ['view_tags'] });
    const wide = await makeRole(world, { company: middle, permissions: ['view_tags'], scope: 'all' });
    for (const [id, code] of [
      [roleIdOf('end_user'), 'BUILT_IN_ROLE'],
      [keeper.user.role_id, 'OWN_ROLE'],
      [strong.id, 'ROLE_TOO_STRONG'],
      [wide.id, 'ROLE_TOO_STRONG'],
      [above.id, 'NOT_FOUND'],
      [roleIdOf('super_admin'), 'NOT_FOUND'],
    ] as [number, string][]) {
      const before = await permissionsOf(world, id);
      expect([id, (await keeper.put(`/roles/${id}`, { title: 'Mine', permission_id: idsOf('view_tags') })).codes]).toEqual([id, [code]]);
      expect([id, (await keeper.delete(`/roles/${id}`)).codes]).toEqual([id, [code]]);
      const many = await keeper.put('/roles/permissions', { role_id: [id], permission_id: [] });
      expect([id, many.status, many.data, many.errors]).toMatchObject([id, 207, [], [{ code, source: 'role_id.0' }]]);
      expect(await permissionsOf(world, id)).toEqual(before);
    }
  });

  test('a role that one holds in another company is one’s own too [AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const keeper = await asKeeper(world, top);
    const role = await makeRole(world, { company: middle, permissions: ['view_tags'] });
    await insertMembership(world.ctx.db, { userId: keeper.user.id, companyId: middle.id, roleId: role.id, at: world.clock.now() });
    expect((await keeper.put(`/roles/${role.id}`, { title: 'Mine', permission_id: idsOf('view_users') })).codes).toEqual(['OWN_ROLE']);
  });

  test('permissions of several roles are overwritten at once, and those that cannot be are named', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const keeper = await asKeeper(world, top);
    const first = await makeRole(world, { company: top, permissions: ['view_users'] });
    const second = await makeRole(world, { company: top, permissions: [] });
    const strong = await makeRole(world, { company: top, permissions: ['delete_devices'] });
    const answer = await keeper.put('/roles/permissions', { role_id: [first.id, strong.id, second.id], permission_id: idsOf('view_tags') });
    expect(answer).toMatchObject({ status: 207, data: [first.id, second.id], errors: [{ code: 'ROLE_TOO_STRONG', source: 'role_id.1' }] });
    expect(await permissionsOf(world, first.id)).toEqual(['view_tags']);
    expect(await permissionsOf(world, strong.id)).toEqual(['delete_devices']);
    expect(await keeper.put('/roles/permissions', { role_id: [first.id], permission_id: [] })).toMatchObject({
      status: 200,
      data: [first.id],
    });
    expect(await permissionsOf(world, first.id)).toEqual([]);
  });

  test('a role that somebody holds is not removed, and says who holds it', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const role = await makeRole(world, { company: top, permissions: ['view_tags'] });
    const user = await makeUser(world, { company: middle, role, username: 'Kari Nordmann' });
    expect(await admin.delete(`/roles/${role.id}`)).toMatchObject({
      status: 409,
      errors: [{ code: 'ROLE_IN_USE', params: { count: 1, names: 'Kari Nordmann' } }],
    });
    const narrow = await asKeeper(world, top, [], 'company');
    const elsewhere = await makeRole(world, { company: top, permissions: ['view_tags'], scope: 'company' });
    await makeUser(world, { company: middle, role: elsewhere, username: 'Hidden Person' });
    const refused = await narrow.delete(`/roles/${elsewhere.id}`);
    expect([refused.codes, refused.text.includes('Hidden')]).toEqual([['ROLE_IN_USE'], false]);
    await world.ctx.db.deleteFrom('users').where('id', '=', user.id).execute();
    expect((await admin.delete(`/roles/${role.id}`)).status).toBe(200);
    expect((await admin.get(`/roles/${role.id}`)).status).toBe(404);
  });

  test('holders are counted as far as the caller sees them', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    for (const company of [top, middle, middle, sibling]) await makeUser(world, { company, role: 'read_only' });
    const countFor = async (company: { id: number }): Promise<number> => {
      const admin = await as(world, 'admin', { company });
      return (await admin.get(`/roles/${roleIdOf('read_only')}`)).data.users_count;
    };
    expect([await countFor(top), await countFor(middle), await countFor(sibling)]).toEqual([4, 2, 1]);
  });

  test('a change of a role is felt with the next call of an open session', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const role = await makeRole(world, { company: top, permissions: [] });
    const holder = await asUser(world, await makeUser(world, { company: top, role }));
    expect((await holder.get('/tags')).status).toBe(403);
    await admin.put(`/roles/${role.id}`, { title: 'Tagger', permission_id: idsOf('update_tags') });
    expect((await holder.get('/tags')).status).toBe(200);
    expect((await holder.get('/user')).data.permissions).toEqual(['view_tags', 'update_tags']);
    await admin.put(`/roles/${role.id}`, { title: 'Tagger', permission_id: [] });
    expect((await holder.get('/tags')).status).toBe(403);
  });

  test('who may not see permissions does not set them by the way', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const blind = await as(world, await makeRole(world, { company: top, permissions: ['view_roles', 'update_roles', 'view_tags'] }), {
      company: top,
    });
    const role = await makeRole(world, { company: top, permissions: ['view_tags'] });
    expect((await blind.get(`/roles/${role.id}`)).data).not.toHaveProperty('permission_id');
    expect((await blind.put(`/roles/${role.id}`, { title: 'X', permission_id: [] })).codes).toEqual(['UNKNOWN_FIELD']);
    expect((await blind.put(`/roles/${role.id}`, { title: 'Renamed' })).data).toMatchObject({ title: 'Renamed' });
    expect(await permissionsOf(world, role.id)).toEqual(['view_tags']);
  });
});

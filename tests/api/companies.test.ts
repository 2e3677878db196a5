import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTree, makeUser } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('the list of companies', () => {
  test('shows the own company and those below, and nothing above: no name, no number, no step of the path [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const { data, meta } = await admin.get('/companies', { sort: 'level' });
    expect(data.map((row: { name: string }) => row.name)).toEqual(['Middle', 'Bottom']);
    expect(meta['total']).toBe(2);
    expect(data[0]).toMatchObject({ parent_id: null, parent_name: null, path: [{ id: middle.id, name: 'Middle' }] });
    expect(data[1]).toMatchObject({
      parent_id: middle.id,
      parent_name: 'Middle',
      path: [
        { id: middle.id, name: 'Middle' },
        { id: bottom.id, name: 'Bottom' },
      ],
    });
  });

  test('the company above the own one cannot be found out by filter or sort [AC3]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.get('/companies', { parent_id: top.id })).data).toEqual([]);
    expect((await admin.get('/companies', { parent_id: middle.id })).meta['total']).toBe(1);
  });

  test('counts its own devices and users exactly and sorts by them', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    for (let index = 0; index < 3; index += 1) await makeDevice(world, { company: bottom });
    await makeDevice(world, { company: middle });
    await makeUser(world, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    const { data } = await admin.get('/companies', { sort: '-devices_count,name' });
    expect(
      data.map((row: { name: string; devices_count: number; users_count: number }) => [row.name, row.devices_count, row.users_count]),
    ).toEqual([
      ['Bottom', 3, 1],
      ['Middle', 1, 0],
      ['Sibling', 0, 0],
      ['Top', 0, 1],
    ]);
    expect(data.find((row: { id: number }) => row.id === sibling.id).level).toBe(2);
  });

  test('takes the sort keys of programs that were made for the public API', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    await makeDevice(world, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    const names = async (sort: string) => (await admin.get('/companies', { sort })).data.map((row: { name: string }) => row.name);
    for (const [theirs, ours] of [
      ['company_name', 'name'],
      ['-company_name', '-name'],
      ['device_count', 'devices_count'],
      ['-device_count', '-devices_count'],
      ['-created_at', '-crated_at'],
    ] as const)
      expect(await names(theirs), theirs).toEqual(await names(ours));
    expect((await names('-device_count'))[0]).toBe('Bottom');
    expect(await names('-company_name')).toEqual(['Top', 'Sibling', 'Middle', 'Bottom']);
    expect((await admin.get('/companies', { sort: 'devices' })).errors[0]?.source).toBe('sort');
  });

  test('finds names with letters of other scripts in upper or lower case, and takes wildcard characters literally', async () => {
    await using world = await makeWorld();
    const top = await makeCompany(world);
    await makeCompany(world, { name: 'Кабель Ødegård', parent: top });
    await makeCompany(world, { name: '100% Fiber_Net', parent: top });
    const admin = await as(world, 'admin', { company: top });
    const found = async (q: string) => (await admin.get('/companies', { q })).data.map((row: { name: string }) => row.name);
    expect(await found('кабель øde')).toEqual(['Кабель Ødegård']);
    expect(await found('0% f')).toEqual(['100% Fiber_Net']);
    expect(await found('r_n')).toEqual(['100% Fiber_Net']);
    expect(await found('r%n')).toEqual([]);
  });

  test('one company of another tree is answered like one that never existed [AC2]', async () => {
    await using world = await makeWorld();
    const { middle, foreign, sibling } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const never = await admin.get('/companies/987654321');
    for (const id of [foreign.id, sibling.id]) {
      const answer = await admin.get(`/companies/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(never.text);
    }
  });
});

describe('adding a company', () => {
  test('puts it one level below its parent, with its history', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const made = await admin.post('/companies', { name: 'New Branch', parent_id: top.id });
    expect(made.status).toBe(201);
    const { data } = await admin.get(`/companies/${made.data.id}`);
    expect(data).toMatchObject({ name: 'New Branch', level: 2, parent_id: top.id, devices_count: 0 });
    const row = await world.ctx.db.selectFrom('audit').selectAll().where('entity', '=', 'company').executeTakeFirstOrThrow();
    expect(row).toMatchObject({ action: 'companies.new', entity_id: made.data.id, before: null });
    expect(JSON.parse(row.after ?? '')).toMatchObject({ name: 'New Branch', path: `/${top.id}/${made.data.id}/` });
  });

  test('below the third level is refused', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answer = await admin.post('/companies', { name: 'Too deep', parent_id: bottom.id });
    expect(answer.status).toBe(409);
    expect(answer.errors[0]).toMatchObject({ code: 'COMPANY_TOO_DEEP', source: 'parent_id' });
  });

  test.each(['ab', 'x'.repeat(201), 'a/b c', 'a:bcd', 'say "no"', "it's", ' lead', 'line\nbreak'])(
    'refuses the name %j at its field',
    async (name) => {
      await using world = await makeWorld();
      const { top } = await makeTree(world);
      const admin = await as(world, 'admin', { company: top });
      const answer = await admin.post('/companies', { name, parent_id: top.id });
      expect(answer.status).toBe(400);
      expect(answer.errors[0]).toMatchObject({ code: 'INVALID_FIELD', source: 'name' });
    },
  );

  test('a name that a sibling has is refused at its field; elsewhere it is free', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const taken = await admin.post('/companies', { name: 'Sibling', parent_id: top.id });
    expect(taken.status).toBe(409);
    expect(taken.errors[0]).toMatchObject({ code: 'NAME_TAKEN', source: 'name', params: { name: 'Sibling' } });
    expect((await admin.post('/companies', { name: 'Sibling', parent_id: middle.id })).status).toBe(201);
  });

  test('two at once with one name: one is made', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('/companies', { name: 'Race', parent_id: top.id })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  test('below a company of another tree is "not found" at the parent, and nothing is made [AC1]', async () => {
    await using world = await makeWorld();
    const { middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const answer = await admin.post('/companies', { name: 'Intruder', parent_id: foreign.id });
    expect(answer.errors).toMatchObject([{ code: 'NOT_FOUND', source: 'parent_id' }]);
    expect(await world.ctx.db.selectFrom('companies').select('id').where('name', '=', 'Intruder').execute()).toEqual([]);
  });

  test('no other column can be set [AC4]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answer = await admin.post('/companies', { name: 'Sneaky', parent_id: top.id, level: 1, path: '/', id: 1 });
    expect(answer.status).toBe(400);
    expect(answer.errors.map((error) => error.source).sort()).toEqual(['id', 'level', 'path']);
  });
});

describe('renaming and settings', () => {
  test('a company gets another name; the same name changes nothing', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.put(`/companies/${middle.id}`, { name: 'Renamed' })).data).toMatchObject({ id: middle.id, name: 'Renamed' });
    await admin.put(`/companies/${middle.id}`, { name: 'Renamed' });
    const rows = await world.ctx.db.selectFrom('audit').select(['action', 'before', 'after']).where('entity', '=', 'company').execute();
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0]?.before ?? '')).toMatchObject({ name: 'Middle' });
    expect((await admin.put(`/companies/${middle.id}`, { name: 'Sibling' })).codes).toEqual(['NAME_TAKEN']);
  });

  test('who does not see the companies beside the own one may give it any name, and learns nothing of theirs [HF9]', async () => {
    await using world = await makeWorld();
    const { middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const [existing, fresh] = [
      await admin.put(`/companies/${middle.id}`, { name: 'Sibling' }),
      await admin.put(`/companies/${middle.id}`, { name: 'Nobody' }),
    ];
    const plain = (text: string) => text.replace(/Sibling|Nobody/g, 'NAME').replace(/"updated_at":"[^"]*"/, '');
    expect([existing.status, plain(existing.text)]).toEqual([200, plain(fresh.text)]);
  });

  test('of two companies that want one name at the same time one gets it [HF9]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.post('/companies', { name: 'Twin', parent_id: top.id })));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  test('it has an address where it is reached, checked at its field, gone when it is sent without, and back when that is undone', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const email = 'post@middle.example';
    const path = `/companies/${middle.id}`;
    expect((await admin.get(path)).data).toMatchObject({ email: null });
    const wrong = await admin.put(path, { name: 'Middle', email: 'nobody' });
    expect(wrong.errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'email' }]);
    expect((await admin.put(path, { name: 'Middle', email })).data).toMatchObject({ name: 'Middle', email });
    expect((await admin.put(path, { name: 'Middle' })).data).toMatchObject({ email: null });
    const { data } = await admin.get('/history');
    expect((await admin.post(`/history/${data[0].id}/undo`, {})).status).toBe(200);
    expect((await admin.get(path)).data).toMatchObject({ name: 'Middle', email });
  });

  test('whether it uses the credits of its parent is said from above, and only where there is a parent', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const inside = await as(world, 'admin', { company: middle });
    const root = await as(world, 'super_admin', { company: top });
    const flags = { can_use_parent_license: true };
    expect((await inside.put(`/companies/${middle.id}/flags`, flags)).status).toBe(403);
    expect((await root.put(`/companies/${top.id}/flags`, flags)).codes).toEqual(['COMPANY_WITHOUT_PARENT']);
    expect((await admin.put(`/companies/${middle.id}/flags`, flags)).data).toMatchObject({ id: middle.id, can_use_parent_license: true });
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'companies.flags', entity_name: 'Middle' });
  });

  test.each(['readonly_admin', 'read_only', 'end_user'] as const)('a %s changes no company [AC1]', async (role) => {
    await using world = await makeWorld();
    const { middle, bottom } = await makeTree(world);
    const caller = await as(world, role, { company: middle });
    expect((await caller.post('/companies', { name: 'Nope', parent_id: middle.id })).status).toBe(403);
    expect((await caller.put(`/companies/${middle.id}`, { name: 'Nope' })).status).toBe(403);
    expect((await caller.delete(`/companies/${bottom.id}`)).status).toBe(403);
  });
});

describe('the tree of companies', () => {
  test('is given branch by branch, with counts of each company itself and of all below it', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    await makeDevice(world, { company: bottom });
    await makeDevice(world, { company: middle });
    await makeUser(world, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    const roots = await admin.get('/companies/tree');
    expect(roots.data).toEqual([
      {
        ...{ id: top.id, name: 'Top', level: 1, parent_id: null, children_count: 2, is_match: true },
        ...{ devices_count: 0, devices_below: 2, users_count: 1, users_below: 2 },
      },
    ]);
    const below = await admin.get('/companies/tree', { parent_id: top.id, limit: 1 });
    expect(below.data).toMatchObject([{ name: 'Middle', children_count: 1, devices_count: 1, devices_below: 2 }]);
    expect(below.meta['total']).toBe(2);
    expect((await admin.get('/companies/tree', { parent_id: top.id, limit: 1, offset: 1 })).data).toMatchObject([{ name: 'Sibling' }]);
  });

  test('a search gives what matches with all above it', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { data, meta } = await admin.get('/companies/tree', { q: 'botto' });
    expect(data.map((row: { name: string; is_match: boolean }) => [row.name, row.is_match]).sort()).toEqual([
      ['Bottom', true],
      ['Middle', false],
      ['Top', false],
    ]);
    expect(meta['total']).toBe(1);
  });

  test('nothing above the own company is in it, nor below for those who see one company [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: middle });
    const client = await as(world, 'end_user', { company: middle });
    expect((await admin.get('/companies/tree')).data).toMatchObject([{ id: middle.id, parent_id: null }]);
    expect((await admin.get('/companies/tree', { parent_id: top.id })).data).toEqual([]);
    expect((await admin.get('/companies/tree', { q: 'bottom' })).data).toHaveLength(2);
    expect((await client.get('/companies/tree')).data).toMatchObject([{ id: middle.id, children_count: 0, users_below: 2 }]);
    expect((await client.get('/companies/tree', { id: bottom.id })).data).toEqual([]);
  });

  test('a removed company is neither in it nor counted', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    await makeDevice(world, { company: bottom });
    const admin = await as(world, 'admin', { company: top });
    await admin.delete(`/companies/${middle.id}`);
    expect((await admin.get('/companies/tree')).data).toMatchObject([{ children_count: 1, devices_below: 0 }]);
    expect((await admin.get('/companies/tree', { parent_id: top.id })).data).toMatchObject([{ name: 'Sibling' }]);
  });
});

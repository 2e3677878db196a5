import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeEnrolmentCode, makeTag, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

async function places(world: World): Promise<Record<string, string>> {
  const rows = await world.ctx.db.selectFrom('companies').select(['name', 'path', 'level']).orderBy('id').execute();
  return Object.fromEntries(rows.map((row) => [row.name, `${row.path} ${row.level}`]));
}

describe('moving a company', () => {
  test('takes all below it along: addresses, levels, and who sees it', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const branch = await makeCompany(world, { name: 'Branch', parent: sibling });
    const device = await makeDevice(world, { company: branch });
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.post('/companies/move', { source: branch.id, target: middle.id })).status).toBe(200);
    expect(await places(world)).toMatchObject({ Branch: `/${top.id}/${middle.id}/${branch.id}/ 3` });
    expect((await admin.get(`/companies/${branch.id}`)).data).toMatchObject({ parent_id: middle.id, level: 3 });
    const [former, present] = [await as(world, 'admin', { company: sibling }), await as(world, 'admin', { company: middle })];
    expect((await former.get(`/devices/${device.id}`)).status).toBe(404);
    expect((await present.get(`/devices/${device.id}`)).status).toBe(200);
    const { data } = await admin.get('/history');
    expect(data[0]).toMatchObject({ action: 'companies.move', entity_name: 'Branch' });
  });

  test('a whole branch becomes one level higher or lower', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.post('/companies/move', { source: bottom.id, target: top.id })).status).toBe(200);
    expect((await admin.post('/companies/move', { source: middle.id, target: sibling.id })).status).toBe(200);
    expect(await places(world)).toMatchObject({
      Bottom: `/${top.id}/${bottom.id}/ 2`,
      Middle: `/${top.id}/${sibling.id}/${middle.id}/ 3`,
    });
  });

  test('is refused under itself, too deep, out of its tree, where it is, and for the own company; each at its field [AC6]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: foreign });
    const before = await places(world);
    const refused = async (source: number, target: number, caller = root) => {
      const answer = await caller.post('/companies/move', { source, target });
      return [answer.status, answer.codes[0], answer.errors[0]?.source];
    };
    expect(await refused(middle.id, middle.id)).toEqual([409, 'COMPANY_UNDER_ITSELF', 'target']);
    expect(await refused(middle.id, bottom.id)).toEqual([409, 'COMPANY_UNDER_ITSELF', 'target']);
    expect(await refused(top.id, bottom.id)).toEqual([409, 'COMPANY_UNDER_ITSELF', 'target']);
    expect(await refused(bottom.id, middle.id)).toEqual([409, 'COMPANY_THERE_ALREADY', 'target']);
    expect(await refused(middle.id, sibling.id)).toEqual([409, 'COMPANY_TOO_DEEP', 'target']);
    expect(await refused(bottom.id, foreign.id)).toEqual([409, 'COMPANY_ELSEWHERE', 'target']);
    expect(await refused(top.id, foreign.id)).toEqual([409, 'COMPANY_ELSEWHERE', 'target']);
    const admin = await as(world, 'admin', { company: middle });
    expect(await refused(middle.id, sibling.id, admin)).toEqual([404, 'NOT_FOUND', 'target']);
    expect(await refused(sibling.id, middle.id, admin)).toEqual([404, 'NOT_FOUND', 'source']);
    expect(await refused(middle.id, bottom.id, admin)).toEqual([403, 'FORBIDDEN', undefined]);
    expect(await places(world)).toEqual(before);
  });

  test('only who may move companies', async () => {
    await using world = await makeWorld();
    const { top, bottom } = await makeTree(world);
    for (const role of ['end_user', 'readonly_admin', 'read_only'] as const) {
      const caller = await as(world, role, { company: top });
      expect((await caller.post('/companies/move', { source: bottom.id, target: top.id })).status).toBe(403);
    }
  });

  test('a name that the new parent has already is refused, and nothing is moved', async () => {
    await using world = await makeWorld();
    const { top, middle, bottom } = await makeTree(world);
    await makeCompany(world, { name: 'Bottom', parent: top });
    const admin = await as(world, 'admin', { company: top });
    expect(await admin.post('/companies/move', { source: bottom.id, target: top.id })).toMatchObject({
      status: 409,
      codes: ['NAME_TAKEN'],
      errors: [{ source: 'source' }],
    });
    expect((await admin.get(`/companies/${bottom.id}`)).data.parent_id).toBe(middle.id);
  });

  test('sessions of the moved people and of those who lose sight of them end; others stay [AC6]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const caller = await as(world, 'admin', { company: top });
    const [moved, former, future] = [
      await as(world, 'end_user', { company: bottom }),
      await as(world, 'admin', { company: middle }),
      await as(world, 'admin', { company: sibling }),
    ];
    await caller.post('/companies/move', { source: bottom.id, target: sibling.id });
    const statuses = await Promise.all([moved, former, future, caller].map(async (person) => (await person.get('/user')).status));
    expect(statuses).toEqual([401, 401, 200, 200]);
  });

  test('tags of companies that are above no more come off devices and enrolment codes [AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling, bottom } = await makeTree(world);
    const [lost, kept] = [await makeTag(world, { company: middle }), await makeTag(world, { company: top })];
    const device = await makeDevice(world, { company: bottom, tags: [lost, kept] });
    const code = await makeEnrolmentCode(world, { company: bottom, tags: [lost, kept] });
    const caller = await as(world, 'admin', { company: top });
    await caller.post('/companies/move', { source: bottom.id, target: sibling.id });
    const { db } = world.ctx;
    expect(await db.selectFrom('device_tags').select('tag_id').where('device_id', '=', device.id).execute()).toEqual([{ tag_id: kept.id }]);
    expect(await db.selectFrom('enrolment_codes').select('tag_ids').where('id', '=', code.id).executeTakeFirstOrThrow()).toEqual({
      tag_ids: JSON.stringify([kept.id]),
    });
    expect((await caller.get('/history', { entity: 'device', entity_id: device.id })).data).toMatchObject([
      { action: 'devices.unassign-tags', before: { tag_id: [lost.id, kept.id] }, after: { tag_id: [kept.id] } },
    ]);
  });
});

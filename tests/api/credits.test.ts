import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { BALANCED, left, makeCode, move, paid, sums } from '../helpers/credits.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('credits', () => {
  test('are made by system administrators, moved by administrators, and seen per company and type', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const admin = await as(world, 'admin', { company: top });
    expect((await root.post('/credits', paid(top.id, 100))).status).toBe(201);
    expect((await root.post('/credits', { credit_type_id: 1, credit_count: 3, company_id: middle.id })).status).toBe(201);
    expect((await admin.post('/credits/move', move(top.id, middle.id, 40))).status).toBe(200);
    expect([await left(admin, top.id), (await admin.get('/credits', { company_id: middle.id })).meta['total']]).toEqual([60, 2]);
    expect((await admin.get('/credits/summary')).data.credits.left).toMatchObject([
      { credit_type_id: 1, payment_type: 'free', credits_left: 3 },
      { credit_type_id: 2, payment_type: null, credits_left: 100 },
    ]);
    expect((await admin.get('/credits/summary', { company_id: middle.id })).data.credits.left).toMatchObject([
      { credit_type_id: 1, credits_left: 3 },
      { credit_type_id: 2, credits_left: 40 },
    ]);
    expect((await admin.get('/credits/summary', { company_id: foreign.id })).status).toBe(404);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'credits.move', entity_name: 'Top' });
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('price and pro-forma number belong to paid types, and every number has its bounds, reported at its field [F3]', async () => {
    await using world = await makeWorld();
    const root = await as(world, 'super_admin');
    const company_id = root.user.company_id;
    const sources = async (path: string, body: object) =>
      [...new Set((await root.post(path, body)).errors.map((error) => error.source))].sort();
    for (const credit_type_id of [2, 4, 6, 8, 10, 12, 14])
      expect(await sources('/credits', { credit_type_id, credit_count: 1, company_id })).toEqual(['credit_price', 'pro_form_nr']);
    for (const credit_type_id of [1, 3, 5, 7, 9, 11, 13])
      expect(await sources('/credits', { ...paid(company_id, 1), credit_type_id })).toEqual(['credit_price', 'pro_form_nr']);
    expect(await sources('/credits', {})).toEqual(['company_id', 'credit_count', 'credit_type_id']);
    for (const credit_price of [-1, 0.001, '1', 1e300])
      expect(await sources('/credits', { ...paid(company_id, 1), credit_price })).toEqual(['credit_price']);
    for (const amount of [0, -5, 1.5, '01', 1_000_000_000_000, null])
      expect([amount, await sources('/credits/codes', { credit_type_name: 'credit', company_id, amount })]).toEqual([amount, ['amount']]);
    expect(await sources('/credits/codes', { credit_type_name: 'credit', company_id, amount: 1, comment: 'x'.repeat(201) })).toEqual([
      'comment',
    ]);
    expect(await sources('/credits/codes', { credit_type_name: 'credit', amount: 1 })).toEqual(['company_id']);
    for (const credits of ['', 'x', '-1', '1.5', '1'.repeat(15), '000', true, null, [5], {}])
      expect([credits, await sources('/companies/data', { company_id, credits })]).toEqual([credits, ['credits']]);
  });

  test('roles without the right make and move nothing, and companies out of sight are unknown [AC1 AC2]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(foreign.id, 10));
    await root.post('/credits', paid(middle.id, 10));
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.post('/credits', paid(middle.id, 1))).status, 'BL1 only system administrators make credits').toBe(403);
    expect(await admin.post('/credits/move', move(foreign.id, middle.id, 1))).toMatchObject({
      status: 404,
      errors: [{ source: 'source' }],
    });
    expect(await admin.post('/credits/move', move(middle.id, top.id, 1))).toMatchObject({ status: 404, errors: [{ source: 'target' }] });
    expect(await admin.post('/companies/data', { company_id: foreign.id, credits: '1' })).toMatchObject({
      status: 404,
      errors: [{ source: 'company_id' }],
    });
    expect(await admin.post('/credits/codes', { credit_type_name: 'credit', company_id: top.id, amount: 1 })).toMatchObject({
      status: 400,
      errors: [{ source: 'company_id' }],
    });
    expect((await admin.get('/credits')).meta['total']).toBe(1);
    expect((await admin.get('/credits/types')).data.every((type: { payment_type: string | null }) => type.payment_type === null)).toBe(
      true,
    );
    for (const role of ['end_user', 'readonly_admin', 'read_only'] as const) {
      const caller = await as(world, role, { company: middle });
      expect((await caller.post('/credits/move', move(middle.id, middle.id, 1))).status).toBe(403);
    }
  });

  test('what data costs is sent as text of digits or as a number, by the same rules and with the same words', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    const buy = (credits: string | number) => root.post('/companies/data', { company_id: top.id, credits });
    expect(await buy(7)).toMatchObject({ status: 200 });
    expect(await left(root, top.id)).toBe(3);
    for (const credits of [0, -1, 1.5, 1e15, 1e22, 4]) {
      const refused = await buy(credits);
      expect([credits, refused.errors]).toEqual([credits, (await buy(String(credits))).errors]);
      expect(refused.errors).toMatchObject([{ source: 'credits' }]);
    }
    expect(await left(root, top.id)).toBe(3);
    const { paths } = JSON.parse((await root.get('/docs/json')).text);
    const { schema } = paths['/api/companies/data'].post.requestBody.content['application/json'];
    expect(schema.properties.credits.type).toEqual(['string', 'integer']);
  });

  test('data costs a credit for two gigabytes; leading zeros mean nothing', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    expect((await root.post('/companies/data', { company_id: top.id, credits: '0007' })).status).toBe(200);
    expect(await root.post('/companies/data', { company_id: top.id, credits: '4' })).toMatchObject({
      status: 409,
      codes: ['CREDITS_SHORT'],
      errors: [{ source: 'credits' }],
    });
    expect(await left(root, top.id)).toBe(3);
    const kept = await world.ctx.db.selectFrom('audit').select('after').where('action', '=', 'companies.data').execute();
    expect(JSON.parse(kept[0]?.after ?? '')).toEqual({ credits: 7, gigabytes: 14 });
  });

  test('credits that end are spent first, and not after their day', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const day = (days: number): string => new Date(world.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect((await root.post('/credits', { ...paid(top.id, 5), expire_at: day(-1) })).errors[0]?.source).toBe('expire_at');
    await root.post('/credits', paid(top.id, 5));
    await root.post('/credits', { ...paid(top.id, 5), expire_at: day(30) });
    await root.post('/credits', { ...paid(top.id, 5), expire_at: day(2) });
    await root.post('/credits/move', move(top.id, middle.id, 7));
    expect((await root.get('/credits', { company_id: middle.id, sort: 'expire_at' })).data).toMatchObject([
      { credit_left: 5, expire_at: `${day(2)} 23:59:59` },
      { credit_left: 2, expire_at: `${day(30)} 23:59:59` },
    ]);
    const { code } = await makeCode(root, middle.id, 1);
    await world.clock.jump(4 * 86_400_000);
    const later = await as(world, 'super_admin', { company: top });
    expect((await later.post('/credits/codes/activate', { code })).codes, 'a code ends with its credits').toEqual(['CREDIT_CODE_REFUSED']);
    expect(await later.post('/credits/move', move(middle.id, top.id, 3))).toMatchObject({
      codes: ['CREDITS_SHORT'],
      errors: [{ params: { left: 2 } }],
    });
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('credits of a removed company stay where they are until it comes back', async () => {
    await using world = await makeWorld();
    const { top, sibling } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(sibling.id, 2));
    expect((await root.get(`/companies/${sibling.id}/contents`)).data).toMatchObject({ credits: 2 });
    await root.delete(`/companies/${sibling.id}`);
    expect((await root.get('/credits')).data).toEqual([]);
    expect(await sums(world)).toEqual(BALANCED);
    await root.post(`/companies/${sibling.id}/restore`, {});
    expect((await root.get('/credits')).data).toMatchObject([{ company_id: sibling.id, credit_left: 2 }]);
  });
});

import { describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { BALANCED, left, makeCode, move, paid, sums } from '../helpers/credits.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

describe('codes that carry credits', () => {
  test('a code is worth its credits once, however many try it at the same time, and is readable nowhere [BL1]', async () => {
    await using world = await makeWorld();
    const { top, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    expect(await root.post('/credits/codes', { credit_type_name: 'credit', company_id: top.id, amount: 11 })).toMatchObject({
      status: 409,
      codes: ['CREDITS_SHORT'],
    });
    const { data, meta } = await root.post('/credits/codes', {
      credit_type_name: 'credit',
      company_id: top.id,
      amount: 10,
      comment: 'quay',
    });
    expect(meta['credit_code']).toBe(data.code);
    expect(data.code).toMatch(/^[0-9A-Z]{32}$/);
    const kept = await Promise.all(
      (['credit_codes', 'audit'] as const).map((table) => world.ctx.db.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(kept) + world.log()).not.toContain(data.code);
    const admin = await as(world, 'admin', { company: foreign });
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => admin.post('/credits/codes/activate', { code: data.code.toLowerCase() })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 403).map((answer) => answer.codes[0])).toEqual(
      Array.from({ length: 8 }, () => 'CREDIT_CODE_REFUSED'),
    );
    expect([await left(root, top.id), await left(admin, foreign.id)]).toEqual([0, 10]);
    expect((await root.get('/credits/codes')).data[0]).toMatchObject({
      code_hint: data.code.slice(-4),
      is_used: true,
      comment: 'quay',
      credits_amount: 10,
    });
    await admin.post('/credits/codes/activate', { code: 'guess' });
    expect((await admin.post('/credits/codes/activate', { code: 'guess' })).status, 'guessing is slowed').toBe(429);
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('an end client takes a code into the own company, and makes and moves nothing; guests take none [AC1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    const { code } = await makeCode(root, top.id, 4);
    for (const role of ['readonly_admin', 'read_only'] as const) {
      const guest = await as(world, role, { company: middle });
      expect((await guest.post('/credits/codes/activate', { code })).codes).toEqual(['FORBIDDEN']);
    }
    const client = await as(world, 'end_user', { company: middle });
    expect(await client.post('/credits/codes/activate', { code })).toMatchObject({ status: 200, data: { amount: 4 } });
    expect(await left(root, middle.id)).toBe(4);
    expect((await client.post('/credits/codes', { credit_type_name: 'credit', amount: 1 })).codes).toEqual(['FORBIDDEN']);
    expect((await client.post('/credits/move', move(middle.id, top.id, 1))).codes).toEqual(['FORBIDDEN']);
  });

  test('a code that nobody used can be deleted, and its credits are back; a used one stays', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    const unused = await makeCode(root, top.id, 4);
    const used = await makeCode(root, top.id, 6);
    expect(await left(root, top.id)).toBe(0);
    const admin = await as(world, 'admin', { company: middle });
    await admin.post('/credits/codes/activate', { code: used.code });
    expect((await admin.delete(`/credits/codes/${unused.id}`)).status, 'a code of a company out of sight').toBe(404);
    expect(await root.delete(`/credits/codes/${used.id}`)).toMatchObject({ status: 409, codes: ['CREDIT_CODE_USED'] });
    expect((await root.put(`/credits/codes/${unused.id}`, { comment: 'for the quay' })).status).toBe(200);
    expect((await root.get(`/credits/codes/${unused.id}`)).data).toMatchObject({ comment: 'for the quay', is_used: false });
    const answers = await Promise.all(Array.from({ length: 50 }, () => root.delete(`/credits/codes/${unused.id}`)));
    expect(
      answers.filter((answer) => answer.status === 200),
      'fifty at once give the credits back once [BL1]',
    ).toHaveLength(1);
    expect(await left(root, top.id)).toBe(4);
    expect((await admin.post('/credits/codes/activate', { code: unused.code })).codes).toEqual(['CREDIT_CODE_REFUSED']);
    expect((await root.get('/credits/codes', { is_used: 1 })).data).toMatchObject([{ id: used.id, used_by_company_name: 'Middle' }]);
    expect((await root.get('/credits/codes', { is_used: 0 })).data).toEqual([]);
    expect(await sums(world)).toEqual(BALANCED);
  });
});

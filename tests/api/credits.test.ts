import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const paid = (company_id: number, credit_count: number) => ({
  credit_type_id: 2,
  credit_count,
  company_id,
  credit_price: 9.99,
  pro_form_nr: 'PF-1',
});
const move = (source: number, target: number, amount: number) => ({ credit_type_name: 'credit', source, target, amount });

async function left(caller: Caller, company_id: number): Promise<number> {
  const { data } = await caller.get('/credits', { company_id });
  return data[0]?.credit_left ?? 0;
}

async function makeCode(caller: Caller, company_id: number, amount: number): Promise<{ id: number; code: string }> {
  const { data } = await caller.post('/credits/codes', { credit_type_name: 'credit', company_id, amount });
  const codes = await caller.get('/credits/codes', { company_id, sort: '-created_at' });
  return { id: Math.max(...codes.data.map((row: { id: number }) => row.id)), code: data.code };
}

async function sums(world: World): Promise<{ entries: number; balances: number; lowest: number }> {
  const { db } = world.ctx;
  const { entries } = await db
    .selectFrom('credit_entries')
    .select(sql<number>`coalesce(sum(amount), 0)`.as('entries'))
    .executeTakeFirstOrThrow();
  const accounts = await db.selectFrom('credit_accounts').select(['kind', 'balance']).execute();
  return {
    entries: Number(entries),
    balances: accounts.reduce((sum, account) => sum + account.balance, 0),
    lowest: Math.min(0, ...accounts.filter((account) => account.kind !== 'issued').map((account) => account.balance)),
  };
}

const BALANCED = { entries: 0, balances: 0, lowest: 0 };

describe('credits', () => {
  test('are made by system administrators, moved by administrators, and seen per company and type', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const admin = await as(world, 'admin', { company: top });
    expect((await root.post('/credits', paid(top.id, 100))).status).toBe(201);
    expect((await root.post('/credits', { credit_type_id: 1, credit_count: 3, company_id: middle.id })).status).toBe(201);
    expect((await admin.post('/credits/move', move(top.id, middle.id, 40))).status).toBe(200);
    expect([await left(admin, top.id), (await admin.get('/credits', { company_id: middle.id })).meta['total']]).toEqual([60, 2]);
    expect((await admin.get('/credits/summary')).data.credits.left).toMatchObject([
      { credit_type_id: 1, payment_type: 'free', credits_left: 3 },
      { credit_type_id: 2, payment_type: 'paid', credits_left: 100 },
    ]);
    expect((await admin.get('/history')).data[0]).toMatchObject({ action: 'credits.move', entity_name: 'Top' });
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('F3 price and proform number belong to paid types, and every number has its bounds, told at its field', async () => {
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
    for (const credits of ['', 'x', '-1', '1.5', '1'.repeat(15), 5, '000'])
      expect(await sources('/companies/data', { company_id, credits })).toEqual(['credits']);
  });

  test('AC1 AC2 roles without the right make and move nothing, and companies out of sight are unknown', async () => {
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
    expect((await admin.get('/credits/types')).data.every((type: { payment_type: string }) => type.payment_type === 'paid')).toBe(true);
    for (const role of ['end_user', 'readonly_admin', 'read_only'] as const) {
      const caller = await as(world, role, { company: middle });
      expect((await caller.post('/credits/move', move(middle.id, middle.id, 1))).status).toBe(403);
      expect((await caller.post('/credits/codes/activate', { code: 'x' })).status).toBe(403);
    }
  });

  test('BL1 fifty moves at once never spend more than there is', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(middle.id, 100));
    const answers = await Promise.all(Array.from({ length: 50 }, () => root.post('/credits/move', move(middle.id, sibling.id, 7))));
    const done = answers.filter((answer) => answer.status === 200).length;
    expect(done).toBe(14);
    expect(
      answers
        .filter((answer) => answer.status !== 200)
        .every((answer) => answer.codes[0] === 'CREDITS_SHORT' && answer.errors[0]?.source === 'amount'),
    ).toBe(true);
    expect([await left(root, middle.id), await left(root, sibling.id)]).toEqual([2, 98]);
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('BL1 a code is worth its credits once, however many try it at the same time, and is readable nowhere', async () => {
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

  test('BL1 whatever is tried in whatever order, the ledger sums to zero and nobody is below it', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const company = fc.constantFrom(top.id, middle.id, sibling.id);
    const amount = fc.integer({ min: 1, max: 30 });
    const step = fc.oneof(
      fc.record({ path: fc.constant('/credits'), body: fc.tuple(company, amount).map(([id, count]) => paid(id, count)) }),
      fc.record({
        path: fc.constant('/credits/move'),
        body: fc.tuple(company, company, amount).map(([from, to, count]) => move(from, to, count)),
      }),
      fc.record({ path: fc.constant('/companies/data'), body: fc.record({ company_id: company, credits: amount.map(String) }) }),
      fc.record({
        path: fc.constant('/credits/codes'),
        body: fc.record({ credit_type_name: fc.constantFrom('credit', 'credit_free'), company_id: company, amount }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { path, body } of steps) expect([200, 201, 409]).toContain((await root.post(path, body)).status);
        expect(await sums(world)).toEqual(BALANCED);
      }),
      { numRuns: 15 },
    );
  });

  test('BL1 what was written to the ledger can be neither changed nor removed, whoever asks the database', async () => {
    await using world = await makeWorld();
    const root = await as(world, 'super_admin');
    await root.post('/credits', paid(root.user.company_id, 3));
    const { db } = world.ctx;
    for (const attempt of [
      () => db.updateTable('credit_entries').set({ amount: 5 }).execute(),
      () => db.deleteFrom('credit_entries').execute(),
      () => db.updateTable('credit_transfers').set({ user_name: 'nobody' }).execute(),
      () => db.deleteFrom('credit_transfers').execute(),
    ])
      await expect(attempt()).rejects.toThrow('the ledger is append-only');
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('BL1 the check adds the ledger up, and says what is wrong when somebody has been at the balances', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 5));
    await root.post('/credits/move', move(top.id, middle.id, 2));
    expect((await root.get('/credits/check')).data).toEqual({ balanced: true, faults: { transfers: 0, accounts: 0, below_zero: 0 } });
    await world.ctx.db.updateTable('credit_accounts').set({ balance: 9 }).where('company_id', '=', middle.id).execute();
    expect((await root.get('/credits/check')).data).toEqual({ balanced: false, faults: { transfers: 0, accounts: 1, below_zero: 0 } });
    expect((await (await as(world, 'admin', { company: top })).get('/credits/check')).status).toBe(403);
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
      'BL1 fifty at once give the credits back once',
    ).toHaveLength(1);
    expect(await left(root, top.id)).toBe(4);
    expect((await admin.post('/credits/codes/activate', { code: unused.code })).codes).toEqual(['CREDIT_CODE_REFUSED']);
    expect((await root.get('/credits/codes', { is_used: 1 })).data).toMatchObject([{ id: used.id, used_by_company_name: 'Middle' }]);
    expect((await root.get('/credits/codes', { is_used: 0 })).data).toEqual([]);
    expect(await sums(world)).toEqual(BALANCED);
  });

  test('the history of a company tells who did what, from where to where, and what was left', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const admin = await as(world, 'admin', { company: middle });
    await root.post('/credits', paid(top.id, 10));
    await root.post('/credits/move', move(top.id, middle.id, 4));
    await root.post('/credits/move', move(middle.id, foreign.id, 1));
    expect((await root.get('/credits/history', { company_id: `${top.id},${middle.id}`, sort: 'created_at' })).data).toMatchObject([
      { company: 'Top', action: 'add', action_type: 1, amount: 10, balance_after: 10, to_company: 'Top', user: root.user.username },
      { company: 'Top', action: 'move', amount: -4, balance_after: 6, from_company: 'Top', to_company: 'Middle' },
      { company: 'Middle', action: 'move', amount: 4, balance_after: 4, from_company: 'Top', to_company: 'Middle' },
      { company: 'Middle', action: 'move', amount: -1, balance_after: 3, from_company: 'Middle', to_company: 'Foreign' },
    ]);
    const own = await admin.get('/credits/history', { sort: 'created_at' });
    expect(own.meta['total']).toBe(2);
    expect(
      own.data.map((row: { from_company: string; to_company: string }) => [row.from_company, row.to_company]),
      'AC2 names of companies out of sight are not told',
    ).toEqual([
      [null, 'Middle'],
      ['Middle', null],
    ]);
    expect((await admin.get('/credits/history', { action: 'add' })).data).toEqual([]);
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect((await admin.get('/credits/history', { start_date: today, end_date: today })).meta['total']).toBe(2);
    expect((await admin.get('/credits/history', { end_date: '2001-01-01' })).meta['total']).toBe(0);
    expect((await admin.get('/credits/history', { end_date: 'yesterday' })).errors[0]?.source).toBe('end_date');
    const csv = (
      await admin.get('/credits/history/export/csv', { sort: 'created_at', fields: 'company,amount,from_company,balance_after' })
    ).text;
    expect(csv).toBe('company,amount,from_company,balance_after\r\nMiddle,4,,4\r\nMiddle,-1,Middle,3\r\n');
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

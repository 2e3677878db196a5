import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { as, type Answer } from '../helpers/as.ts';
import { BALANCED, left, move, paid, sums } from '../helpers/credits.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { roundsOf } from '../helpers/test-database.ts';
import { makeWorld } from '../helpers/world.ts';

describe('the ledger of credits', () => {
  test('fifty moves at once never spend more than there is [BL1]', async () => {
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

  test('whatever is tried in whatever order, the ledger sums to zero and nobody is below it [BL1]', async () => {
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
      { numRuns: roundsOf(15) },
    );
  });

  test('what was written to the ledger can be neither changed nor removed, even in the database [BL1]', async () => {
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

  test('the check adds the ledger up, and says what is wrong when somebody has been at the balances [BL1]', async () => {
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

  test('fifty of each at once: what is added, bought, put into codes and given to devices is what was there, once [BL1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const fifty = (call: () => Promise<Answer>) => Promise.all(Array.from({ length: 50 }, call));
    const countOf = (answers: Answer[], status: number): number => answers.filter((answer) => answer.status === status).length;
    expect(countOf(await fifty(() => root.post('/credits', paid(top.id, 2))), 201)).toBe(50);
    expect(await left(root, top.id)).toBe(100);
    const bought = await fifty(() => root.post('/companies/data', { company_id: top.id, credits: '3' }));
    expect([countOf(bought, 200), countOf(bought, 409), await left(root, top.id)]).toEqual([33, 17, 1]);
    await root.post('/credits', paid(middle.id, 20));
    const made = await fifty(() => root.post('/credits/codes', { credit_type_name: 'credit', company_id: middle.id, amount: 3 }));
    expect([countOf(made, 201), countOf(made, 409), await left(root, middle.id)]).toEqual([6, 44, 2]);
    const code = made.find((answer) => answer.status === 201)?.data.code;
    expect(countOf(await fifty(() => root.post('/credits/codes/activate', { code })), 200)).toBe(1);
    expect(await left(root, top.id)).toBe(4);
    const device = await makeDevice(world, { company: top });
    await fifty(() => root.put('/devices/credit', { device_id: [device.id], credit_enabled: true, credit_type_id: 2 }));
    await world.ctx.jobs.settled();
    expect(await left(root, top.id), 'a device pays once for a period').toBe(3);
    expect(await sums(world)).toEqual(BALANCED);
    expect((await root.get('/credits/check')).data.balanced).toBe(true);
  });

  test('devices that reserve and extend at the same time never spend more than there is [BL1]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    const give = (device_id: number) =>
      root.put('/devices/credit', { device_id: [device_id], credit_enabled: true, credit_type_id: 2, auto_extend_credit: true });
    const running = await Promise.all(Array.from({ length: 8 }, () => makeDevice(world, { company: top })));
    await Promise.all(running.map((device) => give(device.id)));
    await world.ctx.jobs.settled();
    const waiting = await Promise.all(
      Array.from({ length: 5 }, () => makeDevice(world, { company: top, activated_at: null, status: null })),
    );
    await Promise.all(waiting.map((device) => give(device.id)));
    await world.ctx.jobs.settled();
    expect(await left(root, top.id)).toBe(0);
    await world.clock.jump(31 * 86_400_000);
    await Promise.all(Array.from({ length: 5 }, () => world.clock.advance(60_000)));
    expect(await sums(world), 'nothing is there to extend with').toEqual(BALANCED);
    const states = await world.ctx.db.selectFrom('device_credits').select('state').execute();
    expect(states.map((row) => row.state).toSorted()).toEqual([...Array.from({ length: 8 }, () => 'ended'), 'reserved', 'reserved']);
  });

  test.each(['-1', '0', '1.5', 'NaN', '1e309', '-1e309', '"01"', '"1"', '1000000000000', 'null', 'true', '[1]', '{}'])(
    '%s is no number of credits [BL1]',
    async (amount) => {
      await using world = await makeWorld();
      const { top, middle } = await makeTree(world);
      const root = await as(world, 'super_admin', { company: top });
      await root.post('/credits', paid(top.id, 5));
      const bodies = {
        '/credits': JSON.stringify({ ...paid(top.id, 1), credit_count: '?' }),
        '/credits/move': JSON.stringify({ ...move(top.id, middle.id, 1), amount: '?' }),
        '/credits/codes': JSON.stringify({ credit_type_name: 'credit', company_id: top.id, amount: '?' }),
      };
      for (const [path, body] of Object.entries(bodies))
        expect([path, (await root.post(path, body.replace('"?"', amount))).status]).toEqual([path, 400]);
      expect(await left(root, top.id)).toBe(5);
    },
  );

  test('the largest numbers fit, and no sum loses a credit [BL1]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    expect((await root.post('/credits', paid(top.id, 999_999_999_999))).status).toBe(201);
    expect((await root.post('/companies/data', { company_id: top.id, credits: '9'.repeat(14) })).codes).toEqual(['CREDITS_SHORT']);
    expect((await root.post('/companies/data', { company_id: top.id, credits: '9'.repeat(15) })).status).toBe(400);
    expect((await root.post('/companies/data', { company_id: top.id, credits: '999999999999' })).codes).toEqual(['CREDITS_TOO_MANY']);
    expect(await left(root, top.id)).toBe(999_999_999_999);
    expect(await sums(world)).toEqual(BALANCED);
  });
});

import { describe, expect, test } from 'vitest';
import { as, type Answer } from '../helpers/as.ts';
import { BALANCED, left, makeCode, move, paid, sums } from '../helpers/credits.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const keyed = (key: string) => ({ 'idempotency-key': key });

describe('a call that is sent again under its key [BL1]', () => {
  test('is done once, of fifty at once too, and each gets the same answer [BL1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const fifty = async (path: string, body: object): Promise<Answer> => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => root.post(path, body, keyed(path))));
      expect([path, ...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toHaveLength(2);
      const [first] = answers;
      if (!first) throw new Error('no answer');
      expect([path, first.codes]).toEqual([path, []]);
      return first;
    };
    await fifty('/credits', paid(top.id, 100));
    await fifty('/credits/move', move(top.id, middle.id, 30));
    await fifty('/companies/data', { company_id: top.id, credits: '7' });
    const { data } = await fifty('/credits/codes', { credit_type_name: 'credit', company_id: top.id, amount: 10 });
    expect(data.code).toMatch(/^[0-9A-Z]{32}$/);
    expect([await left(root, top.id), await left(root, middle.id)]).toEqual([53, 30]);

    const admin = await as(world, 'admin', { company: middle });
    const activate = () => admin.post('/credits/codes/activate', { code: data.code }, keyed('activation'));
    const answers = await Promise.all(Array.from({ length: 8 }, activate));
    expect(answers.map(({ status, data: got }) => [status, got])).toEqual(
      answers.map(() => [200, { credit_type_name: 'credit', amount: 10 }]),
    );
    expect(await left(root, middle.id)).toBe(40);
    expect(await sums(world)).toEqual(BALANCED);
    for (const table of ['credit_transfers', 'credit_codes', 'audit'] as const)
      expect(JSON.stringify(await world.ctx.db.selectFrom(table).selectAll().execute())).not.toContain(data.code);
  });

  test('a key stands for one call of one person: another body is refused, another person’s is another [BL1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const other = await as(world, 'super_admin', { company: top });
    expect((await root.post('/credits', paid(top.id, 10), keyed('a'))).status).toBe(201);
    for (const [path, body] of [
      ['/credits', paid(top.id, 11)],
      ['/credits/move', move(top.id, middle.id, 1)],
    ] as const)
      expect(await root.post(path, body, keyed('a'))).toMatchObject({
        status: 409,
        codes: ['IDEMPOTENCY_KEY_USED'],
        errors: [{ source: 'Idempotency-Key' }],
      });
    expect((await other.post('/credits', paid(top.id, 10), keyed('a'))).status).toBe(201);
    expect((await root.post('/credits', paid(top.id, 10), keyed('b'))).status).toBe(201);
    expect(await left(root, top.id)).toBe(30);
    for (const key of ['', 'x'.repeat(201)])
      expect([key.length, (await root.post('/credits', paid(top.id, 1), keyed(key))).status]).toEqual([key.length, 400]);
  });

  test('one that was refused may be sent again under the same key [BL1]', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const call = () => root.post('/credits/move', move(top.id, middle.id, 5), keyed('later'));
    expect((await call()).codes).toEqual(['CREDITS_SHORT']);
    await root.post('/credits', paid(top.id, 5));
    expect([(await call()).status, (await call()).status, await left(root, middle.id)]).toEqual([200, 200, 5]);
  });

  test('two codes under two keys are two [BL1]', async () => {
    await using world = await makeWorld();
    const root = await as(world, 'super_admin');
    await root.post('/credits', paid(root.user.company_id, 5));
    expect((await makeCode(root, root.user.company_id, 1)).code).not.toBe((await makeCode(root, root.user.company_id, 1)).code);
    const made = (key: string) =>
      root.post('/credits/codes', { credit_type_name: 'credit', company_id: root.user.company_id, amount: 1 }, keyed(key));
    expect((await made('a')).data.code).not.toBe((await made('b')).data.code);
  });
});

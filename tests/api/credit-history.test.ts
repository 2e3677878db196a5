import { describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { move, paid } from '../helpers/credits.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PRICE = { credit_price: 1, pro_form_nr: 'PF-1' };

/** Ten credits of the topmost company: four moved on to the one below, one of these to another tree. */
async function makeMoves(world: World) {
  const companies = await makeTree(world);
  const { top, middle, foreign } = companies;
  const root = await as(world, 'super_admin', { company: top });
  const admin = await as(world, 'admin', { company: middle });
  await root.post('/credits', paid(top.id, 10));
  await root.post('/credits/move', move(top.id, middle.id, 4));
  await root.post('/credits/move', move(middle.id, foreign.id, 1));
  return { ...companies, root, admin };
}

describe('the histories of credits', () => {
  test('the history of a company says who did what, from where to where, and what was left', async () => {
    await using world = await makeWorld();
    const { root, admin, top, middle } = await makeMoves(world);
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
      'names of companies out of sight are not shown [AC2]',
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

  test('moves are listed once each, and name only companies in sight', async () => {
    await using world = await makeWorld();
    const { root, admin, top, foreign } = await makeMoves(world);
    await root.post('/credits/move', move(top.id, foreign.id, 2));
    expect((await root.get('/credits/move/history', { sort: 'created_at' })).data).toMatchObject([
      { from_company: 'Top', to_company: 'Middle', count: 4, user: root.user.username, credit_type_name: 'credit' },
      { from_company: 'Middle', to_company: 'Foreign', count: 1 },
      { from_company: 'Top', to_company: 'Foreign', count: 2 },
    ]);
    const own = await admin.get('/credits/move/history', { sort: 'created_at' });
    expect(own.meta['total'], 'AC2 what others move among themselves is not shown').toBe(2);
    expect(own.data).toMatchObject([
      { from_company: null, to_company: 'Middle' },
      { from_company: 'Middle', to_company: null },
    ]);
    const [pool] = (await admin.get('/credits')).data;
    expect((await root.get('/credits/move/history', { pool_id: pool.id })).meta['total']).toBe(2);
    expect((await root.get('/credits/move/history', { company_id: top.id })).meta['total']).toBe(2);
  });

  test('the data that companies bought is listed with its cost, for companies in sight', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await root.post('/credits', paid(top.id, 10));
    await root.post('/credits', paid(middle.id, 10));
    await root.post('/companies/data', { company_id: top.id, credits: '3' });
    await root.post('/companies/data', { company_id: middle.id, credits: '1' });
    expect((await root.get('/companies/data/history', { sort: 'created_at' })).data).toMatchObject([
      { company: 'Top', data: 6 * 1024 ** 3, credits_used: 3, user: root.user.username, email: root.user.email },
      { company: 'Middle', data: 2 * 1024 ** 3, credits_used: 1 },
    ]);
    const admin = await as(world, 'admin', { company: middle });
    expect((await admin.get('/companies/data/history')).data).toMatchObject([{ company: 'Middle' }]);
    expect((await root.get('/companies/data/history', { company_id: middle.id })).meta['total']).toBe(1);
    expect((await root.get('/companies/data/history', { end_date: '2001-01-01' })).meta['total']).toBe(0);
    const reader = await as(world, 'end_user', { company: middle });
    expect((await reader.get('/companies/data/history')).status).toBe(403);
  });

  test('only system administrators read the word paid, in whatever answers of credits, mails and notifications', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const device = await makeDevice(world, { company: top });
    for (let type = 1; type <= 14; type += 1)
      await root.post('/credits', { credit_type_id: type, credit_count: 12, company_id: top.id, ...(type % 2 ? {} : PRICE) });
    const admin = await as(world, 'admin', { company: top });
    await admin.put('/devices/credit', { device_id: [device.id], credit_enabled: true, credit_type_id: 4 });
    await world.ctx.jobs.settled();
    expect((await admin.post('/credits/codes', { credit_type_name: 'management_1y', amount: 11 })).codes).toEqual([]);
    await admin.post('/credits/move', move(top.id, middle.id, 11));
    await admin.post('/companies/data', { company_id: top.id, credits: '1' });
    await world.clock.advance(60_000);
    const paths = ['', '/types', '/codes', '/devices', '/history', '/move/history', '/summary', '/holdings', '/report/json'].map(
      (path) => `/credits${path}`,
    );
    paths.push('/credits/history/export/csv', '/companies/data/history', '/history', '/notifications', '/user');
    for (const path of paths) {
      const answer = await admin.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text.toLowerCase(), path).not.toMatch(/\bpaid\b|"paid|_paid|paid_/);
    }
    expect((await root.get('/credits/types')).text).toContain('"Paid Credit"');
    for (const path of ['/credits', '/credits/history', '/credits/codes', '/credits/devices'])
      expect((await root.get(path)).text, path).toContain('"credit_type":"paid"');
    for (const path of ['/credits', '/credits/history']) expect((await admin.get(path)).text, path).toContain('"credit_type":"free"');
  });

  test('only system administrators read which credits are paid', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    const admin = await as(world, 'admin', { company: top });
    await root.post('/credits', paid(top.id, 12));
    const file = (caller: Caller) => caller.get('/credits/history/export/csv', { fields: 'credit_type,credit_type_name', action: 'add' });
    expect((await file(root)).text).toBe('credit_type,credit_type_name\r\npaid,credit\r\n');
    expect((await file(admin)).text).toBe('credit_type,credit_type_name\r\n,credit\r\n');
    expect((await admin.get('/credits', { credit_type: 'paid' })).status).toBe(400);
    expect((await root.get('/credits', { credit_type: 'paid' })).meta['total']).toBe(1);
  });
});

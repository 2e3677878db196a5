import { expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

async function fill(root: Caller, top: { id: number }, middle: { id: number }, device: { id: number }): Promise<void> {
  await root.post('/credits', { credit_type_id: 2, credit_count: 20, company_id: top.id, credit_price: 1, pro_form_nr: 'PF' });
  await root.post('/credits/move', { credit_type_name: 'credit', source: top.id, target: middle.id, amount: 4 });
  await root.post('/credits/codes', { credit_type_name: 'credit', company_id: top.id, amount: 3 });
  await root.post('/companies/data', { company_id: top.id, credits: '2' });
  await root.put('/devices/credit', { device_id: [device.id], credit_enabled: true, credit_type_id: 2 });
}

test('the usage report says what a company did with its credits in a period', async () => {
  await using world = await makeWorld();
  const { top, middle, foreign } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await fill(root, top, middle, await makeDevice(world, { company: top, serial: '1106433012' }));
  await world.ctx.jobs.settled();
  const { data } = await root.get('/credits/report/json', { company_id: top.id, start_date: '2026-11-02', end_date: '2026-11-02' });
  expect(data).toMatchObject({
    company_name: 'Top',
    totals: {
      child_pools: 1,
      child_company_credits: 4,
      pool_logs: 1,
      credits_for_devices: 1,
      transfer_codes_credits: 3,
      data_purchase: 2,
    },
    child_pools: [{ company_name: 'Middle', count: 4 }],
    pool_logs: [{ device_serial: '1106433012', action: 'use' }],
    transfer_codes: [{ amount: 3, pool_amount: 3, is_used: false, used_by_company_id: null }],
    data_purchase: [{ credits_used: 2, bytes_purchased: 4 * 1024 ** 3, company_id: top.id, user_id: root.user.id }],
  });
  expect((await root.get('/credits/report/json', { company_id: top.id, end_date: '2026-11-01' })).data.totals.pool_logs).toBe(0);
  const admin = await as(world, 'admin', { company: middle });
  expect(await admin.get('/credits/report/json', { company_id: foreign.id })).toMatchObject({
    status: 404,
    errors: [{ source: 'company_id' }],
  });
  expect((await admin.get('/credits/report/json')).data.company_name).toBe('Middle');
});

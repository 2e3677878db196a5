import { describe, expect, test } from 'vitest';
import { coverageEnd } from '../../server/features/credits/summary.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice, makeTree } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const give = (caller: Caller, device_id: number[], credit_type_id = 2, auto_extend_credit = false) =>
  caller.put('/devices/credit', { device_id, credit_enabled: true, credit_type_id, auto_extend_credit });

async function stock(caller: Caller, company_id: number, credit_count: number, credit_type_id = 2): Promise<void> {
  await caller.post('/credits', { credit_type_id, credit_count, company_id, credit_price: 1, pro_form_nr: 'PF-1' });
}

async function left(caller: Caller, company_id: number): Promise<[number, number]> {
  const [row] = (await caller.get('/credits', { company_id })).data;
  return [row.credit_left, row.credit_reserved];
}

async function states(world: World): Promise<string[]> {
  const rows = await world.ctx.db.selectFrom('device_credits').select(['device_id', 'state']).orderBy('device_id').execute();
  return rows.map((row) => row.state);
}

/** The lives of many sessions: a caller after days has signed in again. */
async function later(world: World, days: number, company: { id: number }): Promise<Caller> {
  await world.clock.jump(days * DAY);
  return as(world, 'super_admin', { company });
}

async function balanced(caller: Caller): Promise<boolean> {
  return (await caller.get('/credits/check')).data.balanced;
}

describe('moving what a device uses to the one that replaces it', () => {
  test('gives it the time that is left, and costs nothing; not to another company, nor to one that has a credit', async () => {
    await using world = await makeWorld();
    const { top, middle } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 5);
    const [broken, spare, busy] = [
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: top }),
      await makeDevice(world, { company: top }),
    ];
    const elsewhere = await makeDevice(world, { company: middle });
    await give(root, [broken.id, busy.id]);
    await until('the credits', async () => (await states(world)).length === 2);
    const move = (source: number, target: number) =>
      root.post('/devices/credits/move', { source_device_id: source, target_device_id: target });
    const before = await left(root, top.id);
    expect((await move(broken.id, elsewhere.id)).errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'target_device_id' }]);
    expect((await move(broken.id, busy.id)).errors).toMatchObject([{ code: 'INVALID_FIELD', source: 'target_device_id' }]);
    expect((await move(spare.id, broken.id)).codes).toEqual(['NOTHING_TO_MOVE']);
    const [held] = (await root.get('/credits/devices', { device_id: broken.id })).data;
    expect((await move(broken.id, spare.id)).status).toBe(200);
    expect((await root.get('/credits/devices', { device_id: spare.id })).data).toMatchObject([
      { state: held.state, expire_at: held.expire_at },
    ]);
    expect((await root.get('/credits/devices', { device_id: broken.id })).data).toMatchObject([{ state: 'ended' }]);
    expect([await left(root, top.id), await balanced(root)]).toEqual([before, true]);
    const admin = await as(world, 'admin', { company: middle });
    expect(
      (await admin.post('/devices/credits/move', { source_device_id: spare.id, target_device_id: elsewhere.id })).errors,
    ).toMatchObject([{ code: 'NOT_FOUND', source: 'source_device_id' }]);
  });
});

describe('what devices use of the credits', () => {
  test('a device that has connected before uses a credit at once; for another it is reserved, and comes back or begins', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 10);
    const online = await makeDevice(world, { company: top });
    const fresh = await makeDevice(world, { company: top, activated_at: null, status: null });
    const other = await makeDevice(world, { company: top, activated_at: null, status: null });
    expect((await give(root, [online.id, fresh.id, other.id])).meta['channel']).toMatch(/^jobs\./);
    await world.ctx.jobs.settled();
    expect(await states(world)).toEqual(['running', 'reserved', 'reserved']);
    expect(await left(root, top.id)).toEqual([7, 2]);
    await root.put('/devices/credit', { device_id: [other.id], credit_enabled: false });
    await world.ctx.jobs.settled();
    await world.ctx.db.updateTable('devices').set({ activated_at: world.clock.now() }).where('id', '=', fresh.id).execute();
    await world.clock.advance(MINUTE);
    expect(await states(world)).toEqual(['running', 'running', 'ended']);
    expect(await left(root, top.id)).toEqual([8, 0]);
    const { data } = await root.get('/credits/devices', { device_id: online.id });
    expect(data).toMatchObject([
      { state: 'running', expire_at: '2026-12-02 09:00:00', credit_type_name: 'credit', auto_extend_credit: false },
    ]);
    expect((await root.get('/credits/history', { device_id: fresh.id, sort: 'created_at' })).data).toMatchObject([
      { action: 'reserve', amount: -1, serial: fresh.serial, balance_after: 8 },
    ]);
    expect(
      (await root.get('/credits/history', { device_id: other.id, sort: 'created_at' })).data.map((row: { action: string }) => row.action),
    ).toEqual(['reserve', 'release']);
    expect(await balanced(root)).toBe(true);
  });

  test('a period that is over is extended while there are credits, and goes on by itself when there are some again', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 3);
    const device = await makeDevice(world, { company: top });
    const plain = await makeDevice(world, { company: top });
    await give(root, [device.id], 2, true);
    await give(root, [plain.id]);
    await world.ctx.jobs.settled();
    const month = await later(world, 31, top);
    expect(await states(world)).toEqual(['running', 'ended']);
    expect(await left(month, top.id)).toEqual([0, 0]);
    const second = await later(world, 31, top);
    expect(await states(world)).toEqual(['ended', 'ended']);
    await stock(second, top.id, 1);
    await world.clock.advance(MINUTE);
    expect(await states(world)).toEqual(['running', 'ended']);
    expect(await balanced(second)).toBe(true);
  });

  test('a device uses the credits of the company above where that is allowed, and fails by itself where there are none', async () => {
    await using world = await makeWorld();
    const { top, middle, sibling } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 5);
    await world.ctx.db.updateTable('companies').set({ can_use_parent_license: 1 }).where('id', '=', middle.id).execute();
    const below = await makeDevice(world, { company: middle });
    const beside = await makeDevice(world, { company: sibling });
    const { meta } = await give(root, [below.id, beside.id]);
    await world.ctx.jobs.settled();
    expect((await root.get(`/jobs/${String(meta['job_id'])}`)).data.counts).toMatchObject({ ok: 1, failed: 1 });
    expect(await left(root, top.id)).toEqual([4, 0]);
  });

  test('fifty jobs at once for one credit give it to one device [BL1]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 1);
    const devices = await Promise.all(Array.from({ length: 50 }, () => makeDevice(world, { company: top })));
    await Promise.all(devices.map((device) => give(root, [device.id])));
    await world.ctx.jobs.settled();
    expect(await states(world)).toEqual(['running']);
    expect(await left(root, top.id)).toEqual([0, 0]);
    expect(await balanced(root)).toBe(true);
  });

  test('credits that have ended leave the company, and what waits for a device that was removed comes back', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 2);
    await root.post('/credits', { credit_type_id: 1, credit_count: 4, company_id: top.id, expire_at: '2026-11-03' });
    const device = await makeDevice(world, { company: top, activated_at: null, status: null });
    await give(root, [device.id]);
    await world.ctx.jobs.settled();
    await world.ctx.db.deleteFrom('devices').where('id', '=', device.id).execute();
    const after = await later(world, 3, top);
    expect((await after.get('/credits', { company_id: top.id, sort: 'credit_type_name' })).data).toMatchObject([
      { credit_type: 'free', credit_left: 0 },
      { credit_type: 'paid', credit_left: 2, credit_reserved: 0 },
    ]);
    expect((await after.get('/credits/history', { action: 'expire' })).data).toMatchObject([{ amount: -4, balance_after: 0, user: '' }]);
    expect(await balanced(after)).toBe(true);
  });

  test('the summary says how long the credits last at the present rate, and what is left of company data', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const root = await as(world, 'super_admin', { company: top });
    await stock(root, top.id, 6);
    const devices = await Promise.all([1, 2].map(() => makeDevice(world, { company: top })));
    await give(
      root,
      devices.map((device) => device.id),
      2,
      true,
    );
    await world.ctx.jobs.settled();
    await root.post('/companies/data', { company_id: top.id, credits: '1' });
    expect((await root.get('/credits/summary')).data).toMatchObject({
      credits: { left: [{ credit_type: 'credit', credits_left: 3, payment_type: 'paid' }], total: [{ credits_count: 6 }] },
      monitored_device: { monitored: 2, total: 2 },
      // Both end on 2 December; 3 credits extend both once and one of them twice.
      credit_coverage: '2027-01-01 09:00:00',
      remaining_data: 2 * 1024 ** 3,
    });
    expect((await root.get('/credits/summary')).data).not.toHaveProperty('data_used_up_on');
    expect(coverageEnd(2, 0, [])).toBe(null);
    expect(coverageEnd(2, 0, [5 * DAY, 9 * DAY])).toBe(5 * DAY);
    expect(coverageEnd(2, 3, [5 * DAY, 9 * DAY])).toBe(39 * DAY);
  });
});

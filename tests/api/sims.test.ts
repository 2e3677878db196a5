import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

type Device = Awaited<ReturnType<typeof makeDevice>>;
let rig: Awaited<ReturnType<typeof makeReportingWorld>>;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;

beforeAll(async () => {
  rig = await makeReportingWorld();
  company = await makeCompany(rig.world);
  admin = await as(rig.world, 'admin', { company });
});
afterAll(() => rig.world[Symbol.asyncDispose]());

let number = 0;
const nextIccid = (): string => `894708003711${String((number += 1)).padStart(7, '0')}`;
const makeOne = (name: string, own = company): Promise<Device> => makeDevice(rig.world, { company: own, name, status: 1, activated_at: 1 });
const MIB = 1024 ** 2;

/** Two reports, so that the bytes between them are known. */
async function report(device: Device, iccid: string, { bytes = 0, ...more }: Record<string, unknown> & { bytes?: number } = {}) {
  const row = await rig.world.ctx.db.selectFrom('devices').select('received').where('id', '=', device.id).executeTakeFirstOrThrow();
  const mobile = { wan_state: 'Mobile', sim_slot: 1, iccid, imsi: '242010000000001', operator: 'Telenor', tx_bytes: 0, ...more };
  const start = row.received ?? 0;
  if (row.received === null) await rig.say(device, 'status', { ...mobile, rx_bytes: 0 });
  await rig.say(device, 'status', { ...mobile, rx_bytes: start + bytes });
}
const find = async (iccid: string, caller = admin) => (await caller.get('/sims', { q: iccid })).data;

test('a SIM is listed once a device reports it, with what went over it', async () => {
  const iccid = nextIccid();
  const device = await makeOne('one');
  await report(device, `${iccid}F`, { bytes: 5 * MIB });
  expect(await find(iccid)).toMatchObject([
    {
      iccid,
      operator: 'Telenor',
      state: 'active',
      device_id: device.id,
      device_name: 'one',
      slot: 1,
      used_bytes: 5 * MIB,
      limit_state: 'none',
    },
  ]);
  expect((await admin.get('/sims', { device_id: String(device.id), state: 'active' })).data).toHaveLength(1);
});

test('a SIM that goes to another device keeps its data, limit and note, and remembers where it was', async () => {
  const [iccid, second] = [nextIccid(), nextIccid()];
  const [first, other] = [await makeOne('first'), await makeOne('other')];
  await report(first, iccid, { bytes: MIB });
  const [{ id }] = await find(iccid);
  const edited = await admin.put(`/sims/${id}`, { phone_number: '+47 900 00 001', note: 'Spare', limit_gb: 1, starts_on: 1 });
  expect(edited.status).toBe(200);
  await rig.world.clock.advance(60_000);
  await report(other, iccid, { bytes: 2 * MIB });
  await report(first, second);
  const { data } = await admin.get(`/sims/${id}`);
  expect(data).toMatchObject({ device_name: 'other', used_bytes: 3 * MIB, note: 'Spare', limit_gb: 1, phone_number: '+47 900 00 001' });
  expect(
    data.places.map(({ device_name, until_at }: { device_name: string; until_at: string | null }) => [device_name, until_at === null]),
  ).toEqual([
    ['other', true],
    ['first', false],
  ]);
  expect(await find(second)).toMatchObject([{ device_name: 'first' }]);
});

test('a SIM whose slot holds another one is in no device, and can be taken off the list then only', async () => {
  const [iccid, next] = [nextIccid(), nextIccid()];
  const device = await makeOne('swapped');
  await report(device, iccid);
  const [{ id }] = await find(iccid);
  expect((await admin.delete(`/sims/${id}`)).status).toBe(400);
  await rig.world.clock.advance(60_000);
  await report(device, next);
  expect(await find(iccid)).toMatchObject([{ state: 'removed', device_id: null, slot: null }]);
  // The other slot of the same modem pushes nothing out.
  const third = nextIccid();
  await report(device, third, { sim_slot: 2 });
  expect((await find(next))[0].state).toBe('standby');
  expect((await admin.delete(`/sims/${id}`)).status).toBe(200);
  expect(await find(iccid)).toEqual([]);
});

test('two devices that name the same SIM do not take it from each other with every report', async () => {
  const iccid = nextIccid();
  const [honest, copy] = [await makeOne('honest'), await makeOne('copy')];
  await report(honest, iccid, { bytes: MIB });
  await rig.world.clock.advance(60_000);
  await report(copy, iccid, { bytes: MIB });
  await report(honest, iccid, { bytes: MIB });
  const [sim] = await find(iccid);
  expect(sim.device_name).toBe('copy');
  expect((await admin.get(`/sims/${sim.id}`)).data.places).toHaveLength(2);
});

test('a device that names ever other SIMs does not fill the list', async () => {
  const device = await makeOne('hostile');
  for (let index = 0; index < 30; index += 1) await report(device, nextIccid());
  await report(device, '<script>');
  await report(device, "8947' or 1=1");
  const places = await rig.world.ctx.db.selectFrom('sim_places').select('sim_id').where('device_id', '=', device.id).execute();
  expect(places).toHaveLength(20);
});

test('another company learns nothing of a SIM, even when its device names the same number', async () => {
  const iccid = nextIccid();
  const foreign = await makeCompany(rig.world);
  const stranger = await as(rig.world, 'admin', { company: foreign });
  await report(await makeOne('mine'), iccid);
  const [{ id }] = await find(iccid);
  await admin.put(`/sims/${id}`, { note: 'secret', starts_on: 1 });
  await report(await makeOne('theirs', foreign), iccid);
  expect(await find(iccid)).toMatchObject([{ device_name: 'mine', note: 'secret' }]);
  expect(await find(iccid, stranger)).toMatchObject([{ device_name: 'theirs', note: null }]);
  expect((await stranger.get(`/sims/${id}`)).status).toBe(404);
  expect((await stranger.put('/sims/limit', { sim_id: [id], limit_gb: 1, starts_on: 1 })).status).toBe(404);
});

test('a limit is set for many SIMs, counts from its day on, and is found when it is reached', async () => {
  const [full, empty] = [nextIccid(), nextIccid()];
  const device = await makeOne('greedy');
  await report(device, full, { bytes: 20 * MIB });
  await report(await makeOne('modest'), empty, { bytes: MIB });
  const ids = [(await find(full))[0].id, (await find(empty))[0].id];
  expect((await admin.put('/sims/limit', { sim_id: ids, limit_gb: 0.01, starts_on: 1 })).data).toEqual({ count: 2 });
  expect((await admin.get('/sims', { limit_state: 'over' })).data).toMatchObject([{ iccid: full, used_percent: 195 }]);
  expect((await admin.get('/sims', { limit_state: 'within', q: empty })).data).toHaveLength(1);
  expect((await admin.get('/sims', { sort: '-used_percent', q: '894708003711' })).data[0].iccid).toBe(full);
  expect((await admin.put('/sims/limit', { sim_id: [...ids, 9_999_999], starts_on: 1 })).errors[0]?.source).toBe('sim_id.2');
  const history = await rig.world.ctx.db
    .selectFrom('audit')
    .select('entity_name')
    .where('action', '=', 'sims.edit')
    .where('entity_id', 'in', ids)
    .execute();
  expect(history).toHaveLength(2);
});

test('the data of a month is foretold from three complete days on', async () => {
  const iccid = nextIccid();
  await report(await makeOne('steady'), iccid, { bytes: MIB });
  const [sim] = await find(iccid);
  expect(sim.forecast_bytes).toBeNull();
  const now = rig.world.clock.now();
  const today = now - (now % DAY);
  const days = [1, 2, 3, 4].map((ago) => ({ sim_id: sim.id, day: today - ago * DAY, sent: 0, received: MIB }));
  await rig.world.ctx.db.insertInto('sim_traffic').values(days).execute();
  const [{ forecast_bytes: bytes, month_since: since }] = await find(iccid);
  const month = new Date(`${since.slice(0, 10)}T00:00:00Z`);
  const days_in_month = (Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1) - month.getTime()) / DAY;
  const before = Math.max(0, Math.round((today - month.getTime()) / DAY) - 4);
  expect(bytes).toBe((days_in_month - before) * MIB);
});

test('an automation acts when the SIM in use has used up its share of the limit', async () => {
  const iccid = nextIccid();
  const device = await makeOne('limited');
  const rule = {
    type: 'if',
    expression: [{ parameter: 'sim_limit_used', operator: '>=', value: '80' }],
    actions: [{ name: 'RaiseAlert', options: { severity: 'warning', message: 'SIM' } }],
  };
  const made = await admin.post('/automations', {
    ...{ name: 'SIM nearly full', conditions_body: [rule], cooldown_duration: 0, applies_to: 'device', device_ids: [device.id] },
  });
  expect(made.status).toBe(201);
  const alerts = async () => (await admin.get('/alerts', { device_id: String(device.id) })).data;
  await report(device, iccid, { bytes: 9 * MIB });
  await rig.world.clock.advance(3000);
  expect(await alerts()).toEqual([]);
  const [{ id }] = await find(iccid);
  await admin.put('/sims/limit', { sim_id: [id], limit_gb: 0.01, starts_on: 1 });
  await report(device, iccid, { bytes: MIB });
  await rig.world.clock.advance(3000);
  expect(await alerts()).toMatchObject([{ state: 'open', name: 'SIM nearly full' }]);
  const { data } = await admin.get('/home');
  expect(data.attention.running_out.rows).toContainEqual(expect.objectContaining({ kind: 'sim', name: iccid }));
});

test('SIMs go with a device that moves to another company', async () => {
  const iccid = nextIccid();
  const device = await makeOne('mover');
  await report(device, iccid);
  const beside = await makeCompany(rig.world);
  const root = await as(rig.world, 'super_admin', { company });
  await root.post('/devices/move', { device_id: [device.id], company_id: beside.id });
  await rig.world.ctx.jobs.settled();
  expect(await find(iccid)).toEqual([]);
  expect(await find(iccid, await as(rig.world, 'admin', { company: beside }))).toMatchObject([
    { device_id: device.id, company_name: beside.name },
  ]);
});

test('an alert for SIMs over their limit is added in one step, for all devices of a company', async () => {
  const iccid = nextIccid();
  const device = await makeOne('watched');
  const wish = { measure: 'limit', used_percent: 90, severity: 'critical', notify: true };
  expect((await admin.post('/automations/sim-alert', { measure: 'data' })).errors[0]?.source).toBe('data_limit');
  const made = await admin.post('/automations/sim-alert', wish);
  expect(made.status).toBe(201);
  expect((await admin.get(`/automations/${made.data.id}`)).data).toMatchObject({
    name: 'SIM over its data limit: 90 %',
    applies_to: 'company',
  });
  await report(device, iccid, { bytes: 9 * MIB });
  const [{ id }] = await find(iccid);
  await admin.put('/sims/limit', { sim_id: [id], limit_gb: 0.01, starts_on: 1 });
  const open = async () => (await admin.get('/alerts', { device_id: String(device.id), state: 'open' })).data;
  await report(device, iccid, { bytes: MIB });
  await rig.world.clock.advance(3000);
  expect(await open()).toMatchObject([{ name: 'SIM over its data limit: 90 %', severity: 'critical' }]);
  await admin.put('/sims/limit', { sim_id: [id], limit_gb: 1, starts_on: 1 });
  await report(device, iccid, {});
  await rig.world.clock.advance(3000);
  expect(await open()).toEqual([]);
  const data = await admin.post('/automations/sim-alert', { measure: 'data', data_limit: 500, email: 'ops@example.org' });
  const { data: rule } = await admin.get(`/automations/${data.data.id}`);
  expect(rule.conditions_body[0]).toMatchObject({
    expression: [{ parameter: 'data_month', operator: '>=', value: '500' }],
    actions: [{ name: 'RaiseAlert' }, { name: 'SendEmail', options: { receiving_emails: ['ops@example.org'] } }],
  });
});

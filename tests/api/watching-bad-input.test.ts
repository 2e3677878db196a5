import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

type Device = Awaited<ReturnType<typeof makeDevice>>;
let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld({ config: { telemetryPerHour: 500 } }));
  company = await makeCompany(world);
  return () => world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  admin = await as(world, 'admin', { company });
});

const rule = (devices: readonly Device[], parameter: string, more: object = {}) => ({
  ...{ name: 'Rule', applies_to: 'device', device_ids: devices.map(({ id }) => id), cooldown_duration: 0 },
  conditions_body: [
    {
      type: 'if',
      expression: [{ parameter, operator: '>', value: '10' }],
      actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }],
    },
  ],
  ...more,
});
const template = (variables: object[], url = '/file/proc/loadavg') => ({
  ...{ name: `Template ${crypto.randomUUID()}`, period: 300 },
  data: [{ url, variables }],
});
const assign = (id: number, device: Device) =>
  admin.put(`/data-collect/configs/${id}/assign`, { device_id: [device.id], period: 300, enabled: true });
const logsOf = async (device: Device) =>
  (await admin.get('/data-collect/configs/logs', { device_id: String(device.id) })).data.flatMap(({ log }: { log: string[] }) => log);

test('a rule over a metric that no device reports waits for it, and says so when it is asked why and when it is tried', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const { data } = await admin.post('/automations', rule([device], 'no_such_metric'));
  await say(device, 'status', { uptime: 60, signal: -70 });
  expect((await admin.get(`/automations/${data.id}/explain/${device.id}`)).data.conditions).toMatchObject([
    { parameter: 'no_such_metric', value: null, actual: null },
  ]);
  const { data: tried } = await admin.post('/automations/back-test', { automation_id: data.id });
  expect(tried).toMatchObject({ count: 0, devices: 1, without_history: 1 });
});

test('a transform that always divides by nothing is refused at its field; one that does so once loses that value alone and says why', async () => {
  const divided = (expression: string) => ({ id: 'share', filter: '$.lines[0][0]', type: 'number', transform: { expression } });
  const { errors } = await admin.post('/data-collect/configs', template([divided('value / 0')]));
  expect(errors[0]?.source).toBe('data.0.variables.0.transform.expression');
  const device = await makeDevice(world, { company, status: 1 });
  const plain = { id: 'load', filter: '$.lines[0][0]', type: 'number' };
  const { data } = await admin.post('/data-collect/configs', template([divided('100 / value'), plain]));
  await assign(data.id, device);
  await say(device, 'collected', { template: data.id, version: 1, at: 1, sources: [{ code: 0, output: '0 0 0' }] });
  await world.clock.advance(MINUTE);
  const { data: answer } = await admin.get(`/devices/${device.id}/series`, { metrics: `mt${data.id}_load,mt${data.id}_share` });
  expect(answer.series.map(({ points }: { points: unknown[] }) => points.length)).toEqual([1, 0]);
  expect((await logsOf(device)).join()).toContain('share');
});

test('a source that a device has not got is named in the log with its variables', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  const { data } = await admin.post('/data-collect/configs', template([{ id: 'x', filter: '$.text', type: 'string' }], '/file/proc/none'));
  await assign(data.id, device);
  await say(device, 'collected', { template: data.id, version: 1, at: 1, sources: [{ code: 1, output: 'No such file' }] });
  expect((await logsOf(device)).join()).toMatch(/\/file\/proc\/none.*x/);
});

test('a device that sends a thousand values a second loses what is above its limit, fires its rule once, and holds up no other device', async () => {
  const [noisy, calm] = await Promise.all([makeDevice(world, { company, status: 1 }), makeDevice(world, { company, status: 1 })]);
  await admin.post('/automations', rule([noisy, calm], 'm0'));
  const values = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, 20 + index]));
  for (let second = 0; second < 3; second += 1)
    for (let message = 0; message < 20; message += 1)
      await say(noisy, 'telemetry', { at: Math.floor(world.clock.now() / 1000) + second, values });
  await say(calm, 'telemetry', { values: { m0: 30 } });
  await world.clock.advance(3 * SECOND);
  const kept = await world.ctx.db.selectFrom('device_samples').select('metric').where('device_id', '=', noisy.id).execute();
  expect(kept.length).toBeLessThanOrEqual(500);
  const alerts = async (device: Device) => (await admin.get('/alerts', { device_id: String(device.id) })).data.length;
  expect([await alerts(noisy), await alerts(calm)]).toEqual([1, 1]);
  const { data: events } = await admin.get(`/devices/${noisy.id}/logs`);
  expect(events.map(({ type }: { type: string }) => type)).toContain('limited');
});

import { expect, test } from 'vitest';
import type { Row } from '../../server/db/schema.ts';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';

const READINGS = [-99, -101, -99, -101, -99, -101, -99, -101, -99, -101];
const alertWhen = (parameter: string, operator: string, value: string) => [
  {
    type: 'if',
    expression: [{ parameter, operator, value }],
    actions: [{ name: 'RaiseAlert', options: { severity: 'warning', message: '%rn: %ex' } }],
  },
];

async function makePlace() {
  const { world, say } = await makeReportingWorld();
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1, report_seconds: 60, silent_at: world.clock.now() + 3 * MINUTE });
  const addRule = async (body: object): Promise<number> => {
    const answer = await admin.post('/automations', { cooldown_duration: 0, applies_to: 'device', device_ids: [device.id], ...body });
    await world.clock.advance(2 * SECOND);
    return answer.data.id;
  };
  const alertsOf = async (automationId: number): Promise<Pick<Row<'alerts'>, 'ended_at'>[]> =>
    world.ctx.db.selectFrom('alerts').select('ended_at').where('automation_id', '=', automationId).execute();
  return { world, say, admin, device, addRule, alertsOf };
}

test('ten readings around a threshold are one alert, which is over when none was beyond it for five minutes; a rule may ask for each [CH2]', async () => {
  const { world, say, device, admin, addRule, alertsOf } = await makePlace();
  await using _ = world;
  const conditions_body = alertWhen('signal', '<', '-100');
  const calm = await addRule({ name: 'Weak', conditions_body });
  const eager = await addRule({ name: 'Weak each time', conditions_body, recovery_duration: 0 });
  expect((await admin.get(`/automations/${calm}`)).data.recovery_duration).toBeNull();
  expect((await admin.get(`/automations/${eager}`)).data.recovery_duration).toBe(0);
  for (const signal of READINGS) {
    await say(device, 'status', { signal });
    await world.clock.advance(MINUTE);
  }
  expect(await alertsOf(calm)).toEqual([{ ended_at: null }]);
  expect(await alertsOf(eager)).toHaveLength(5);
  for (let minute = 0; minute < 5; minute += 1) {
    await say(device, 'status', { signal: -90 });
    await world.clock.advance(MINUTE);
  }
  await world.clock.advance(5 * SECOND);
  expect(await alertsOf(calm)).toEqual([{ ended_at: expect.any(Number) }]);
});

test('a value that stays around its threshold for minutes is one alert until it is back by its tolerance, in a test of the rule as well [CH2]', async () => {
  const { world, say, device, addRule, alertsOf } = await makePlace();
  await using _ = world;
  const [condition] = alertWhen('signal', '<', '-100');
  const within = (tolerance: number) => [{ ...condition, expression: [{ parameter: 'signal', operator: '<', value: '-100', tolerance }] }];
  const usual = await addRule({ name: 'Weak', conditions_body: [condition] });
  const wide = await addRule({ name: 'Weak until -80', conditions_body: within(20) });
  const none = await addRule({ name: 'Weak without tolerance', conditions_body: within(0) });
  const stay = async (signal: number): Promise<void> => {
    await say(device, 'status', { signal });
    await world.clock.advance(6 * MINUTE);
  };
  for (const signal of [-101, -99, -101, -99]) await stay(signal);
  expect(await alertsOf(usual)).toEqual([{ ended_at: null }]);
  expect(await alertsOf(wide)).toEqual([{ ended_at: null }]);
  expect(await alertsOf(none)).toEqual([{ ended_at: expect.any(Number) }, { ended_at: expect.any(Number) }]);
  await stay(-97);
  expect([await alertsOf(usual), await alertsOf(wide)]).toEqual([[{ ended_at: expect.any(Number) }], [{ ended_at: null }]]);
  await stay(-80);
  expect(await alertsOf(wide)).toEqual([{ ended_at: expect.any(Number) }]);
  const fresh = await as(world, 'admin', { company: { id: device.company_id } });
  const tested = async (id: number): Promise<number> => (await fresh.post('/automations/back-test', { automation_id: id })).data.count;
  expect([await tested(usual), await tested(wide), await tested(none)]).toEqual([1, 1, 2]);
  expect(
    (
      await fresh.post('/automations', {
        name: 'Text',
        conditions_body: [{ ...condition, expression: [{ parameter: 'operator', operator: '==', value: 'Telia', tolerance: 1 }] }],
      })
    ).errors,
  ).toMatchObject([{ source: 'conditions_body.0.expression.0.tolerance' }]);
});

test('what begins and ends again and again within an hour becomes one alert that says how often it flapped, over when it was calm for a quarter of an hour [CH2]', async () => {
  const { world, say, device, addRule, alertsOf } = await makePlace();
  await using _ = world;
  const conditions_body = alertWhen('status', '==', 'offline');
  const plain = await addRule({ name: 'Offline', conditions_body });
  const eager = await addRule({ name: 'Offline each time', conditions_body, recovery_duration: 0 });
  const comeBack = (uptime: number) => say(device, 'status', { uptime });
  for (let turn = 0; turn < 10; turn += 1) {
    await say(device, 'status', { online: false });
    await world.clock.advance(30 * SECOND);
    await comeBack(turn);
    await world.clock.advance(90 * SECOND);
  }
  expect(await alertsOf(eager)).toHaveLength(10);
  const alerts = await alertsOf(plain);
  expect([alerts.length, alerts.filter(({ ended_at: endedAt }) => endedAt === null).length]).toEqual([4, 1]);
  const fresh = await as(world, 'admin', { company: { id: device.company_id } });
  const messages = async (): Promise<string[]> => {
    const { data } = await fresh.get('/alerts');
    const own = data.filter(({ automation_id: id }: { automation_id: number }) => id === plain);
    return own.map(({ message }: { message: string }) => message);
  };
  expect((await messages())[0]).toMatch(/ It flapped 10 times\.$/);
  expect((await messages()).slice(1).join()).not.toContain('flapped');
  for (let minute = 0; minute < 15; minute += 1) {
    await comeBack(100 + minute);
    await world.clock.advance(MINUTE);
  }
  expect((await alertsOf(plain)).filter(({ ended_at: endedAt }) => endedAt === null)).toEqual([]);
});

test('a rule that asks for a time to recover keeps its alert while a device comes and goes; without one it is over when the device is back [CH2]', async () => {
  const { world, say, device, addRule, alertsOf } = await makePlace();
  await using _ = world;
  const conditions_body = alertWhen('status', '==', 'offline');
  const steady = await addRule({ name: 'Offline', conditions_body, recovery_duration: 120 });
  const plain = await addRule({ name: 'Offline, at once', conditions_body });
  for (let turn = 0; turn < 3; turn += 1) {
    await say(device, 'status', { online: false });
    await world.clock.advance(30 * SECOND);
    await say(device, 'status', { uptime: turn });
    await world.clock.advance(30 * SECOND);
  }
  expect(await alertsOf(plain)).toHaveLength(3);
  expect((await alertsOf(plain)).every(({ ended_at: endedAt }) => endedAt !== null)).toBe(true);
  expect(await alertsOf(steady)).toEqual([{ ended_at: null }]);
  await world.clock.advance(2 * MINUTE);
  expect(await alertsOf(steady)).toEqual([{ ended_at: expect.any(Number) }]);
});

test('a device that is known to be offline gets no second alert for what it does not report; one without that alert does, and so does one that is back and silent of it [CH5]', async () => {
  const { world, say, device, addRule, alertsOf } = await makePlace();
  await using _ = world;
  const offline = await addRule({ name: 'Offline', conditions_body: alertWhen('status', '==', 'offline') });
  const missing = await addRule({ name: 'No level', conditions_body: alertWhen('tank_level', 'missing', '10') });
  await say(device, 'telemetry', { values: { tank_level: 4 } });
  await world.clock.advance(30 * MINUTE);
  expect([await alertsOf(offline), await alertsOf(missing)]).toEqual([[{ ended_at: null }], []]);
  for (let minute = 0; minute < 11; minute += 1) {
    await say(device, 'status', { uptime: minute * 60 });
    if (minute === 9) expect(await alertsOf(missing)).toEqual([]);
    await world.clock.advance(MINUTE);
  }
  expect(await alertsOf(missing)).toEqual([{ ended_at: null }]);
  const alone = await makePlace();
  await using __ = alone.world;
  const only = await alone.addRule({ name: 'No level', conditions_body: alertWhen('tank_level', 'missing', '10') });
  await alone.say(alone.device, 'telemetry', { values: { tank_level: 4 } });
  await alone.world.clock.advance(30 * MINUTE);
  expect(await alone.alertsOf(only)).toEqual([{ ended_at: null }]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const weak = { parameter: 'signal', operator: '<', value: '-100' };
const branch = (
  actions: object[] = [{ name: 'RaiseAlert', options: { severity: 'critical', message: '%rn: %ex' } }],
  expression: object[] = [weak],
) => ({
  type: 'if',
  expression,
  actions,
});
const body = (more: object = {}) => ({
  name: 'Weak signal',
  conditions_body: [branch()],
  cooldown_duration: 0,
  recovery_duration: 0,
  ...more,
});

type Device = Awaited<ReturnType<typeof makeDevice>>;
/** The device says this; then everything that follows at once is done. */
async function report(device: Device, payload: Record<string, unknown>): Promise<void> {
  await say(device, 'status', { uptime: 60, ...payload });
  await settled();
}

async function settled(): Promise<void> {
  await world.clock.advance(3 * SECOND);
}

const alertsOf = async (device: Device) => (await admin.get('/alerts', { device_id: String(device.id), sort: 'id' })).data;

describe('an automation', () => {
  test('raises one alert while its condition holds, ends it with the condition, and says why', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data, status } = await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id] }));
    expect(status).toBe(201);
    await report(device, { signal: -90 });
    expect(await alertsOf(device)).toEqual([]);
    await report(device, { signal: -104 });
    await report(device, { signal: -106 });
    const [alert, ...more] = await alertsOf(device);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      state: 'open',
      severity: 'critical',
      name: 'Weak signal',
      message: expect.stringContaining('Signal is less than -100 (was -104)'),
    });
    const headers = { ...admin.headers, 'accept-language': 'nb' };
    const answers = await Promise.all(
      [`/api/alerts/${alert.id}`, `/api/alerts?device_id=${device.id}&q=signal`, '/api/alerts/export/csv'].map((url) =>
        world.app.fastify.inject({ url, headers }),
      ),
    );
    for (const { body: answer } of answers) expect(answer).toContain('Signal er mindre enn -100 (var -104)');
    await report(device, { signal: -80 });
    expect(await alertsOf(device)).toMatchObject([{ id: alert.id, state: 'ended' }]);
    const { data: logs } = await admin.get(`/automations/${data.id}/logs`);
    expect(logs).toMatchObject([
      {
        status: 'done',
        evaluated_conditions: [{ key: 'cond_0', value: true, actual: '-104' }],
        actions: [{ name: 'RaiseAlert', status: 'ok' }],
      },
    ]);
    expect((await admin.get(`/automations/${data.id}`)).data).toMatchObject({ total_triggered_count: 1, device_ids: [device.id] });
  });

  test('finds what is wrong already when it is added, and waits out its delay without a report', async () => {
    const device = await makeDevice(world, { company, status: 0 });
    const offline = branch(undefined, [{ parameter: 'status', operator: '==', value: 'offline' }]);
    await admin.post(
      '/automations',
      body({ applies_to: 'device', device_ids: [device.id], delay_duration: 120, conditions_body: [offline] }),
    );
    await settled();
    expect(await alertsOf(device)).toEqual([]);
    await world.clock.advance(2 * MINUTE);
    await settled();
    expect(await alertsOf(device)).toMatchObject([{ state: 'open' }]);
  });

  test('starts jobs with the rights of who set it up, each once, and none after those rights are gone', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const owner = await as(world, 'admin', { company });
    const { data } = await owner.post(
      '/automations',
      body({ applies_to: 'device', device_ids: [device.id], conditions_body: [branch([{ name: 'Reboot' }])] }),
    );
    await report(device, { signal: -104 });
    const rebooted = async () =>
      (await world.ctx.db.selectFrom('job_targets').select('id').where('device_id', '=', device.id).execute()).length;
    expect(await rebooted()).toBe(1);
    await (await as(world, 'super_admin')).put(`/users/${owner.user.id}/status`, { disabled: true });
    await report(device, { signal: -90 });
    await report(device, { signal: -104 });
    expect(await rebooted()).toBe(1);
    expect((await admin.get(`/automations/${data.id}/logs`)).data[0]).toMatchObject({
      status: 'failed',
      action_status_message: 'no-right',
    });
  });

  test('puts tags on and takes them off, and sends one mail for several devices', async () => {
    const tag = await makeTag(world, { company });
    const [one, two] = await Promise.all([makeDevice(world, { company, status: 1 }), makeDevice(world, { company, status: 1 })]);
    const actions = [
      { name: 'AddTag', options: { tag_id: tag.id } },
      { name: 'SendEmail', options: { receiving_emails: ['ops@example.org'], subject: 'Weak', message: '%rn' } },
    ];
    const rule = [branch(actions), { type: 'else', actions: [{ name: 'RemoveTag', options: { tag_id: tag.id } }] }];
    await admin.post('/automations', body({ applies_to: 'device', device_ids: [one.id, two.id], conditions_body: rule }));
    await report(one, { signal: -104 });
    await report(two, { signal: -105 });
    await world.clock.advance(2 * MINUTE);
    await settled();
    const tagsOf = async (device: Device) => (await admin.get(`/devices/${device.id}`)).data.tags.map(({ id }: { id: number }) => id);
    expect([await tagsOf(one), await tagsOf(two)]).toEqual([[tag.id], [tag.id]]);
    const mails = await world.ctx.db.selectFrom('mail_log').selectAll().where('kind', '=', 'automation').execute();
    expect(mails.map(({ email }) => email)).toEqual(['ops@example.org', 'ops@example.org']);
    await report(one, { signal: -80 });
    expect(await tagsOf(one)).toEqual([]);
  });

  test('reaches devices by their tag or company, and none of another company', async () => {
    const below = await makeCompany(world, { parent: company });
    const other = await makeCompany(world);
    const tag = await makeTag(world, { company });
    const [tagged, plain, foreign] = await Promise.all([
      makeDevice(world, { company: below, status: 1, tags: [tag] }),
      makeDevice(world, { company: below, status: 1 }),
      makeDevice(world, { company: other, status: 1 }),
    ]);
    await admin.post('/automations', body({ name: 'Tagged', applies_to: 'tag', tag_ids: [tag.id] }));
    for (const device of [tagged, plain, foreign]) await report(device, { signal: -104 });
    expect((await alertsOf(tagged)).map(({ name }: { name: string }) => name)).toEqual(['Tagged']);
    expect(await alertsOf(plain)).toEqual([]);
    const stranger = await as(world, 'admin', { company: other });
    expect((await stranger.get('/alerts')).data).toEqual([]);
    expect((await stranger.get('/automations')).data).toEqual([]);
    expect((await admin.get(`/devices/${tagged.id}/automations`)).data).toMatchObject([{ name: 'Tagged' }]);
  });

  test('is turned off, for all devices or one, and then does nothing', async () => {
    const [one, two] = await Promise.all([makeDevice(world, { company, status: 1 }), makeDevice(world, { company, status: 1 })]);
    const { data } = await admin.post('/automations', body({ applies_to: 'device', device_ids: [one.id, two.id] }));
    await admin.put(`/automations/${data.id}/devices/activation`, { enable: false, devices: [one.id] });
    await report(one, { signal: -104 });
    await report(two, { signal: -104 });
    expect(await alertsOf(one)).toEqual([]);
    expect(await alertsOf(two)).toHaveLength(1);
    await admin.put('/automations/activate', { enable: false, automations: [data.id] });
    await report(two, { signal: -80 });
    await report(two, { signal: -104 });
    expect(await alertsOf(two)).toHaveLength(1);
  });

  test('lists its devices with what it remembers of each, for the console and by the documented call', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data } = await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id] }));
    await report(device, { signal: -104 });
    const row = { device_id: device.id, enabled: true, holds: true, total_triggered_count: 1 };
    expect((await admin.get(`/automations/${data.id}/devices`)).data).toMatchObject([row]);
    expect((await admin.get('/automation-devices', { automation_id: String(data.id) })).data).toMatchObject([row]);
    await admin.delete(`/automations/${data.id}/devices`, { devices: [device.id] });
    expect((await admin.get(`/automations/${data.id}/devices`)).data).toEqual([]);
  });

  test('lists and counts every device that its tag or company brings, also one that has said nothing since', async () => {
    const own = await makeCompany(world, { parent: company });
    const tag = await makeTag(world, { company });
    const { data } = await admin.post('/automations', body({ company_id: own.id, applies_to: 'tag', tag_ids: [tag.id] }));
    const tagged = await makeDevice(world, { company: own, status: 1, tags: [tag], name: 'joined later' });
    const plain = await makeDevice(world, { company: own, status: 1 });
    const foreign = await makeDevice(world, { company, status: 1, tags: [tag] });
    const listed = await admin.get(`/automations/${data.id}/devices`);
    expect(listed.data).toMatchObject([{ device_id: tagged.id, enabled: true, holds: false, total_triggered_count: 0, created_at: null }]);
    expect(listed.meta['total']).toBe(1);
    await admin.put(`/automations/${data.id}/devices/activation`, { enable: false, devices: [tagged.id] });
    expect((await admin.get(`/automations/${data.id}/devices`)).data).toMatchObject([{ device_id: tagged.id, enabled: false }]);
    expect((await admin.get(`/automations/${data.id}`)).data).toMatchObject({ devices_count: 1, active_devices_count: 0 });
    await admin.put(`/automations/${data.id}`, { ...body(), applies_to: 'company' });
    const ids = (await admin.get(`/automations/${data.id}/devices`, { sort: 'id' })).data.map((one: { id: number }) => one.id);
    expect(ids).toEqual([tagged.id, plain.id]);
    expect(ids).not.toContain(foreign.id);
  });

  test('that does not watch a device any more ends its alert, and alerts again when it does', async () => {
    const own = await makeCompany(world, { parent: company });
    const tag = await makeTag(world, { company });
    const device = await makeDevice(world, { company: own, status: 1, tags: [tag] });
    const chosen = (await admin.post('/automations', body({ name: 'Chosen', applies_to: 'device', device_ids: [device.id] }))).data.id;
    await admin.post('/automations', body({ name: 'Tagged', applies_to: 'tag', tag_ids: [tag.id] }));
    const incident = branch([{ name: 'OpenIncident', options: { title: 'Weak', severity: 'critical' } }]);
    const held = await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id], conditions_body: [incident] }));
    await report(device, { signal: -104 });
    const openOf = async (): Promise<string[]> =>
      (await alertsOf(device)).filter(({ state }: { state: string }) => state === 'open').map(({ name }: { name: string }) => name);
    expect((await openOf()).toSorted()).toEqual(['Chosen', 'Tagged', 'Weak']);
    await admin.put('/automations/activate', { enable: false, automations: [chosen, held.data.id] });
    await settled();
    expect((await openOf()).toSorted()).toEqual(['Tagged', 'Weak']);
    await world.ctx.db.deleteFrom('device_tags').where('device_id', '=', device.id).execute();
    await world.clock.advance(MINUTE + 3 * SECOND);
    expect(await openOf()).toEqual(['Weak']);
    await admin.put('/automations/activate', { enable: true, automations: [chosen] });
    await settled();
    expect((await openOf()).toSorted()).toEqual(['Chosen', 'Weak']);
    await admin.put(`/automations/${chosen}/devices/activation`, { enable: false, devices: [device.id] });
    await settled();
    expect(await openOf()).toEqual(['Weak']);
  });

  test('explains why it has not acted', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data } = await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id], delay_repetitions_count: 3 }));
    await report(device, { signal: -104 });
    expect((await admin.get(`/automations/${data.id}/explain/${device.id}`)).data).toMatchObject({
      ...{ enabled: true, due_at: null, last_triggered_at: null },
      conditions: [{ parameter: 'signal', value: true, actual: -104 }],
      branches: [{ branch: '0', acted: false }],
    });
  });

  test('is tried on what is kept of its devices, with what live would have found', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { data } = await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id], enabled: false }));
    for (const signal of [-90, -104, -105, -90, -110]) {
      await report(device, { signal });
      await world.clock.advance(6 * MINUTE);
    }
    // Half an hour has passed: the session of before is over.
    admin = await as(world, 'admin', { company });
    const { data: result } = await admin.post('/automations/back-test', { automation_id: data.id });
    expect(result).toMatchObject({ devices: 1, without_history: 0, count: 2 });
    expect(result.firings.map(({ evaluated }: { evaluated: { actual: number }[] }) => evaluated[0]?.actual)).toEqual([-110, -104]);
  });
});

describe('a rule that cannot work is refused at its place', () => {
  test.each([
    ['an unknown parameter', [{ ...weak, parameter: 'Signal!' }], 'expression.0.parameter'],
    ['a comparison that the type does not have', [{ ...weak, operator: 'contains' }], 'expression.0.operator'],
    ['a text where a number is', [{ ...weak, value: 'low' }], 'expression.0.value'],
    ['a status that there is none of', [{ parameter: 'status', operator: '==', value: 'tired' }], 'expression.0.value'],
    ['a yes or no that is both', [{ parameter: 'vpn_connected', operator: 'is', value: 'yes, no' }], 'expression.0.value'],
    ['half a time of day', [{ parameter: 'time', operator: 'between', value: '22:00' }], 'expression.0.value'],
    ['an area without a radius', [{ parameter: 'position', operator: 'inside', value: '59.9,10.7' }], 'expression.0.value'],
    ['missing for no time', [{ ...weak, operator: 'missing', value: '0' }], 'expression.0.value'],
    ['a regular expression that is none', [{ parameter: 'hostname', operator: 'matches', value: '(' }], 'expression.0.value'],
    ['a regular expression that looks ahead', [{ parameter: 'hostname', operator: 'matches', value: '^(?=a)' }], 'expression.0.value'],
    ['a regular expression with switches', [{ parameter: 'hostname', operator: 'matches', value: '(?i:a|A)+' }], 'expression.0.value'],
    ['a regular expression over numbers', [{ parameter: 'signal', operator: 'matches', value: '1' }], 'expression.0.operator'],
    ['a usual band of what only grows', [{ parameter: 'sent', operator: 'unusual' }], 'expression.0.operator'],
    ['more reports met than looked at', [{ ...weak, times: 6, of: 5 }], 'expression.0.times'],
    ['no condition', [], 'expression'],
  ])('%s', async (_title, expression, source) => {
    const { status, errors } = await admin.post('/automations', body({ conditions_body: [branch(undefined, expression)] }));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(errors).toMatchObject([{ source: `conditions_body.0.${source}` }]);
  });

  test('an else without an if, a webhook that nobody set up, a tag of somebody else', async () => {
    const foreign = await makeTag(world, { company: await makeCompany(world) });
    const errorOf = async (branches: object[]) => (await admin.post('/automations', body({ conditions_body: branches }))).errors[0]?.source;
    expect(await errorOf([{ type: 'else', actions: [{ name: 'Reboot' }] }])).toBe('conditions_body.0.type');
    expect(await errorOf([branch([{ name: 'Webhook', options: { url: 'nobody' } }])])).toBe('conditions_body.0.actions.0.options.url');
    expect(await errorOf([branch([{ name: 'AddTag', options: { tag_id: foreign.id } }])])).toBe(
      'conditions_body.0.actions.0.options.tag_id',
    );
  });
});

test('alerts and automations of a company are asked for with those of the companies below it', async () => {
  const below = await makeCompany(world, { parent: company });
  const device = await makeDevice(world, { company: below, status: 1 });
  const { data } = await admin.post('/automations', body({ company_id: below.id, applies_to: 'device', device_ids: [device.id] }));
  await report(device, { signal: -104 });
  const idsOf = async (path: string, companyId: number): Promise<number[]> =>
    (await admin.get(path, { company_id: companyId, limit: 100 })).data.map(
      (one: { id: number; device_id?: number }) => one.device_id ?? one.id,
    );
  expect(await idsOf('/alerts', company.id)).toContain(device.id);
  expect(await idsOf('/alerts', below.id)).toEqual([device.id]);
  expect(await idsOf('/automations', company.id)).toContain(data.id);
  expect(await idsOf('/automations', (await makeCompany(world, { parent: company })).id)).toEqual([]);
});

test('an alert by a rule of the company above does not name that rule to those who do not see it [AC2]', async () => {
  const below = await makeCompany(world, { parent: company });
  const device = await makeDevice(world, { company: below, status: 1 });
  const { data } = await admin.post('/automations', body());
  await report(device, { signal: -104 });
  const their = await as(world, 'admin', { company: below });
  const [seen] = await alertsOf(device);
  expect(seen).toMatchObject({ automation_id: data.id, name: 'Weak signal' });
  for (const answer of [(await their.get('/alerts')).data[0], (await their.get(`/alerts/${seen.id}`)).data])
    expect(answer).toMatchObject({ id: seen.id, automation_id: null, name: 'Weak signal' });
  await admin.delete(`/automations/${data.id}`);
});

test('an alert is acknowledged, snoozed and removed by those who may, and the history says so', async () => {
  const device = await makeDevice(world, { company, status: 1 });
  await admin.post('/automations', body({ applies_to: 'device', device_ids: [device.id] }));
  await report(device, { signal: -104 });
  const [alert] = await alertsOf(device);
  const reader = await as(world, 'readonly_admin', { company });
  expect((await reader.post(`/alerts/${alert.id}/acknowledge`, {})).status).toBe(403);
  expect((await admin.post(`/alerts/${alert.id}/acknowledge`, {})).data).toMatchObject({
    state: 'acknowledged',
    acknowledged_by: expect.any(String),
  });
  expect((await admin.post(`/alerts/${alert.id}/snooze`, { hours: 2 })).data.snoozed_until).toBeTruthy();
  await admin.delete(`/alerts/${alert.id}`);
  expect((await admin.get(`/alerts/${alert.id}`)).status).toBe(404);
  const actions = await world.ctx.db
    .selectFrom('audit')
    .select('action')
    .where('entity', '=', 'alert')
    .where('entity_id', '=', alert.id)
    .execute();
  expect(actions.map(({ action }) => action).toSorted()).toEqual(['alerts.acknowledge', 'alerts.remove', 'alerts.snooze']);
});

import { beforeAll, expect, test } from 'vitest';
import { DAY, SECOND } from '../../server/kernel/clock.ts';
import { as, type Answer } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

// Members that the public API documents and programs read, one room after the other.

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let program: Program;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world, { name: 'Fjordline' });
  program = await asProgram(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const today = () => world.clock.now() - (world.clock.now() % DAY);

const weakSignal = {
  type: 'if',
  expression: [{ parameter: 'signal', operator: '<', value: '-100' }],
  actions: [{ name: 'RaiseAlert', options: { severity: 'critical' } }],
  conditions: [{ type: 'if', expression: [{ parameter: 'signal', operator: '<', value: '-110' }], actions: [{ name: 'Reboot' }] }],
};

test('a program reads what a report was made for, the devices of its extremes, and the traffic of each SIM [CJ2]', async () => {
  const device = await makeDevice(world, { company, name: 'Ferry 1', mac: '00:1E:42:00:00:01' });
  const traffic = { device_id: device.id, day: today() - DAY };
  await world.ctx.db
    .insertInto('device_traffic')
    .values([
      { ...traffic, sim: 1, sent: 100, received: 200 },
      { ...traffic, sim: 2, sent: 10, received: 20 },
    ])
    .execute();
  const days = { device_id: device.id, at: today() - DAY, metric: 'router_uptime' };
  await world.ctx.db
    .insertInto('device_days')
    .values({ ...days, lowest: 10, highest: 4000, total: 10_001, readings: 3, last: 4000 })
    .execute();
  const body = { name: 'Yesterday', type: 'single', period: 'day', parameters: ['data_usage', 'router_uptime'], applied_by: 'device' };
  const { data: made } = await program.post('/reports', { ...body, company_id: company.id, apply_list: [device.id] });
  await program.post(`/reports/${made.id}/generate`, {});
  await world.ctx.jobs.settled();
  const [{ id, created_at }] = (await program.get('/reports/generated', { report_template_id: String(made.id) })).data;
  const { data, meta } = await program.get(`/reports/generated/${id}`);
  const yesterday = new Date(today() - DAY).toISOString().slice(0, 10);
  expect(data.params).toEqual({
    type: 'single',
    company: company.id,
    apply_to: 'device',
    start_date: yesterday,
    end_date: yesterday,
    period_type: 'day',
    parameters: 'data_usage,router_uptime',
    report_name: 'Yesterday',
    report_description: '',
    generation_date: Date.parse(`${created_at.replace(' ', 'T')}Z`) / SECOND,
  });
  expect(data.devices).toMatchObject([
    { router_id: device.id, sent_sim1: 100, received_sim1: 200, sent_sim2: 10, received_sim2: 20, sent: 110 },
  ]);
  expect(data.all.max_router_uptime).toMatchObject({ router_id: device.id, value: 4000 });
  expect(meta).toMatchObject({ max_router_uptime: '00:1E:42:00:00:01', max_connection_uptime: null });
  // What it applies to is not said of a template that was changed since.
  await world.clock.advance(SECOND);
  await program.put(`/reports/${made.id}`, { name: 'Yesterday', applied_by: 'company', apply_list: [company.id] });
  expect((await program.get(`/reports/generated/${id}`)).data.params.apply_to).toBeNull();
});

test('a program reads averages of a report as whole numbers, a person as they are [CJ2]', async () => {
  const device = await makeDevice(world, { company });
  const days = { device_id: device.id, at: today() - DAY, metric: 'signal' };
  await world.ctx.db
    .insertInto('device_days')
    .values({ ...days, lowest: -90, highest: -60, total: -151, readings: 2, last: -60 })
    .execute();
  const body = { name: 'Signal', type: 'single', period: 'day', parameters: ['signal'], applied_by: 'device', apply_list: [device.id] };
  const { data: made } = await program.post('/reports', { ...body, company_id: company.id });
  await program.post(`/reports/${made.id}/generate`, {});
  await world.ctx.jobs.settled();
  const [{ id }] = (await program.get('/reports/generated', { report_template_id: String(made.id) })).data;
  const person = await as(world, 'admin', { company });
  const averageFor = ({ data }: Answer): number => data.all.average_values.signal;
  expect([await program.get(`/reports/generated/${id}`), await person.get(`/reports/generated/${id}`)].map(averageFor)).toEqual([
    -75, -75.5,
  ]);
});

test('a program reads names of branches and how comparisons are joined, and puts the automation back as it was read [CJ2]', async () => {
  const body = { name: 'Weak', company_id: company.id, conditions_body: [weakSignal], applies_to: 'company' };
  const { data: made } = await program.post('/automations', body);
  const { data } = await program.get(`/automations/${made.id}`);
  expect(data).toMatchObject({
    automation_version: '1',
    conditions_body_version: '1',
    conditions_body: [
      {
        tag: 'cond_0',
        expression: [{ parameter: 'signal', joins_with: '&&' }],
        actions: [{ name: 'RaiseAlert', tag: 'cond_0.RaiseAlert.0' }],
        conditions: [{ tag: 'cond_1', actions: [{ name: 'Reboot', tag: 'cond_1.Reboot.0' }], conditions: [] }],
      },
    ],
  });
  const list = await program.get('/automations', { id: String(made.id) });
  expect(list.data[0].conditions_body).toEqual(data.conditions_body);
  const { name, conditions_body } = data;
  const put = await program.put(`/automations/${made.id}`, { name, conditions_body });
  expect([put.status, put.data.conditions_body]).toEqual([200, data.conditions_body]);
  expect((await (await as(world, 'admin', { company })).get(`/automations/${made.id}`)).data.conditions_body[0].tag).toBeUndefined();
});

test('a program reads the rule behind an entry of an automation as it was then, with the comparisons by the names of its branches [CJ2]', async () => {
  const device = await makeDevice(world, { company, status: 1, mac: '00:1E:42:00:00:09' });
  const { data: made } = await program.post('/automations', { name: 'Very weak', company_id: company.id, conditions_body: [weakSignal] });
  await program.put(`/automations/${made.id}/devices`, { devices: [device.id] });
  await say(device, 'status', { uptime: 60, signal: -105 });
  await world.clock.advance(3 * SECOND);
  const stronger = { ...weakSignal, expression: [{ parameter: 'signal', operator: '<', value: '-90' }] };
  await program.put(`/automations/${made.id}`, { conditions_body: [stronger] });
  const { data: logs } = await program.get(`/automations/${made.id}/logs`);
  expect(logs).toMatchObject([
    {
      mac: '00:1E:42:00:00:09',
      evaluation_id: String(logs[0].id),
      evaluated_conditions: [
        { key: 'cond_0', value: true },
        { key: 'cond_1', value: false },
      ],
      conditions_body: [{ tag: 'cond_0', expression: [{ value: '-100' }] }],
    },
  ]);
  const { data: one } = await program.get(`/automations/${made.id}/logs/${logs[0].id}`);
  expect(one).toMatchObject({ mac: '00:1E:42:00:00:09', conditions: logs[0].conditions_body });
});

test('a program reads every setting of a variable, null where it has none, and puts the template back as it was read [CJ2]', async () => {
  const variables = [{ id: 'up', filter: '$.uptime', type: 'integer', default: '0' }];
  const config = { name: 'Uptime', company_id: company.id, api_version: '1.7', period: 300, enabled: true };
  const { data: made } = await program.post('/data-collect/configs', { ...config, data: [{ url: '/ubus/system/info', variables }] });
  const { data } = await program.get(`/data-collect/configs/${made.id}`);
  const [source] = data.config.data;
  expect(source).toMatchObject({
    url_params: {},
    variables: [{ id: 'up', ref: null, enum: null, default: '0', transform: null }],
  });
  const put = await program.put(`/data-collect/configs/${made.id}`, { ...config, data: data.config.data });
  expect([put.status, put.errors, put.data.config.data]).toEqual([200, [], data.config.data]);
});

test('a program reads what the tags of a device and of a hub are, with what they do for those who see device actions [CJ2]', async () => {
  const tag = await makeTag(world, { company, name: 'quay' });
  const device = await makeDevice(world, { company, tags: [tag] });
  await program.post(`/tags/${tag.id}/actions`, { action: 'run', command: 'uptime' });
  const { data } = await program.get(`/devices/${device.id}`);
  expect(data.tags).toMatchObject([
    { name: 'quay', company_id: company.id, actions: [{ tag_id: tag.id, action: 'run', source_name: 'uptime' }] },
  ]);
  const narrow = await asProgram(world, 'admin', { company, scopes: ['view_devices', 'view_tags'] });
  expect((await narrow.get(`/devices/${device.id}`)).data.tags[0]).not.toHaveProperty('actions');
  const hub = { name: 'Ferries', company_id: company.id, hub_zone: 'local', tag_id: [tag.id] };
  expect((await program.post('/vpn/hubs', hub)).errors).toEqual([]);
  const [{ tags }] = (await program.get('/vpn/hubs')).data;
  expect(tags).toMatchObject([{ id: tag.id, company_id: company.id, created_at: expect.any(String) }]);
});

test('a program reads states and flags of a device with the documented types, a person those of the console [CJ2]', async () => {
  const device = await makeDevice(world, { company });
  const details = {
    pins: [
      { name: 'relay0', state: 1 },
      { name: 'relay1', state: 1 },
    ],
    position: { latitude: 60, longitude: 5, fixed_at: '2026-11-01 10:00:00' },
  };
  await world.ctx.db
    .insertInto('device_details')
    .values({ device_id: device.id, details: JSON.stringify(details), received_at: world.clock.now(), changed_at: world.clock.now() })
    .execute();
  expect((await program.get(`/devices/${device.id}`)).data).toMatchObject({
    monitoring_enabled: 1,
    is_authenticated: 1,
    activation_status: '1',
    relay_output: '1',
    relay_output_2: 1,
    gps_time: Date.parse('2026-11-01T10:00:00Z') / SECOND,
  });
  expect((await (await as(world, 'admin', { company })).get(`/devices/${device.id}`)).data.monitoring_enabled).toBe(true);
});

test('a program reads the device of an entry of remote access, and times of its sessions in seconds with the page that opens one [CJ2]', async () => {
  const device = await makeDevice(world, { company, description: 'on the pier' });
  const entry = { device_id: device.id, name: 'Camera', destination_ip: '192.168.1.20', destination_port: 443, protocol: 'https' };
  const { data: added } = await program.post('/devices/remote-access', { data: [entry] });
  expect((await program.get('/devices/remote-access', { device_id: String(device.id) })).data).toMatchObject([
    { device_description: 'on the pier', mqtt: 4 },
  ]);
  const at = world.clock.now() - (world.clock.now() % SECOND);
  const { data: session } = await program.post(`/devices/connect/${added.id[0]}`, { duration: 600 });
  const { data: sessions } = await program.get(`/devices/connect/${added.id[0]}/sessions`);
  expect(sessions).toMatchObject([
    {
      id: session.id,
      start_time: at / SECOND,
      end_time: null,
      url: `${world.ctx.publicUrl()}/remote/access?entry=${added.id[0]}`,
      ttl: 600,
    },
  ]);
});

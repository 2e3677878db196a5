import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { recordingChannel } from '../helpers/recording-channel.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Device = Awaited<ReturnType<typeof makeDevice>>;

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
const channel = recordingChannel();

beforeAll(async () => {
  world = await makeWorld({ parts: { devices: async () => channel } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const say = async (device: Device, topic: 'hello' | 'collected', payload: Record<string, unknown>) =>
  channel.handlers?.deliver([{ kind: 'message', message: { deviceKey: device.device_key, topic, payload } }]);
const MEMORY = {
  url: '/file/proc/meminfo',
  variables: [{ id: 'free-mb', filter: '$.fields.MemFree', type: 'number', transform: { expression: 'value / 1024' } }],
};
const LOAD = { url: '/file/proc/loadavg', variables: [{ id: 'load', filter: '$.lines[0][0]', type: 'number' }] };
let count = 0;
const body = (more: object = {}) => ({ name: `Template ${(count += 1)}`, period: 300, data: [LOAD, MEMORY], ...more });
const add = async (more: object = {}): Promise<number> => (await admin.post('/data-collect/configs', body(more))).data.id;
const assign = (id: number, devices: readonly Device[], more: object = {}) =>
  admin.put(`/data-collect/configs/${id}/assign`, { device_id: devices.map((device) => device.id), period: 300, enabled: true, ...more });
const printed = (load: string, memory = 'MemFree: 2048 kB\n') => [
  { code: 0, output: load },
  { code: 0, output: memory },
];
const answer = (device: Device, template: number, sources = printed('0.25 0.1 0.1\n'), version = 1) =>
  say(device, 'collected', { template, version, at: 1, sources });
const sentTo = (device: Device) => channel.commands.filter((sent) => sent.deviceKey === device.device_key).map(({ command }) => command);
const seriesOf = async (device: Device, metric: string) =>
  (await admin.get(`/devices/${device.id}/series`, { metrics: metric })).data.series[0].points.map((point: number[]) => point[1]);

describe('a monitoring template', () => {
  test('[rms 1.13] is collected by the devices that it is assigned to, and what they answer becomes readings', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    expect((await assign(id, [device])).status).toBe(200);
    expect(sentTo(device)).toMatchObject([
      { verb: 'collect', body: `template=${id} 1 300\nsource=file /proc/loadavg\nsource=file /proc/meminfo\n` },
    ]);
    await answer(device, id);
    await world.clock.advance(MINUTE);
    expect(await seriesOf(device, `mt${id}_load`)).toEqual([0.25]);
    expect(await seriesOf(device, `mt${id}_free_mb`)).toEqual([2]);
    const { data, meta } = await admin.get(`/devices/${device.id}/custom-data`, { config_id: String(id) });
    expect(meta).toMatchObject({ total: 1 });
    expect(data).toMatchObject([{ data: { '/file/proc/loadavg': { load: 0.25 }, '/file/proc/meminfo': { 'free-mb': 2 } } }]);
    expect((await admin.get('/data-collect/data/graph', { field: `${id}:/file/proc/loadavg:load` })).data).toEqual({ load: { '0.25': 1 } });
    expect((await admin.get('/data-collect/data/values', { field: `${id}:/file/proc/loadavg:load` })).data).toEqual({ load: ['0.25'] });
    const fields = (await admin.get('/devices/data/fields')).data.find((one: { id: number }) => one.id === id);
    expect(fields.fields).toContainEqual({
      id: 'load',
      url: '/file/proc/loadavg',
      description: '',
      metric: `mt${id}_load`,
      type: 'number',
    });
    const { data: template } = await admin.get(`/data-collect/configs/${id}`);
    expect(template).toMatchObject({
      device_count: 1,
      variables_count: 2,
      config: { version: '1', data: [{ url: LOAD.url }, { url: MEMORY.url }] },
    });
    expect(template.daily_bytes).toBeGreaterThan((DAY / 1000 / 300) * 50);
  });

  test('of another company gives no values, neither of its devices nor of its variables', async () => {
    const foreign = await as(world, 'admin', { company: await makeCompany(world) });
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    await assign(id, [device]);
    await answer(device, id);
    const asked = { id: String(device.id), metrics: `mt${id}_load` };
    expect((await foreign.get('/devices/collected', asked)).data).toEqual([]);
    expect((await admin.get('/devices/collected', asked)).data).toHaveLength(1);
  });

  test('says of each variable that has no value why, and the others are kept', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    await assign(id, [device]);
    await answer(device, id, [
      { code: 0, output: 'N/A\n' },
      { code: 126, output: 'not allowed\n' },
    ]);
    const { data } = await admin.get('/data-collect/configs/logs', { config_id: String(id) });
    expect(data).toMatchObject([{ device_id: device.id, config_id: id }]);
    expect(data[0].log).toEqual([
      'Variable retrieval failed: url [/file/proc/loadavg], id [load], filter [$.lines[0][0]], type mismatch: can not convert actual value [N/A] to expected [number] type',
      'Variable retrieval failed: url [/file/proc/meminfo], id [free-mb], filter [$.fields.MemFree], not allowed',
    ]);
  });

  test('takes no answer too soon, of a former version, of another template, or after it was unassigned', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    const other = await add();
    await assign(id, [device]);
    await answer(device, id);
    await answer(device, id, printed('9 9 9'));
    await answer(device, other, printed('9 9 9'));
    await world.clock.advance(5 * MINUTE);
    await admin.put(`/data-collect/configs/${id}`, body({ data: [LOAD] }));
    await answer(device, id, printed('9 9 9'));
    await admin.put(`/data-collect/configs/${id}/unassign`, { device_id: [device.id] });
    await answer(device, id, printed('9 9 9'), 2);
    expect((await admin.get(`/devices/${device.id}/custom-data`)).data).toHaveLength(1);
    expect(sentTo(device).at(-1)).toMatchObject({ verb: 'collect', body: '' });
  });

  test('is given again to a device that says hello', async () => {
    const device = await makeDevice(world, { company, status: 0 });
    const id = await add();
    await assign(id, [device]);
    expect(sentTo(device)).toEqual([]);
    await say(device, 'hello', { v: 1, serial: device.serial, mac: device.mac });
    await expect.poll(() => sentTo(device).map(({ verb }) => verb)).toContain('collect');
  });

  test('can be a condition of an automation', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    await assign(id, [device]);
    const expression = [{ parameter: `mt${id}_load`, operator: '>', value: '2' }];
    const branch = { type: 'if', expression, actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }] };
    await admin.post('/automations', { name: 'Busy', applies_to: 'device', device_ids: [device.id], conditions_body: [branch] });
    await answer(device, id, printed('3.5 1 1'));
    await world.clock.advance(3000);
    expect((await admin.get('/alerts', { device_id: String(device.id) })).data).toMatchObject([{ name: 'Busy' }]);
  });

  test('refuses paths, transforms, names and addresses that cannot work, each at its place', async () => {
    const variables = [
      { id: 'a', filter: 'MemFree', type: 'number' },
      { id: 'A', filter: '$.x', type: 'number', transform: { expression: 'process.exit()' } },
    ];
    const { status, errors } = await admin.post('/data-collect/configs', body({ data: [{ url: '/file/../etc/shadow', variables }] }));
    expect(status).toBe(400);
    expect(errors.map(({ source }: { source?: string }) => source)).toEqual([
      'data.0.url',
      'data.0.variables.0.filter',
      'data.0.variables.1.id',
      'data.0.variables.1.transform.expression',
    ]);
    expect((await admin.post('/data-collect/configs', body({ period: 59 }))).status).toBe(400);
    const many = Array.from({ length: 5 }, (_, at) => ({
      url: `/command/c${at}`,
      variables: Array.from({ length: 41 }, (_unused, index) => ({ id: `v${at}-${index}`, filter: '$.text', type: 'string' })),
    }));
    expect((await admin.post('/data-collect/configs', body({ data: many }))).status).toBe(400);
  });

  test('asks one device for at most 200 variables by all its templates', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const data = Array.from({ length: 4 }, (_, at) => ({
      url: `/command/c${at}`,
      variables: Array.from({ length: 50 }, (_unused, index) => ({ id: `v${at}-${index}`, filter: '$.text', type: 'string' })),
    }));
    expect((await assign(await add({ data }), [device])).status).toBe(200);
    const { status, errors } = await assign(await add(), [device]);
    expect([status, errors[0]?.source]).toEqual([400, 'device_id']);
    expect((await admin.get('/data-collect/configs/assigned', { device_id: String(device.id) })).data).toHaveLength(1);
  });

  test('of another company, and devices of one, are not found', async () => {
    const foreign = await as(world, 'admin', { company: await makeCompany(world) });
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    expect((await foreign.get(`/data-collect/configs/${id}`)).status).toBe(404);
    const own = (await foreign.post('/data-collect/configs', body())).data.id;
    const assigned = await foreign.put('/data-collect/configs/assign', {
      configs: [{ id: String(own), device_id: [device.id], period: 60, enabled: true }],
    });
    expect([assigned.status, assigned.errors[0]?.source]).toEqual([404, 'configs.0.device_id.0']);
  });

  test('is changed and ended for one device, and removed with what it collected; the history says so', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const id = await add();
    await assign(id, [device]);
    const [row] = (await admin.get('/data-collect/configs/assigned', { config_id: String(id) })).data;
    expect((await admin.put(`/data-collect/assignments/${row.id}`, { period: 3600, enabled: true })).data).toMatchObject({ period: 3600 });
    expect(sentTo(device).at(-1)?.body).toContain(`template=${id} 1 3600`);
    await answer(device, id);
    expect((await admin.delete(`/data-collect/configs/${id}`)).status).toBe(200);
    expect((await admin.get(`/devices/${device.id}/custom-data`)).data).toEqual([]);
    expect(sentTo(device).at(-1)?.body).toBe('');
    const actions = await world.ctx.db.selectFrom('audit').select('action').where('entity_id', 'in', [id, device.id]).execute();
    expect(new Set(actions.map(({ action }) => action))).toEqual(
      new Set(['monitoring-templates.new', 'monitoring-templates.assign', 'monitoring-templates.remove']),
    );
  });

  test('is tried on one device: the answer is the output of a job', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const { status } = await admin.post('/data-collect/test', { url: '/ubus/system/info', device_id: [device.id] });
    expect(status).toBe(200);
    await world.ctx.jobs.settled();
    expect(sentTo(device)).toMatchObject([{ verb: 'probe', body: 'source=ubus system info {}\n' }]);
    expect((await admin.post('/data-collect/test', { url: '/command/a/b', device_id: [device.id] })).status).toBe(400);
  });

  test('is a column of the devices, a line of a dashboard, and a series of the company', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    const text = { url: '/command/uname', variables: [{ id: 'kernel', filter: '$.text', type: 'string' }] };
    const id = await add({ data: [LOAD, text] });
    await assign(id, [device]);
    await answer(device, id, printed('0.25 0.1 0.1\n', 'Linux 6.6\n'));
    await world.clock.advance(5 * MINUTE);
    // The session of the others has ended by now.
    const admin = await as(world, 'admin', { company });
    await answer(device, id, printed('0.75 0.1 0.1\n', 'Linux 6.12\n'));
    await world.clock.advance(MINUTE);
    const [load, kernel] = [`mt${id}_load`, `mt${id}_kernel`];
    const { data } = await admin.get('/devices/collected', { id: String(device.id), metrics: `${load},${kernel}` });
    expect(data).toMatchObject([
      { id: device.id, metric: load, value: 0.75 },
      { id: device.id, metric: kernel, value: 'Linux 6.12' },
    ]);
    const { data: series } = await admin.get(`/companies/${company.id}/series`, { parameter: load });
    expect(series.points).toMatchObject([{ minimum: 0.25, maximum: 0.75, devices_count: 1 }]);
    const widget = { id: 'a', type: 'line', x: 0, y: 0, w: 6, h: 4, source: load };
    const { data: board } = await admin.post('/dashboards', { name: 'Load', kind: 'fleet', template: 'empty', share: 'private' });
    const saved = await admin.put(`/dashboards/${board.id}/layout`, { version: 1, widgets: [widget] });
    expect(saved.status, JSON.stringify(saved.errors)).toBe(200);
    const wrong = await admin.put(`/dashboards/${board.id}/layout`, {
      version: 2,
      widgets: [{ ...widget, type: 'bar' }],
    });
    expect(wrong.status).toBe(400);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../server/kernel/clock.ts';
import { generateDue } from '../../server/features/reports/generate.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeRole, makeTag } from '../helpers/factories.ts';
import { answer, reboot, startJob } from '../helpers/jobs.ts';
import { readPdf } from '../helpers/pdf-text.ts';
import { addReading } from '../helpers/readings.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const ALL = [
  'availability',
  'connection_uptime',
  'router_uptime',
  'data_usage',
  'signal',
  'temperature',
  'connection_type',
  'operator',
  'firmware',
  'actions',
];
type Device = Awaited<ReturnType<typeof makeDevice>>;
const today = () => world.clock.now() - (world.clock.now() % DAY);
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const template = (more: object = {}) => ({
  name: 'Yesterday',
  type: 'single',
  period: 'day',
  parameters: ALL,
  applied_by: 'company',
  ...more,
});
const forDevices = (devices: Device[], more: object = {}) =>
  template({ applied_by: 'device', device_ids: devices.map(({ id }) => id), ...more });

async function make(body: object, caller = admin): Promise<{ id: number; jobId: number }> {
  const { data } = await caller.post('/reports', body);
  const { status, meta } = await caller.post(`/reports/${data.id}/generate`, {});
  expect(status).toBe(200);
  await world.ctx.jobs.settled();
  const list = await caller.get('/reports/generated', { report_template_id: String(data.id) });
  return { id: list.data[0].id, jobId: Number(meta['job_id']) };
}

const traffic = (device: Device, day: number, sim: number, sent: number, received: number) =>
  world.ctx.db.insertInto('device_traffic').values({ device_id: device.id, day, sim, sent, received }).execute();
const state = (device: Device, name: string, at: number, value: string) =>
  world.ctx.db.insertInto('device_states').values({ device_id: device.id, name, at, value }).execute();

describe('a report', () => {
  test('says of each device and of all together what the charts of the device page show', async () => {
    const [first, second] = [await makeDevice(world, { company, name: 'First' }), await makeDevice(world, { company, name: 'Second' })];
    const [start, noon] = [today() - DAY, today() - DAY / 2];
    for (const [device, sent] of [
      [first, 100],
      [second, 7],
    ] as const) {
      await traffic(device, start, 1, sent, 2 * sent);
      await traffic(device, today(), 1, 5000, 5000);
      await state(device, 'status', start - HOUR, '1');
      await state(device, 'operator', start + HOUR, 'Telenor');
    }
    await traffic(first, start, 2, 50, 0);
    await state(first, 'status', noon, '0');
    for (const value of [-70, -90]) await addReading(world, first, { age: world.clock.now() - noon + value, value, metric: 'signal' });
    const { id, jobId } = await make(forDevices([first, second]));
    const { data } = await admin.get(`/reports/generated/${id}`);
    const usage = await admin.get(`/devices/${first.id}/data-usage`, { start_date: dayText(start), end_date: dayText(start) });
    const sims = usage.data[0].modems[0].sims;
    expect(data.devices[0]).toMatchObject({
      name: 'First',
      sent: 150,
      received: 200,
      min_signal: -90,
      max_signal: -70,
      avg_signal: -80,
      operator: 'Telenor',
      connection_uptime: DAY / 2 / 1000,
      sims: sims.map((sim: { sim_id: number; data: { tx: number; rx: number } }) => ({
        sim: sim.sim_id,
        sent: sim.data.tx,
        received: sim.data.rx,
      })),
    });
    const period = { start_date: dayText(start), end_date: dayText(start) };
    const presence = await admin.get(`/devices/${first.id}/presence`, period);
    expect(data.devices[0].availability).toBeCloseTo(presence.data.online_percent);
    const { data: charts } = await admin.get(`/devices/${first.id}/series`, { ...period, metrics: 'signal' });
    expect(charts.series[0].points.flatMap(([, , lowest, highest]: number[]) => [lowest, highest])).toEqual(
      expect.arrayContaining([data.devices[0].min_signal, data.devices[0].max_signal]),
    );
    expect(data).toMatchObject({
      state: 'finished',
      job_id: jobId,
      start_date: dayText(start),
      end_date: dayText(start),
      devices_count: 2,
      all: {
        mobile_data: { sent: 157, received: 214, total: 371 },
        max_signal: { value: -70, router_id: first.id, name: 'First', serial: first.serial, mac: first.mac },
        average_values: { availability: 75 },
      },
      days: [{ date: dayText(start), sent: 157, received: 214 }],
      operator_stats: [{ name: 'Telenor', value: 2 }],
    });
  });

  test('has the numbers of monitoring templates as columns, on the page, in the PDF and in the file', async () => {
    const [first, second] = [await makeDevice(world, { company, name: 'Pump' }), await makeDevice(world, { company, name: 'Mast' })];
    const variables = [
      { id: 'load', filter: '$.lines[0][0]', type: 'number' },
      { id: 'kernel', filter: '$.text', type: 'string' },
    ];
    const { data: monitoring } = await admin.post('/data-collect/configs', {
      ...{ name: 'Vitals', period: 300 },
      data: [{ url: '/file/proc/loadavg', variables }],
    });
    const metric = `mt${monitoring.id}_load`;
    const noon = today() - DAY / 2;
    for (const [device, values] of [
      [first, [1, 3]],
      [second, [8]],
    ] as const)
      for (const value of values) await addReading(world, device, { age: world.clock.now() - noon + value, value, metric });
    const { id } = await make(forDevices([first, second], { monitoring_templates: [monitoring.id] }));
    const { data } = await admin.get(`/reports/generated/${id}`);
    expect(data.variable_stats).toEqual([{ metric, label: 'Vitals: load', lowest: 1, average: 5, highest: 8, devices_count: 2 }]);
    expect(data.devices.map(({ values }: { values: object }) => values)).toEqual([{ [metric]: 8 }, { [metric]: 2 }]);
    const call = { method: 'GET', headers: admin.headers } as const;
    const pdf = await world.app.fastify.inject({ ...call, url: `/api/reports/generated/${id}/pdf` });
    expect(readPdf(pdf.rawPayload).text.replaceAll('\n', ' ')).toContain('Vitals: load');
    const csv = await world.app.fastify.inject({ ...call, url: `/api/reports/generated/${id}/file`, query: { format: 'csv' } });
    expect(csv.body.split('\r\n').map((line) => line.split(',').at(-1))).toEqual(['Vitals: load', '8', '2', '']);
    const foreign = await as(world, 'admin', { company: await makeCompany(world) });
    const refused = await foreign.post('/reports', template({ monitoring_templates: [monitoring.id] }));
    expect([refused.status, refused.errors[0]?.source]).toEqual([404, 'monitoring_templates.0']);
  });

  test('says what the devices at each site did together, on the page, in the PDF and in the file', async () => {
    const devices = await Promise.all(['Pump', 'Gate', 'Alone'].map((name) => makeDevice(world, { company, name })));
    const [pump, gate, alone] = devices as [(typeof devices)[0], (typeof devices)[0], (typeof devices)[0]];
    const { data: site } = await admin.post('/sites', { company_id: company.id, name: 'North quay' });
    await admin.put('/devices/site', { device_id: [pump.id, gate.id], site_id: site.id });
    const start = today() - DAY;
    for (const [device, sent] of [
      [pump, 100],
      [gate, 20],
      [alone, 7],
    ] as const)
      await traffic(device, start, 1, sent, 0);
    await state(pump, 'status', start - HOUR, '1');
    await state(gate, 'status', start - HOUR, '1');
    await state(gate, 'status', start + DAY / 2, '0');
    const { id } = await make(forDevices(devices));
    const { data } = await admin.get(`/reports/generated/${id}`);
    expect(data.site_stats).toMatchObject([
      { name: 'North quay', company_name: company.name, devices_count: 2, sent: 120, availability: 75 },
    ]);
    const file = await world.app.fastify.inject({ url: `/api/reports/generated/${id}/file?format=csv`, headers: admin.headers });
    expect(file.body).toContain('North quay');
    const pdf = await world.app.fastify.inject({ url: `/api/reports/generated/${id}/pdf`, headers: admin.headers });
    expect(readPdf(pdf.rawPayload).text.replaceAll('\n', ' ')).toContain('North quay');
  });

  test('leaves maintenance windows out of the availability, not out of the time online', async () => {
    const device = await makeDevice(world, { company });
    const start = today() - DAY;
    await state(device, 'status', start - HOUR, '1');
    await state(device, 'status', start + 2 * HOUR, '0');
    await state(device, 'status', start + 4 * HOUR, '1');
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const window = {
      name: 'Night',
      applies_to: 'device',
      device_ids: [device.id],
      days,
      time_from: '01:00',
      time_to: '03:00',
      timezone: 'UTC',
    };
    await admin.post('/maintenance-windows', window);
    const { id } = await make(forDevices([device]));
    const [row] = (await admin.get(`/reports/generated/${id}`)).data.devices;
    // 22 hours outside the window, 1 of them offline.
    expect(row.availability).toBeCloseTo((21 * 100) / 22);
    expect(row.connection_uptime).toBe((22 * HOUR) / 1000);
  });

  test('counts what jobs did, and says nothing of what was not asked for', async () => {
    const device = await makeDevice(world, { company });
    await startJob(world, admin, '/devices/actions', reboot([device]));
    await answer(world, device, {});
    await make(forDevices([device]));
    const days = { period: 'custom', start_date: dayText(today()), end_date: dayText(today()) };
    const { id } = await make(forDevices([device], { ...days, parameters: ['actions'] }));
    const { data } = await admin.get(`/reports/generated/${id}`);
    expect(data.devices[0]).toMatchObject({
      actions_done: 1,
      actions_failed: 0,
      sent: null,
      availability: null,
      firmware: null,
      operator: null,
    });
  });

  test('comes as PDF in four languages, as CSV and as a spreadsheet, with any name in it', async () => {
    const name = '=cmd() 東京 <b>';
    const { id } = await make(forDevices([await makeDevice(world, { company, name })], { name: 'Звіт' }));
    for (const [language, word] of [
      ['en', 'Availability'],
      ['nb', 'Tilgjengelighet'],
      ['ja', '稼働率'],
      ['uk', 'Доступність'],
    ]) {
      const url = `/api/reports/generated/${id}/pdf`;
      const pdf = await world.app.fastify.inject({ method: 'GET', url, headers: { ...admin.headers, 'accept-language': language } });
      expect(pdf.headers['content-type']).toBe('application/pdf');
      expect(readPdf(pdf.rawPayload).text.replaceAll('\n', '')).toContain(word);
    }
    const file = async (format: string) =>
      world.app.fastify.inject({ method: 'GET', url: `/api/reports/generated/${id}/file`, query: { format }, headers: admin.headers });
    const csv = (await file('csv')).body.split('\r\n');
    expect(csv[0]).toMatch(/^name,serial,mac,company_name,site_name,sent/);
    expect(csv[1]).toContain(`'=cmd() 東京 <b>`);
    expect((await file('xlsx')).rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect((await file('exe')).statusCode).toBe(400);
  });

  test('shows somebody who sees one company only the devices of that company, in its figures and files too', async () => {
    const below = await makeCompany(world, { parent: company });
    const [own, other] = [await makeDevice(world, { company }), await makeDevice(world, { company: below, name: 'Hidden' })];
    await traffic(own, today() - DAY, 1, 1, 1);
    await traffic(other, today() - DAY, 1, 1000, 1000);
    const { id } = await make(forDevices([own, other]));
    const role = await makeRole(world, { company, scope: 'company', permissions: ['view_reports'] });
    const narrow = await as(world, role, { company });
    const { data } = await narrow.get(`/reports/generated/${id}`);
    expect(data).toMatchObject({ devices_count: 1, all: { mobile_data: { total: 2 } }, days: [{ sent: 1, received: 1 }] });
    const url = `/api/reports/generated/${id}/file`;
    expect((await world.app.fastify.inject({ method: 'GET', url, headers: narrow.headers })).body).not.toContain('Hidden');
  });
});

describe('a template', () => {
  test('takes the body of the public API, is listed by type and period, changed and removed; its reports stay', async () => {
    const tag = await makeTag(world, { company });
    await makeDevice(world, { company, tags: [tag] });
    const { data } = await admin.post('/reports', {
      name: 'By tag',
      type: 'periodic',
      period: 'week',
      parameters: ['signal'],
      applied_by: 'tag',
      apply_list: [tag.id],
    });
    const path = `/reports/${data.id}`;
    expect((await admin.get(path)).data).toMatchObject({ apply_list: [tag.id], apply_list_names: [tag.name], company_name: 'Fjordline' });
    const idsAt = async (list: string, query: object = {}) =>
      (await admin.get(list, { ...query })).data.map((row: { id: number }) => row.id);
    expect(await idsAt('/reports/periodic/week')).toContain(data.id);
    expect(await idsAt('/reports', { period: 'periodic' })).toContain(data.id);
    for (const list of ['/reports/single', '/reports/periodic/day']) expect(await idsAt(list)).not.toContain(data.id);
    await admin.post(`${path}/generate`, {});
    await world.ctx.jobs.settled();
    const [report] = (await admin.get('/reports/generated', { report_template_id: String(data.id) })).data;
    expect((await admin.put(path, template({ name: 'Other' }))).data).toMatchObject({ name: 'Other', type: 'single', next_at: null });
    expect((await admin.delete(path)).status).toBe(200);
    const kept = `/reports/generated/${report.id}`;
    expect((await admin.put(kept, { name: 'Kept', description: '' })).status).toBe(200);
    expect((await admin.get(kept)).data).toMatchObject({ name: 'Kept', report_template_id: null, report_template_name: 'By tag' });
    expect((await admin.delete(kept)).status).toBe(200);
    expect((await admin.get(kept)).status).toBe(404);
  });

  test('is refused at the field that does not fit', async () => {
    const bad = async (more: object) => (await admin.post('/reports', template(more))).errors[0]?.source;
    expect(await bad({ period: 'custom' })).toBe('start_date');
    expect(await bad({ period: 'custom', start_date: '2026-03-02', end_date: '2026-03-01' })).toBe('end_date');
    expect(await bad({ type: 'periodic', period: 'custom', start_date: '2026-03-01', end_date: '2026-03-02' })).toBe('period');
    expect(await bad({ type: 'periodic', timezone: 'Mars/Olympus' })).toBe('timezone');
    expect(await bad({ applied_by: 'device' })).toBe('device_ids');
    const foreign = await makeDevice(world, { company: await makeCompany(world) });
    expect(await admin.post('/reports', forDevices([foreign]))).toMatchObject({ status: 404, errors: [{ source: 'device_ids.0' }] });
  });

  test('makes its report by itself when it is due, once, and not for somebody who may not any more', async () => {
    const device = await makeDevice(world, { company });
    const helper = await as(world, 'end_user', { company });
    const { data } = await helper.post(
      '/reports',
      forDevices([device], { type: 'periodic', period: 'day', time: '06:00', timezone: 'UTC' }),
    );
    const pass = async (): Promise<number> => {
      const { next_at } = await world.ctx.db.selectFrom('reports').select('next_at').where('id', '=', data.id).executeTakeFirstOrThrow();
      await world.clock.jump((next_at ?? 0) + MINUTE - world.clock.now());
      await Promise.all([generateDue(world.ctx), generateDue(world.ctx)]);
      await world.ctx.jobs.settled();
      return (await world.ctx.db.selectFrom('generated_reports').select('id').where('report_id', '=', data.id).execute()).length;
    };
    expect(await pass()).toBe(1);
    expect(await pass()).toBe(2);
    await world.ctx.db.deleteFrom('memberships').where('user_id', '=', helper.user.id).execute();
    expect(await pass()).toBe(2);
  });
});

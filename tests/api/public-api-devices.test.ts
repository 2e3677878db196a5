import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeDevice, makeTag, makeTree } from '../helpers/factories.ts';
import { asProgram, type Program } from '../helpers/program.ts';
import { makeWorld, type World } from '../helpers/world.ts';

// Devices as programs of the public API ask for them; what is documented and not known here is null.

let world: World;
let program: Program;
let console: Caller;
let paying: number;
let plain: number;
const namesOf = (rows: { name: string }[]): string[] => rows.map(({ name }) => name).toSorted();

beforeAll(async () => {
  world = await makeWorld();
  const { top } = await makeTree(world);
  program = await asProgram(world, 'admin', { company: top });
  console = await as(world, 'admin', { company: top });
  const tag = await makeTag(world, { company: top, name: 'ferry' });
  paying = (await makeDevice(world, { company: top, name: 'quay', tags: [tag] })).id;
  plain = (await makeDevice(world, { company: top, name: 'pier' })).id;
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(top.id, 10));
  await root.put('/devices/credit', { device_id: [paying], credit_enabled: true, credit_type_id: 2, auto_extend_credit: true });
  await world.ctx.jobs.settled();
  await world.ctx.db.updateTable('devices').set({ monitoring_enabled: 0 }).where('id', '=', plain).execute();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a device is answered with every documented member, null where nothing is known of it', async () => {
  const { data } = await program.get(`/devices/${paying}`);
  expect(data).toMatchObject({
    name: 'quay',
    modem_model: null,
    wlan_mac: null,
    signal_2: null,
    digital_input: null,
    latitude: null,
    credit_enabled: 1,
    auto_extend_credit: 1,
    management_credit_type: 'credit',
    management_credit_type_id: 2,
  });
  expect(data.tags[0]).toMatchObject({ name: 'ferry', description: expect.any(String), created_at: expect.any(String) });
  expect((await program.get('/devices', { id: paying })).data).toEqual([data]);
  const mine = (await console.get(`/devices/${paying}`)).data;
  expect(Object.keys(mine)).not.toContain('credit_enabled');
  expect(data).toMatchObject({ ...mine, monitoring_enabled: 1, tags: [expect.objectContaining(mine.tags[0])] });
});

test('what a device has of credits is shown to those who see credits', async () => {
  const guest = await asProgram(world, 'admin', { company: { id: console.user.company_id }, scopes: ['view_devices'] });
  expect((await guest.get(`/devices/${paying}`)).data).toMatchObject({ credit_enabled: null, management_credit_type_id: null });
  const ignored = await guest.get('/devices', { management_credit_type_id: 2 });
  expect(ignored.headers['warning']).toContain('management_credit_type_id');
});

test('documented fields may be named in lists and for one device; one that nobody knows is left out with a warning', async () => {
  expect((await program.get('/devices', { fields: 'id,name,latitude', id: plain })).data).toEqual([
    { id: plain, name: 'pier', latitude: null },
  ]);
  expect((await program.get(`/devices/${plain}`, { fields: 'id,name' })).data).toEqual({ id: plain, name: 'pier' });
  expect((await program.get(`/devices/${plain}`, { fields_only: 1 })).data).toContain('wlan_mac');
  const unknown = await program.get('/devices', { fields: 'id,shoe_size', id: plain });
  expect([unknown.data, unknown.headers['warning']]).toEqual([[{ id: plain }], '299 - "Unknown field ignored: shoe_size"']);
  expect((await program.get('/devices', { fields: 'shoe_size' })).status).toBe(400);
  expect((await console.get('/devices', { fields: 'id,latitude' })).status).toBe(400);
});

test.each<[Record<string, string | number>, string[]]>([
  [{ monitoring_status: 'monitored' }, ['quay']],
  [{ monitoring_status: 'not_monitored' }, ['pier']],
  [{ task: 'no_pending_task' }, ['pier', 'quay']],
  [{ modem_model: 'EC25' }, []],
  [{ signal_2: 'low' }, []],
  [{ 'ne:signal_2': 'low' }, ['pier', 'quay']],
  [{ signal_2: 'no_signal' }, ['pier', 'quay']],
  [{ management_credit_type_id: 2 }, ['quay']],
  [{ management_credit_type_id: 1 }, []],
  [{ management_credit_type: 'credit' }, ['quay']],
  [{ data_credit_type: 'data_150GB_10y' }, []],
])('devices are filtered by %j', async (filter, names) => {
  const found = await program.get('/devices', { ...filter, limit: 1000 });
  expect([found.status, found.headers['warning'], namesOf(found.data)]).toEqual([200, undefined, names]);
  expect(found.meta['total']).toBe(names.length);
});

test('the charts that are asked for are counted, each of the documented ones', async () => {
  const one = await program.get('/devices/statistics', { charts: 'status' });
  expect(Object.keys(one.data)).toEqual(['status']);
  const charts = 'task,modem_model,modem_manufacturer,modem_firmware,signal_2,operator_2,connection_type_2,network_state_2,modem_model_2';
  const many = await program.get('/devices/statistics', { charts, monitoring_status: 'monitored' });
  expect(many.data).toMatchObject({
    task: { no_pending_task: 1 },
    modem_model: { unknown: 1 },
    signal_2: { no_signal: 1 },
    operator_2: { unknown: 1 },
  });
  expect(Object.keys(many.data).toSorted()).toEqual(charts.split(',').toSorted());
  expect((await program.get('/devices/statistics', { charts: 'shoes' })).errors).toMatchObject([{ source: 'charts' }]);
  expect(Object.keys((await console.get('/devices/statistics')).data)).not.toContain('task');
  expect(Object.keys((await program.get('/devices/statistics')).data)).toEqual(expect.arrayContaining(['task', 'modem_model', 'signal_2']));
});

test('a file of devices may be a part of them', async () => {
  const rowsOf = (text: string): string[] => text.trim().split(/\r?\n/).slice(1);
  const part = await program.get('/devices/export/csv', { fields: 'name', sort: 'name', limit: 1, offset: 1 });
  expect(rowsOf(part.text)).toEqual(['quay']);
  expect(rowsOf((await program.get('/devices/export/csv', { fields: 'name', sort: 'name', limit: 5000 })).text)).toEqual(['pier', 'quay']);
  expect((await console.get('/devices/export/csv', { limit: 1 })).status).toBe(400);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const DAY = 86_400_000;
const BASE = '/devices/configurator';
const RUTX = { model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' };
const OUTPUT = (hostname: string, ssid: string) => `system.system=system
system.system.hostname='${hostname}'
network.lan=interface
network.lan.ipaddr='192.168.1.1'
wireless.wifi0=wifi-iface
wireless.wifi0.ssid='${ssid}'
wireless.wifi0.key='hunter22'
`;

let world: World;
let root: Caller;
let admin: Caller;
let group: Awaited<ReturnType<typeof makeCompany>>;
let company: typeof group;
let tag: Awaited<ReturnType<typeof makeTag>>;
let router: Awaited<ReturnType<typeof makeDevice>>;
let second: typeof router;

beforeAll(async () => {
  world = await makeWorld();
  group = await makeCompany(world, { name: 'Group' });
  company = await makeCompany(world, { name: 'Quay', parent: group });
  root = await as(world, 'admin', { company: group });
  admin = await as(world, 'admin', { company });
  tag = await makeTag(world, { company, name: 'harbour' });
  router = await makeDevice(world, { company, name: 'bgo-1', tags: [tag], ...RUTX });
  second = await makeDevice(world, { company, name: 'bgo-2', ...RUTX });
});
afterAll(() => world[Symbol.asyncDispose]());

const call = (path: string, data: object, more: object = {}) => ({ path, method: 'put', request_data: { data }, ...more });
const add = async (body: object, by = admin) =>
  (await by.post(`${BASE}/templates`, { company_id: company.id, version: '1', ...body })).data?.id as number;
const set = (body: object, by = admin) => by.post(`${BASE}/variables`, { scope: 'company', company_id: company.id, ...body });
const bodyOf = () => world.commands.at(-1)?.command.body ?? '';
const driftOf = async (template: number) => (await admin.get(`${BASE}/drift`, { template_id: String(template), sort: 'device_name' })).data;

/** Answers each step of a change that is under way on a device. */
async function change(device: typeof router, output: string): Promise<void> {
  await answer(world, device, {});
  await answer(world, device, {});
  await answer(world, device, { output });
}

test('a value is that of the device, else of its tag, else of the nearest company', async () => {
  await set({ company_id: group.id, name: 'wifi_name', value: 'group' }, root);
  const id = await add({ name: 'Wi-Fi', template: [call('/wireless/interfaces/config/wifi0', { ssid: '{{wifi_name}} {{device.name}}' })] });
  const apply = async (device: typeof router) => {
    await admin.post(`${BASE}/templates/${id}/use`, { device_id: [device.id] });
    await world.ctx.jobs.settled();
    const sent = /ssid=(.*)/.exec(bodyOf())?.[1];
    await change(device, OUTPUT(device.name, sent ?? ''));
    return sent;
  };
  expect(await apply(router)).toBe('group bgo-1');
  await set({ name: 'wifi_name', value: 'quay' });
  expect(await apply(second)).toBe('quay bgo-2');
  await set({ scope: 'tag', company_id: undefined, tag_id: tag.id, name: 'wifi_name', value: 'tag' });
  expect(await driftOf(id)).toMatchObject([
    {
      device_name: 'bgo-1',
      state: 'differs',
      differences: [{ section: 'wireless/interfaces', item: 'wifi0', option: 'ssid', before: 'group bgo-1', after: 'tag bgo-1' }],
    },
    { device_name: 'bgo-2', state: 'equal' },
  ]);
  expect(await apply(router)).toBe('tag bgo-1');
  await set({ scope: 'device', company_id: undefined, device_id: router.id, name: 'wifi_name', value: 'own' });
  expect(await apply(router)).toBe('own bgo-1');
  expect(await driftOf(id)).toMatchObject([{ state: 'equal' }, { state: 'equal' }]);
});

test('variables and templates that lead back to themselves are refused with their names', async () => {
  await set({ name: 'first', value: '{{second}}' });
  expect((await set({ name: 'second', value: 'x {{first}}' })).errors).toMatchObject([{ code: 'VARIABLE_CIRCLE', source: 'value' }]);
  expect((await set({ name: 'alone', value: '{{alone}}' })).errors[0]?.message).toContain('alone → alone');
  const low = await add({ name: 'Low' });
  const high = await add({ name: 'High', base_id: low });
  const refused = await admin.put(`${BASE}/templates/${low}`, { name: 'Low', base_id: high });
  expect(refused.errors).toMatchObject([
    { code: 'TEMPLATE_CIRCLE', source: 'base_id', message: expect.stringContaining('Low → High → Low') },
  ]);
  expect((await admin.delete(`${BASE}/templates/${low}`)).codes).toEqual(['TEMPLATE_IN_USE']);
});

test('a template that builds on another has its settings too, and its own count', async () => {
  const low = await add({ name: 'Base', template: [call('/network/interfaces/config/lan', { ipaddr: '10.0.0.1', mtu: 1400 })] });
  const high = await add({ name: 'Branch', base_id: low, template: [call('/network/interfaces/config/lan', { ipaddr: '10.0.7.1' })] });
  await admin.post('/devices/configurator/apply-template', { device_id: [second.id], template_id: high });
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set network.lan.ipaddr=10.0.7.1\ndo=set network.lan.mtu=1400\n');
  await change(second, OUTPUT('bgo-2', 'quay bgo-2'));
});

test('devices of another system, firmware or without a value are left out, with the reason', async () => {
  const newer = await add({ name: 'Newer', min_firmware: '07.15', template: [call('/network/interfaces/config/lan', { mtu: 1300 })] });
  const preview = (template_id: number, device: typeof router = router) =>
    admin.post('/devices/configurator/apply-template', { device_id: [device.id], template_id, dry_run: true });
  const reasonOf = async (template: number, device?: typeof router) => (await preview(template, device)).data.skipped[0]?.reason;
  expect(await reasonOf(newer)).toBe('WRONG_FIRMWARE');
  expect(await reasonOf(await add({ name: 'Debian', system: 'debian' }))).toBe('UNSUPPORTED');
  expect(await reasonOf(await add({ name: 'Unset', template: [call('/network/interfaces/config/lan', { mtu: '{{unset}}' })] }))).toBe(
    'VALUE_MISSING',
  );
  expect(await reasonOf(await add({ name: 'Same', template: [call('/network/interfaces/config/lan', { ipaddr: '192.168.1.1' })] }))).toBe(
    'UP_TO_DATE',
  );
  const fresh = await makeDevice(world, { company, name: 'fresh', ...RUTX });
  const search = [{ search_key: 'id', path: '/wireless/interfaces/config', elements: [{ key: 'ssid', value: 'a' }] }];
  const searching = await add({
    name: 'Search',
    template: [call('/wireless/interfaces/config/{id}', { ssid: 'b' }, { search_elements: search })],
  });
  expect(await reasonOf(searching, fresh)).toBe('NOT_READ');
  const elsewhere = await makeDevice(world, { company: group, name: 'elsewhere', ...RUTX });
  expect(
    (await root.post('/devices/configurator/apply-template', { device_id: [elsewhere.id], template_id: newer, dry_run: true })).data
      .skipped,
  ).toMatchObject([{ reason: 'NO_RIGHT' }]);
});

test('a secret variable is shown to nobody, and goes into secret options alone', async () => {
  await set({ name: 'wifi_key', value: 'SECRET-PHRASE', is_secret: true });
  const { data, text } = await admin.get(`${BASE}/variables`, { q: 'wifi_key' });
  expect([data[0].value, text.includes('SECRET-PHRASE')]).toEqual(['***', false]);
  const rows = await world.ctx.db.selectFrom('configuration_variables').select('value').execute();
  expect(JSON.stringify(rows)).not.toContain('SECRET-PHRASE');
  const open = await add({ name: 'Leak', template: [call('/wireless/interfaces/config/wifi0', { ssid: '{{wifi_key}}' })] });
  const leak = await admin.post('/devices/configurator/apply-template', { device_id: [router.id], template_id: open, dry_run: true });
  expect(leak.data.skipped).toMatchObject([{ reason: 'VALUE_MISSING' }]);
  const right = await add({ name: 'Key', template: [call('/wireless/interfaces/config/wifi0', { key: '{{wifi_key}}' })] });
  await admin.post('/devices/configurator/apply-template', { device_id: [router.id], template_id: right });
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set wireless.wifi0.key=SECRET-PHRASE\n');
  const jobs = await world.ctx.db.selectFrom('jobs').select('input').execute();
  const targets = await world.ctx.db.selectFrom('job_targets').select('facts').execute();
  expect(JSON.stringify([jobs, targets])).not.toContain('SECRET-PHRASE');
  await change(router, OUTPUT('bgo-1', 'own bgo-1'));
  expect(await driftOf(right)).toMatchObject([{ state: 'equal', differences_count: 0 }]);
});

test('devices are compared at night; who differs is made equal, or the template takes over what they have', async () => {
  const id = await add({ name: 'Host', template: [call('/system/general/config/system', { hostname: 'harbour' })] });
  await admin.post(`${BASE}/templates/${id}/use`, { device_id: [router.id] });
  await world.ctx.jobs.settled();
  await change(router, OUTPUT('harbour', 'own bgo-1'));
  const listed = async (state: string) =>
    (await admin.get('/devices', { configuration_state: state, sort: 'name' })).data.map(({ name }: { name: string }) => name);
  expect(await driftOf(id)).toMatchObject([{ state: 'equal' }]);
  await world.clock.jump(DAY + 3_600_000);
  admin = await as(world, 'admin', { company });
  await world.ctx.jobs.settled();
  expect(world.commands.at(-1)?.command.verb).toBe('read');
  await answer(world, router, { output: OUTPUT('changed-by-hand', 'own bgo-1') });
  expect(await driftOf(id)).toMatchObject([
    { state: 'differs', differences: [{ option: 'hostname', before: 'changed-by-hand', after: 'harbour' }] },
  ]);
  expect(await listed('differs')).toContain('bgo-1');
  const [drift] = await driftOf(id);
  await admin.post(`${BASE}/drift/${drift.id}/take-over`, {});
  await world.ctx.jobs.settled();
  expect((await admin.get(`${BASE}/templates/${id}`)).data).toMatchObject({
    revision: 2,
    template: expect.stringContaining('changed-by-hand'),
  });
  expect(await driftOf(id)).toMatchObject([{ state: 'equal' }]);
  expect((await admin.get(`${BASE}/templates/${id}/revisions`)).data).toMatchObject([{ revision: 2 }, { revision: 1 }]);
  const before = { revision: 2, version: '3', template: [call('/system/general/config/system', { hostname: 'harbour' })] };
  expect((await admin.put(`${BASE}/templates/${id}/content`, before)).data).toMatchObject({ revision: 3 });
  expect((await admin.put(`${BASE}/templates/${id}/content`, before)).codes).toEqual(['TEMPLATE_CHANGED']);
  expect(await driftOf(id)).toMatchObject([{ state: 'differs' }]);
  await admin.post(`${BASE}/templates/${id}/make-equal`, {});
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set system.system.hostname=harbour\n');
  await change(router, OUTPUT('harbour', 'own bgo-1'));
  expect(await driftOf(id)).toMatchObject([{ state: 'equal', revision: 3 }]);
});

test('a template is made of what a device has, without secrets; a tag applies one', async () => {
  const imported = await admin.post(`${BASE}/templates/import`, {
    company_id: company.id,
    name: 'Imported',
    device_id: router.id,
    configs: ['wireless'],
  });
  const { data } = await admin.get(`${BASE}/templates/${imported.data.id}`);
  expect(JSON.parse(data.template)).toEqual([
    { path: '/wireless/interfaces/config/wifi0', method: 'put', request_data: { data: { ssid: 'own bgo-1' } } },
  ]);
  const plain = await add({ name: 'By tag', template: [call('/network/interfaces/config/lan', { mtu: 1280 })] });
  await admin.post(`/tags/${tag.id}/actions`, { action: 'apply_template', template_id: plain });
  await admin.put('/devices/tags/assign', { device_id: [second.id], tag_id: [tag.id] });
  await world.clock.advance(60_000);
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set network.lan.mtu=1280\n');
});

test('templates and variables of others are as unknown ones; what the document does not know is refused at its place', async () => {
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  const id = await add({ name: 'Ours' });
  for (const one of [id, 987654]) {
    const answers = [
      await stranger.get(`${BASE}/templates/${one}`),
      await stranger.get(`${BASE}/templates/${one}/revisions`),
      await stranger.post(`${BASE}/templates/${one}/use`, { device_id: [router.id] }),
      await stranger.post(`${BASE}/templates/${one}/make-equal`, {}),
      await stranger.post('/devices/configurator/apply-template', { device_id: [router.id], template_id: one }),
    ];
    expect(answers.map(({ codes }) => codes)).toEqual(answers.map(() => ['NOT_FOUND']));
  }
  for (const [template, source] of [
    [call('/passwd/config/root', { a: 'b' }), 'template.0.path'],
    [call('/network/interfaces/config/lan', { stranger: 'a' }), 'template.0.request_data.data.stranger'],
    [call('/network/interfaces/config/lan', { mtu: 4 }), 'template.0.request_data.data.mtu'],
  ] as const) {
    const refused = await admin.post(`${BASE}/templates`, { company_id: company.id, name: 'Bad', version: '1', template: [template] });
    expect(refused.errors[0]?.source).toBe(source);
  }
});

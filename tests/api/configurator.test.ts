import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
let router: Awaited<ReturnType<typeof makeDevice>>;
let second: Awaited<ReturnType<typeof makeDevice>>;

const RUTX = { model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' };
const BASE = '/devices/configurator';
const OUTPUT = (ssid: string, id = 'wifi0') => `network.lan=interface
network.lan.ipaddr='192.168.1.1'
network.lan.dns='1.1.1.1' '9.9.9.9'
network.lan.unheard='of'
wireless.${id}=wifi-iface
wireless.${id}.ssid='${ssid}'
wireless.${id}.key='hunter22'
passwd.root=user
nonsense
`;
const bodyOf = () => world.commands.at(-1)?.command.body ?? '';
const put = (device: number[], path: string, data: object, more: object = {}) => ({
  device_id: device,
  path,
  method: 'put',
  request_data: { data },
  ...more,
});

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  router = await makeDevice(world, { company, ...RUTX });
  second = await makeDevice(world, { company, ...RUTX });
});
afterAll(() => world[Symbol.asyncDispose]());

test('a device without an uploaded document has the one that ships', async () => {
  const { data } = await admin.get(`${BASE}/specification?device_id=${router.id}`);
  expect(data.url).toBe('/api/devices/configurator/documents/rutos');
  const { data: document } = await admin.get(`${BASE}/documents/rutos`);
  const sections: { id: string; secrets: string[] }[] = document.sections;
  expect(sections.map(({ id }) => id)).toEqual(expect.arrayContaining(['network/interfaces', 'wireless/interfaces', 'firewall/rules']));
  expect(sections.find(({ id }) => id === 'wireless/interfaces')?.secrets).toEqual(['key']);
});

test('reading is a job; only what the document knows is kept, and no secret', async () => {
  expect((await admin.post(`${BASE}/values`, { device_id: [router.id] })).data).toMatchObject([{ settings: null, read_at: null }]);
  expect((await admin.post(`${BASE}/configuration`, { device_id: router.id })).status).toBe(200);
  await world.ctx.jobs.settled();
  expect(world.commands.at(-1)?.command.verb).toBe('read');
  expect(bodyOf()).toContain('config=wireless\n');
  expect(bodyOf()).toContain('hide=key\n');
  await answer(world, router, { output: OUTPUT('harbour') });
  const { data, text } = await admin.post(`${BASE}/values`, { device_id: [router.id] });
  expect(data).toEqual([
    {
      id: router.id,
      name: router.name,
      serial: router.serial,
      mac: router.mac,
      system: 'rutos',
      read_at: expect.any(String),
      settings: {
        network: [{ id: 'lan', type: 'interface', options: { ipaddr: '192.168.1.1', dns: ['1.1.1.1', '9.9.9.9'] } }],
        wireless: [{ id: 'wifi0', type: 'wifi-iface', options: { ssid: 'harbour', key: '***' } }],
      },
    },
  ]);
  expect(text).not.toContain('hunter22');
});

test('a change is previewed for each device, and sent with a way back; secrets are sealed', async () => {
  const asked = { device_id: [second.id] };
  expect(
    (await admin.post(`${BASE}/configure`, { configuration: [put([second.id], '/network/interfaces/config/lan', { ipaddr: '10.0.0.1' })] }))
      .codes,
  ).toEqual(['CONFIGURATION_NOT_READ']);
  await admin.post(`${BASE}/read`, asked);
  await world.ctx.jobs.settled();
  await answer(world, second, { output: OUTPUT('quay', 'cfg033579') });
  const search = {
    search_elements: [{ search_key: 'id', path: '/wireless/interfaces/config', elements: [{ key: 'ssid', value: 'harbour' }] }],
  };
  const configuration = [
    put([router.id, second.id], '/network/interfaces/config/lan', { ipaddr: '10.0.0.1', dns: ['1.1.1.1', '9.9.9.9'] }),
    put([router.id], '/wireless/interfaces/config/{id}', { ssid: 'pier', key: 'SECRET-KEY' }, search),
  ];
  const preview = await admin.post(`${BASE}/configure`, { configuration, dry_run: true });
  const address = { section: 'network/interfaces', item: 'lan', option: 'ipaddr', before: '192.168.1.1', after: '10.0.0.1' };
  expect(preview.data).toEqual({
    devices: [
      {
        id: router.id,
        name: router.name,
        changes: [
          address,
          { section: 'wireless/interfaces', item: 'wifi0', option: 'ssid', before: 'harbour', after: 'pier' },
          { section: 'wireless/interfaces', item: 'wifi0', option: 'key', before: '***', after: '***' },
        ],
      },
      { id: second.id, name: second.name, changes: [address] },
    ],
  });
  const sent = world.commands.length;
  const started = await admin.post(`${BASE}/configure`, { configuration, confirm_seconds: 60 });
  expect(started.meta).toMatchObject({ channel: expect.stringMatching(/^jobs\./), count: 2 });
  await world.ctx.jobs.settled();
  const bodies = world.commands.slice(sent).map(({ command }) => command);
  expect(bodies.map(({ verb }) => verb)).toEqual(['configure', 'configure']);
  expect(bodies.find(({ body }) => body.includes('wifi0'))?.body).toBe(
    'confirm_seconds=60\nconfig=network\nconfig=wireless\ndo=set network.lan.ipaddr=10.0.0.1\ndo=set wireless.wifi0.ssid=pier\ndo=set wireless.wifi0.key=SECRET-KEY\n',
  );
  const job = await admin.get(`/jobs/${Number(started.meta['job_id'])}`);
  expect(job.text).not.toContain('SECRET-KEY');
  const rows = await world.ctx.db.selectFrom('jobs').select('input').execute();
  expect(JSON.stringify(rows)).not.toContain('SECRET-KEY');
  await answer(world, router, {});
  expect(world.commands.at(-1)?.command).toMatchObject({ verb: 'confirm', body: 'required=1\n' });
  await answer(world, router, {});
  expect(world.commands.at(-1)?.command.verb).toBe('read');
  await answer(world, router, { output: OUTPUT('pier').replace('192.168.1.1', '10.0.0.1') });
  const { data } = await admin.post(`${BASE}/values`, { device_id: [router.id] });
  expect(data[0].settings.wireless[0].options.ssid).toBe('pier');
  expect(
    (await admin.post(`${BASE}/configure`, { configuration: [put([router.id], '/network/interfaces/config/lan', { ipaddr: '10.0.0.1' })] }))
      .codes,
  ).toEqual(['CONFIGURATION_UNCHANGED']);
});

test('what was read and changed on a device is listed, without secrets', async () => {
  const { data, text } = await admin.get(`/devices/${router.id}/configurator/logs`);
  expect(data).toMatchObject([
    { action_name: 'configure', request_state: 'ok', method: 'POST', request_message: expect.stringContaining('pier'), request_hidden: 1 },
    { action_name: 'read_settings', request_state: 'ok' },
  ]);
  expect(text).not.toContain('SECRET-KEY');
  const reads = await admin.get(`/devices/${router.id}/configurator/logs/read_settings`);
  expect(reads.data).toHaveLength(1);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get(`/devices/${router.id}/configurator/logs`)).codes).toEqual(['NOT_FOUND']);
});

test('what was done on a group of devices is listed by job, with how many of them are where', async () => {
  const { data } = await admin.post(`${BASE}/logs`, { device_id: [router.id, second.id] });
  expect(data).toMatchObject([
    { action_name: 'configure', states: { ok: 1, sent: 1 } },
    { action_name: 'read_settings', states: { ok: 1 } },
    { action_name: 'read_settings', states: { ok: 1 } },
  ]);
  const own = await admin.post(`${BASE}/logs`, { device_id: [second.id] });
  expect(own.data).toMatchObject([{ states: { sent: 1 } }, { states: { ok: 1 } }]);
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.post(`${BASE}/logs`, { device_id: [router.id] })).errors[0]).toMatchObject({
    code: 'NOT_FOUND',
    source: 'device_id.0',
  });
});

test('each of 500 devices gets its own value in one call, beside one for all of them', async () => {
  const calls = Array.from({ length: 501 }, () => put([router.id], '/network/interfaces/config/lan', { mtu: 1400 }));
  expect((await admin.post(`${BASE}/configure`, { configuration: calls, dry_run: true })).status).toBe(200);
  expect((await admin.post(`${BASE}/configure`, { configuration: [...calls, calls[0]], dry_run: true })).errors[0]?.source).toBe(
    'configuration',
  );
});

test('values that the document does not allow are refused at their place, and nothing is sent', async () => {
  const sent = world.commands.length;
  for (const [call, source] of [
    [put([router.id], '/network/interfaces/config/lan', { ipaddr: '$(reboot)' }), 'configuration.0.request_data.data.ipaddr'],
    [put([router.id], '/network/interfaces/config/lan', { gateway: '10.0.0.1\ndo=set x' }), 'configuration.0.request_data.data.gateway'],
    [put([router.id], '/wireless/interfaces/config/wifi0', { ssid: 'a\nb' }), 'configuration.0.request_data.data.ssid'],
    [put([router.id], '/wireless/interfaces/config/wifi0', { stranger: 'a' }), 'configuration.0.request_data.data.stranger'],
    [put([router.id], '/wireless/interfaces/config/none', { ssid: 'a' }), 'configuration.0.path'],
    [put([router.id], '/passwd/config/root', { ssid: 'a' }), 'configuration.0.path'],
  ] as const) {
    const refused = await admin.post(`${BASE}/configure`, { configuration: [call] });
    expect([refused.status >= 400 && refused.status < 500, refused.errors[0]?.source], source).toEqual([true, source]);
  }
  expect(world.commands).toHaveLength(sent);
});

test('an address or netmask that no device can have is refused, and good ones of both kinds are taken', async () => {
  await using world = await makeWorld();
  const root = await as(world, 'super_admin');
  for (const system of ['openwrt', 'debian']) {
    const { data } = await root.get(`/devices/configurator/documents/${system}`);
    const options = Object.assign({}, ...data.sections.map((one: { schema: { properties: object } }) => one.schema.properties));
    const takes = (option: string, value: string): boolean => new RegExp(options[option].pattern, 'u').test(value);
    const gateways = ['10.0.0.1', '2001:db8::1', 'fe80::1'].filter((one) => takes('gateway', one));
    expect(gateways).toHaveLength(3);
    expect(['300.1.1.1', '1.2.3', 'beef', '10.0.0.1.5'].filter((one) => takes('gateway', one))).toEqual([]);
    expect(['255.255.255.0', '255.255.254.0', '255.255.255.255'].filter((one) => takes('netmask', one))).toHaveLength(3);
    expect(['999.1.1.1', '255.255.255', '24'].filter((one) => takes('netmask', one))).toEqual([]);
  }
});

test('what is wrong with a value is said so that it can be translated', async () => {
  const wrong = { mtu: 'much' };
  const change = await admin.post(`${BASE}/configure`, { configuration: [put([router.id], '/network/interfaces/config/lan', wrong)] });
  expect(change.errors).toMatchObject([{ source: 'configuration.0.request_data.data.mtu', params: { key: 'validation.type.integer' } }]);
});

test('devices of others are as unknown ones', async () => {
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  for (const id of [router.id, 987654]) {
    const answers = [
      await stranger.get(`${BASE}/specification?device_id=${id}`),
      await stranger.post(`${BASE}/values`, { device_id: [id] }),
      await stranger.post(`${BASE}/read`, { device_id: [id] }),
      await stranger.post(`${BASE}/configuration`, { device_id: id }),
      await stranger.post(`${BASE}/configure`, { configuration: [put([id], '/network/interfaces/config/lan', { ipaddr: '10.0.0.1' })] }),
    ];
    expect(answers.map(({ codes }) => codes)).toEqual(answers.map(() => ['NOT_FOUND']));
  }
});

test('hostile documents are refused with the place, and a good one becomes the forms of its system', async () => {
  const root = await as(world, 'super_admin');
  const send = (document: object) =>
    sendParts(world, root, `${BASE}/specifications`, [
      { name: 'system', text: 'rutos' },
      { name: 'overwrite', text: 'true' },
      filePart(JSON.stringify(document), 'rutos.json'),
    ]);
  const uci = { config: 'network', type: 'interface' };
  const withOption = (option: object, more: object = {}) => ({
    properties: { lan: { 'x-uci': uci, properties: { mtu: option } } },
    ...more,
  });
  let deep: object = {};
  for (let level = 0; level < 200; level += 1) deep = { a: deep };
  for (const document of [
    withOption({ $ref: 'https://evil.example/schema.json' }),
    withOption({ $ref: '#/definitions/a' }, { definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } } }),
    withOption({ $ref: '#/definitions/gone' }),
    withOption({ $ref: '#/%' }),
    withOption({ type: 'string', pattern: '^(a)\\1$' }),
    withOption({ type: 'string', pattern: '(' }),
    { properties: { lan: { 'x-uci': { config: '../passwd', type: 'x' }, properties: { a: { type: 'string' } } } } },
    deep,
  ])
    expect((await send(document)).codes, JSON.stringify(document).slice(0, 80)).toEqual(['API_DESCRIPTION_UNFIT']);
  const schema = {
    properties: { data: { type: 'object', properties: { mtu: { $ref: '#/components/schemas/mtu' }, pass: { type: 'string' } } } },
  };
  const good = {
    openapi: '3.0.0',
    info: { title: 'Ours' },
    components: { schemas: { mtu: { type: 'integer', minimum: 1, title: 'MTU' } } },
    paths: {
      '/lan/config/{id}': { summary: 'LAN', 'x-uci': uci, put: { requestBody: { content: { 'application/json': { schema } } } } },
    },
  };
  expect((await send(good)).status).toBe(201);
  const { data } = await admin.get(`${BASE}/documents/rutos`);
  expect(data).toMatchObject({
    title: { en: 'Ours' },
    sections: [{ id: 'lan', title: { en: 'LAN' }, labels: { mtu: { en: 'MTU' } }, secrets: ['pass'] }],
  });
});

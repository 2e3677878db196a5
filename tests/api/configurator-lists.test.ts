import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../agent/fleet/uci.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { filePart, sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let router: Awaited<ReturnType<typeof makeDevice>>;
let uploaded: unknown;
const files = new Map<string, string>();

const BASE = '/devices/configurator';
const FILE = 'etc/config/network';
const NETWORK = `config interface 'lan'
	option device 'br-lan'

config bridge-vlan 'guests'
	option owner 'lan'
	option vlan '20'
	list ports 'lan1:t'

config bridge-vlan 'cameras'
	option owner 'lan'
	option vlan '30'

config bridge-vlan 'other'
	option owner 'wan'
	option vlan '99'

config wireguard_lan 'ann'
	option public_key 'AAAA'
	option preshared_key 'hunter22'
	option note 'Ann'
`;

/** As an API of a router describes it: bodies with arrays of objects, which say which sections their entries are. */
const vlan = {
  type: 'object',
  required: ['vlan'],
  properties: {
    vlan: { type: 'integer', title: 'VLAN', minimum: 1, maximum: 4094 },
    ports: { type: 'array', items: { type: 'string', pattern: '^[a-z0-9:*]{1,16}$' } },
    deeper: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
  },
};
const peer = {
  type: 'object',
  properties: { public_key: { type: 'string' }, preshared_key: { type: 'string', writeOnly: true }, note: { type: 'string' } },
};
const documentWith = (vlans: object) => ({
  openapi: '3.0.0',
  info: { title: 'Router' },
  components: { schemas: { vlan, peer } },
  paths: {
    '/network/interfaces/config/{id}': {
      'x-uci': { config: 'network', type: 'interface' },
      put: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  device: { type: 'string' },
                  vlans,
                  peers: {
                    type: 'array',
                    items: { $ref: '#/components/schemas/peer' },
                    'x-uci': { type: 'wireguard_{id}', key: 'public_key' },
                  },
                  unmapped: { type: 'array', items: { $ref: '#/components/schemas/vlan' } },
                },
              },
            },
          },
        },
      },
    },
  },
});
const vlans = { type: 'array', items: { $ref: '#/components/schemas/vlan' }, 'x-uci': { type: 'bridge-vlan', parent: 'owner' } };

async function upload(document: object) {
  const root = await as(world, 'super_admin');
  return sendParts(world, root, `${BASE}/specifications`, [
    { name: 'system', text: 'tswos' },
    { name: 'overwrite', text: 'true' },
    filePart(JSON.stringify(document), 'tswos.json'),
  ]);
}

const set = (data: object) => ({ device_id: [router.id], path: '/network/interfaces/config/lan', method: 'put', request_data: { data } });
const look = async (data: object) =>
  (await admin.post(`${BASE}/configure`, { configuration: [set(data)], dry_run: true })).data?.devices[0].changes;

/** The VLANs of the interface in their order; another one's are of no interest to it. */
const ownVlans = () =>
  [...(files.get(FILE) ?? '').matchAll(/option vlan '(\d+)'/g)].flatMap(([, number]) => (number === '99' ? [] : [number]));

/** The device does what it was sent since `from`, and what follows from it. */
async function doAll(from: number): Promise<void> {
  await world.ctx.jobs.settled();
  for (let next = from; next < world.commands.length; next += 1) {
    const command = world.commands[next]?.command;
    if (command?.verb === 'configure') expect(changeSettings(files, command.body)).toBeUndefined();
    await answer(world, router, { output: command?.verb === 'read' ? (readSettings(files, command.body).output ?? null) : null });
    await world.ctx.jobs.settled();
  }
}
async function apply(data: object): Promise<string[]> {
  const from = world.commands.length;
  expect((await admin.post(`${BASE}/configure`, { configuration: [set(data)] })).status).toBe(200);
  await doAll(from);
  return (world.commands[from]?.command.body ?? '').split('\n').filter((line) => line.startsWith('do='));
}

beforeAll(async () => {
  world = await makeWorld();
  const company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  router = await makeDevice(world, { company, status: 1, model: 'TSW202' });
  files.set(FILE, NETWORK);
  uploaded = (await upload(documentWith(vlans))).data;
  await admin.post(`${BASE}/read`, { device_id: [router.id] });
  await doAll(0);
});
afterAll(() => world[Symbol.asyncDispose]());

test('a list of objects of an uploaded document is read from the sections that its entries are, without secrets', async () => {
  expect(uploaded).toMatchObject({
    sections: 1,
    left_out: [
      { at: '/paths/network/interfaces/config/{id}/properties/vlans/properties/deeper', reason: 'list' },
      { at: '/paths/network/interfaces/config/{id}/properties/unmapped', reason: 'list' },
    ],
  });
  const { data } = await admin.get(`${BASE}/documents/tswos`);
  expect(data.sections[0]).toMatchObject({
    schema: { properties: { vlans: { type: 'array', items: { type: 'object', required: ['vlan'] } } } },
    lists: { vlans: { type: 'bridge-vlan', parent: 'owner' }, peers: { secrets: ['preshared_key'] } },
  });
  const { data: values, text } = await admin.post(`${BASE}/values`, { device_id: [router.id] });
  expect(values[0].settings.network).toHaveLength(5);
  expect(text).not.toContain('hunter22');
});

test('entries are changed, added, moved and removed, and those of another section stay', async () => {
  const wanted = [{ vlan: 40, ports: ['lan2'] }, { vlan: 30 }, { vlan: 20, ports: ['lan1:t', 'lan3'] }];
  expect(await look({ vlans: wanted })).toEqual([
    {
      section: 'network/interfaces',
      item: 'lan',
      option: 'vlans',
      before: ['vlan: 20, ports: lan1:t', 'vlan: 30'],
      after: ['vlan: 40, ports: lan2', 'vlan: 30', 'vlan: 20, ports: lan1:t lan3'],
    },
  ]);
  await apply({ vlans: wanted });
  expect(await look({ vlans: wanted })).toEqual([]);
  expect(files.get(FILE)).toContain("option vlan '99'");
  expect(ownVlans()).toEqual(['40', '30', '20']);
  await apply({ vlans: [] });
  expect(ownVlans()).toEqual([]);
  expect(files.get(FILE)).toContain("option vlan '99'");
});

test('an entry keeps its secret while others come and go, and no other entry gets it', async () => {
  const lines = await apply({
    peers: [
      { public_key: 'BBBB', note: 'Bo' },
      { public_key: 'AAAA', note: 'Ann S.' },
    ],
  });
  expect(lines).toContain('do=set network.ann.note=Ann S.');
  expect(files.get(FILE)).toMatch(/wireguard_lan 'ann'\n\toption public_key 'AAAA'\n\toption preshared_key 'hunter22'/);
  expect(files.get(FILE)).toMatch(/wireguard_lan 'lan_peers_1'\n\toption public_key 'BBBB'\n\toption note 'Bo'/);
  const [change] = await look({ peers: [{ public_key: 'CCCC', preshared_key: 'correct horse' }] });
  expect(change).toMatchObject({
    before: ['public_key: BBBB, note: Bo', 'public_key: AAAA, preshared_key: ***, note: Ann S.'],
    after: ['public_key: CCCC, preshared_key: ***'],
  });
  await apply({ peers: [{ public_key: 'CCCC' }] });
  expect(files.get(FILE)).not.toContain('hunter22');
});

test('a list is part of a change set, and undoing it brings the former entries back', async () => {
  await apply({ vlans: [{ vlan: 20 }, { vlan: 30 }] });
  const made = await admin.post(`${BASE}/change-sets`, { name: 'VLANs', configuration: [set({ vlans: [{ vlan: 30 }, { vlan: 50 }] })] });
  let from = world.commands.length;
  expect((await admin.post(`${BASE}/change-sets/${made.data.id}/apply`, {})).status).toBe(200);
  await doAll(from);
  expect(files.get(FILE)).toContain("option vlan '50'");
  from = world.commands.length;
  expect((await admin.post(`${BASE}/change-sets/${made.data.id}/undo`, {})).status).toBe(200);
  await doAll(from);
  expect(ownVlans()).toEqual(['20', '30']);
});

test('a template holds a list, says who differs from it, and takes no secret in it', async () => {
  const company_id = router.company_id;
  const make = (data: object) =>
    admin.post(`${BASE}/templates`, {
      name: 'VLANs',
      company_id,
      version: '1',
      system: 'tswos',
      template: [{ path: '/network/interfaces/config/lan', method: 'put', request_data: { data } }],
    });
  expect((await make({ peers: [{ public_key: 'AAAA', preshared_key: 'a' }] })).errors[0]?.source).toBe(
    'template.0.request_data.data.peers',
  );
  expect((await make({ vlans: [{ vlan: 5000 }] })).errors[0]?.source).toBe('template.0.request_data.data.vlans.0.vlan');
  const { data } = await make({ vlans: [{ vlan: 60 }] });
  const from = world.commands.length;
  expect((await admin.post(`${BASE}/templates/${data.id}/use`, { device_id: [router.id] })).status).toBe(200);
  await doAll(from);
  expect(files.get(FILE)).toContain("option vlan '60'");
  const drift = async () => (await admin.get(`${BASE}/drift`, { template_id: String(data.id) })).data[0];
  expect(await drift()).toMatchObject({ state: 'equal' });
  await apply({ vlans: [] });
  expect(await drift()).toMatchObject({ state: 'differs', differences: [{ option: 'vlans', before: null, after: ['vlan: 60'] }] });
});

test('entries that the document does not allow are refused at their place, and so are lists that say nothing useful', async () => {
  for (const [data, source] of [
    [{ vlans: [{ vlan: 20 }, { vlan: 5000 }] }, 'vlans.1.vlan'],
    [{ vlans: [{ ports: ['lan1'] }] }, 'vlans.0.vlan'],
    [{ vlans: [{ vlan: 20, ports: ['a\nb'] }] }, 'vlans.0.ports.0'],
    [{ vlans: [{ vlan: 20, owner: 'wan' }] }, 'vlans.0.owner'],
    [{ peers: [{ note: 'a\ndo=set x' }] }, 'peers'],
    [{ vlans: 'all' }, 'vlans'],
  ] as const)
    expect((await admin.post(`${BASE}/configure`, { configuration: [set(data)] })).errors[0]?.source).toBe(
      `configuration.0.request_data.data.${source}`,
    );
  for (const place of [{ type: 'bridge-vlan' }, { type: '../x', parent: 'owner' }, { type: 'vlan_{id}', key: 'gone' }, 'x'])
    expect((await upload(documentWith({ ...vlans, 'x-uci': place }))).codes, JSON.stringify(place)).toEqual(['API_DESCRIPTION_UNFIT']);
});

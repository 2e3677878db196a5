import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings, readSettings } from '../../agent/fleet/uci.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { answer } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;
const routers: { device: Awaited<ReturnType<typeof makeDevice>>; files: Map<string, string> }[] = [];

const BASE = '/devices/configurator';
const RULES = '/firewall/rules/config';
const FILE = 'etc/config/firewall';
const rule = (name: string) => `config rule '${name}'\n\toption name 'Rule ${name}'\n`;
// A zone between them is of another kind, and the last one is of a kind that no document describes.
const fileOf = (names: string[]) =>
  `${rule(names[0] ?? '')}config zone 'wan'\n${names.slice(1).map(rule).join('')}config strange 'last'\n\toption x '1'\n`;
const rulesIn = (files: Map<string, string>) => [...(files.get(FILE) ?? '').matchAll(/config rule '(\w+)'/g)].map(([, name]) => name);
const ordered = (order: string[], device_id = [routers[0]?.device.id]) => ({ device_id, path: RULES, method: 'put', order });

/** The devices do what they were sent since `from`, and what follows from it. */
async function doAll(from: number): Promise<void> {
  await world.ctx.jobs.settled();
  for (let next = from; next < world.commands.length; next += 1) {
    const { deviceKey, command } = world.commands[next] ?? {};
    const router = routers.find(({ device }) => device.device_key === deviceKey);
    if (!router || !command) throw new Error('a command for no router');
    if (command.verb === 'configure') expect(changeSettings(router.files, command.body)).toBeUndefined();
    const output = command.verb === 'read' ? (readSettings(router.files, command.body).output ?? null) : null;
    await answer(world, router.device, { output });
    await world.ctx.jobs.settled();
  }
}

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  for (const names of [
    ['ssh', 'web', 'drop'],
    ['web', 'drop'],
  ]) {
    const device = await makeDevice(world, { company, status: 1, model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2' });
    routers.push({ device, files: new Map([[FILE, fileOf(names)]]) });
  }
  await admin.post(`${BASE}/read`, { device_id: routers.map(({ device }) => device.id) });
  await doAll(0);
});
afterAll(() => world[Symbol.asyncDispose]());

test('sections are put in another order on each device, and what is between them stays', async () => {
  const [one, other] = routers;
  const configuration = [ordered(['drop', 'ssh', 'web']), ordered(['drop', 'web'], [other?.device.id])];
  const { data } = await admin.post(`${BASE}/configure`, { configuration, dry_run: true });
  const change = { section: 'firewall/rules', item: '', option: 'order' };
  expect(data.devices).toMatchObject([
    { id: one?.device.id, changes: [{ ...change, before: ['ssh', 'web', 'drop'], after: ['drop', 'ssh', 'web'] }] },
    { id: other?.device.id, changes: [{ ...change, before: ['web', 'drop'], after: ['drop', 'web'] }] },
  ]);
  const from = world.commands.length;
  expect((await admin.post(`${BASE}/configure`, { configuration })).status).toBe(200);
  await doAll(from);
  expect(routers.map(({ files }) => rulesIn(files))).toEqual([
    ['drop', 'ssh', 'web'],
    ['drop', 'web'],
  ]);
  for (const { files } of routers) expect(files.get(FILE)).toContain("config strange 'last'");
  const after = await admin.post(`${BASE}/values`, { device_id: [one?.device.id] });
  expect(
    after.data[0].settings.firewall.filter(({ type }: { type: string }) => type === 'rule').map(({ id }: { id: string }) => id),
  ).toEqual(['drop', 'ssh', 'web']);
});

test('only what comes after the first difference is moved, and an order that is there already changes nothing', async () => {
  const from = world.commands.length;
  await admin.post(`${BASE}/configure`, { configuration: [ordered(['web', 'ssh'])] });
  await world.ctx.jobs.settled();
  expect(world.commands[from]?.command.body.split('\n').filter((line) => line.startsWith('do='))).toEqual([
    'do=reorder firewall.web=9999',
    'do=reorder firewall.ssh=9999',
  ]);
  await doAll(from);
  expect((await admin.post(`${BASE}/configure`, { configuration: [ordered(['drop', 'web', 'ssh'])] })).codes).toEqual([
    'CONFIGURATION_UNCHANGED',
  ]);
});

test('a new section is added and put first in one change set, and undoing it brings the former order back', async () => {
  const before = rulesIn(routers[0]?.files ?? new Map());
  const device_id = [routers[0]?.device.id];
  const add = { device_id, path: `${RULES}/first`, method: 'post', request_data: { data: { name: 'First' } } };
  const made = await admin.post(`${BASE}/change-sets`, { name: 'Rules', configuration: [add, ordered(['first', ...before.map(String)])] });
  expect(made.status).toBe(201);
  let from = world.commands.length;
  expect((await admin.post(`${BASE}/change-sets/${made.data.id}/apply`, {})).status).toBe(200);
  await doAll(from);
  expect(rulesIn(routers[0]?.files ?? new Map())).toEqual(['first', ...before]);
  from = world.commands.length;
  expect((await admin.post(`${BASE}/change-sets/${made.data.id}/undo`, {})).status).toBe(200);
  await doAll(from);
  expect(rulesIn(routers[0]?.files ?? new Map())).toEqual(before);
});

test('a section that the same change removes is moved no more', async () => {
  const router = routers[0];
  const [first = '', second = '', third = ''] = rulesIn(router?.files ?? new Map());
  const remove = { device_id: [router?.device.id], path: `${RULES}/${third}`, method: 'delete' };
  const from = world.commands.length;
  await admin.post(`${BASE}/configure`, { configuration: [remove, ordered([second, first])] });
  await doAll(from);
  expect(rulesIn(router?.files ?? new Map())).toEqual([second, first]);
});

test('an order that a device cannot have is refused at its place', async () => {
  for (const [call, source] of [
    [ordered(['drop', 'gone']), 'configuration.0.order.1'],
    [ordered(['drop', '$(reboot)']), 'configuration.0.order.1'],
    [ordered(['drop', 'drop']), 'configuration.0.order'],
    [{ ...ordered(['drop', 'web']), path: '/system/config' }, 'configuration.0.path'],
  ] as const)
    expect((await admin.post(`${BASE}/configure`, { configuration: [call] })).errors[0]?.source).toBe(source);
  const debian = await makeDevice(world, { company, status: 1, model: '', os: 'Debian 13' });
  await world.ctx.db
    .insertInto('device_configurations')
    .values({
      device_id: debian.id,
      settings: JSON.stringify({ network: ['a', 'b'].map((id) => ({ id, type: 'interface', options: {} })) }),
      read_at: world.clock.now(),
    })
    .execute();
  const call = { ...ordered(['b', 'a'], [debian.id]), path: '/network/interfaces/config' };
  expect((await admin.post(`${BASE}/configure`, { configuration: [call] })).errors[0]).toMatchObject({
    code: 'INVALID_FIELD',
    source: 'configuration.0.order',
  });
});

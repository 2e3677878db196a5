import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, send, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { answer } from '../helpers/jobs.ts';
import { programOf } from '../helpers/program.ts';
import { makeServiceAccount } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let ann: Caller;
let bo: Caller;
let router: Awaited<ReturnType<typeof makeDevice>>;

const RUTX = { model: 'RUTX50', firmware: 'RUTX_R_00.07.14.2', status: 1 } as const;
const BASE = '/devices/configurator';
const SETS = `${BASE}/change-sets`;
const output = (ssid: string, mtu?: number) => `network.lan=interface
network.lan.ipaddr='192.168.1.1'
${mtu === undefined ? '' : `network.lan.mtu='${mtu}'\n`}wireless.wifi0=wifi-iface
wireless.wifi0.ssid='${ssid}'
wireless.wifi0.key='hunter22'
`;
const put = (path: string, data: object, device_id = [router.id]) => ({ device_id, path, method: 'put', request_data: { data } });
const WIFI = '/wireless/interfaces/config/wifi0';
const LAN = '/network/interfaces/config/lan';
const bodyOf = () => world.commands.at(-1)?.command.body ?? '';

async function read(text: string): Promise<void> {
  await ann.post(`${BASE}/read`, { device_id: [router.id] });
  await world.ctx.jobs.settled();
  await answer(world, router, { output: text });
}
async function draft(...calls: object[]): Promise<number> {
  const made = await ann.post(SETS, { name: 'Harbour', configuration: calls });
  expect(made.status).toBe(201);
  return made.data['id'];
}
const step = (caller: Caller, id: number, name: string, data: object = {}) => caller.post(`${SETS}/${id}/${name}`, data);
const stateOf = async (id: number) => (await ann.get(`${SETS}/${id}`)).data.state;

/** The device answers each step of the job, the last reading with this. */
async function finish(text: string): Promise<void> {
  for (const more of [{}, {}, { output: text }]) {
    await world.ctx.jobs.settled();
    await answer(world, router, more);
  }
  await world.ctx.jobs.settled();
}

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  ann = await as(world, 'admin', { company });
  bo = await as(world, 'admin', { company });
  router = await makeDevice(world, { company, ...RUTX });
  await read(output('harbour'));
});
afterAll(() => world[Symbol.asyncDispose]());

test('several edits are applied as one job and undone as one', async () => {
  const id = await draft(put(WIFI, { ssid: 'quay' }));
  expect((await ann.post(`${SETS}/${id}/edits`, { configuration: [put(LAN, { mtu: 1400 })] })).status).toBe(200);
  const { data } = await ann.get(`${SETS}/${id}/edits`);
  expect(data.edits).toHaveLength(2);
  expect(data.devices).toMatchObject([
    { id: router.id, changes: [{ option: 'ssid', before: 'harbour', after: 'quay' }, { option: 'mtu' }] },
  ]);
  const sent = world.commands.length;
  expect((await step(ann, id, 'apply')).meta['channel']).toBeTruthy();
  await world.ctx.jobs.settled();
  expect(world.commands).toHaveLength(sent + 1);
  expect(bodyOf()).toContain('do=set wireless.wifi0.ssid=quay');
  expect(bodyOf()).toContain('do=set network.lan.mtu=1400');
  await finish(output('quay', 1400));
  expect(await stateOf(id)).toBe('applied');
  expect((await ann.delete(`${SETS}/${id}`)).status).toBe(409);
  expect((await step(ann, id, 'undo')).status).toBe(200);
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set wireless.wifi0.ssid=harbour');
  expect(bodyOf()).toContain('do=delete network.lan.mtu');
  await finish(output('harbour'));
  expect(await stateOf(id)).toBe('undone');
  // What it changed stays to be read.
  expect((await ann.get(`${SETS}/${id}/edits`)).data.devices[0].changes).toHaveLength(2);
});

test('where the company asks for it a second person approves before anything is changed', async () => {
  expect((await ann.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: true })).status).toBe(200);
  const calls = [put(WIFI, { ssid: 'pier' })];
  const now = await ann.post(`${BASE}/configure`, { configuration: calls });
  expect(now).toMatchObject({ status: 409, errors: [{ code: 'REVIEW_NEEDED' }] });
  expect((await ann.post(`${BASE}/configure`, { configuration: calls, dry_run: true })).data).toMatchObject({ asks_review: true });
  const id = await draft(...calls);
  expect((await step(ann, id, 'apply')).errors[0]?.code).toBe('REVIEW_NEEDED');
  await step(ann, id, 'review');
  expect((await step(ann, id, 'apply')).errors[0]?.code).toBe('CHANGE_SET_STATE');
  expect((await step(ann, id, 'approve')).errors[0]?.code).toBe('REVIEWER_IS_AUTHOR');
  await step(bo, id, 'return', { note: 'Call it quay.' });
  expect((await ann.get(`${SETS}/${id}`)).data).toMatchObject({ state: 'draft', review_note: 'Call it quay.' });
  // Who adds an edit is an author too.
  await bo.post(`${SETS}/${id}/edits`, { configuration: [put(LAN, { mtu: 1300 })] });
  await step(ann, id, 'review');
  expect((await step(bo, id, 'approve')).errors[0]?.code).toBe('REVIEWER_IS_AUTHOR');
  const cy = await as(world, 'admin', { company });
  expect((await step(cy, id, 'approve', { note: 'Fine.' })).status).toBe(200);
  expect((await ann.post(`${SETS}/${id}/edits`, { configuration: calls })).errors[0]?.code).toBe('CHANGE_SET_STATE');
  expect((await step(ann, id, 'apply')).status).toBe(200);
  await finish(output('pier', 1300));
  expect(await stateOf(id)).toBe('applied');
  expect((await step(ann, id, 'undo')).status).toBe(200);
  await finish(output('harbour'));
  await ann.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: false });
});

test('nobody approves their own change set, neither as somebody else nor by a program [AC7 HN7]', async () => {
  await ann.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: true });
  const root = await as(world, 'super_admin');
  const cy = await as(world, 'admin', { company });
  const approveWith = (headers: Record<string, string>, id: number) => send(world, 'POST', `${SETS}/${id}/approve`, { headers, body: {} });

  // Drafted by the one who impersonates, as somebody else: neither of the two approves it.
  const asCy = await actFor(world, root, cy);
  const made = await send(world, 'POST', SETS, {
    headers: asCy.headers,
    body: { name: 'Pier', configuration: [put(WIFI, { ssid: 'pier' })] },
  });
  expect(made.status).toBe(201);
  const { id } = made.data;
  expect((await step(ann, id, 'review')).status).toBe(200);
  expect((await approveWith(asCy.headers, id)).codes).toEqual(['REVIEWER_IS_AUTHOR']);
  expect((await step(cy, id, 'approve')).codes).toEqual(['REVIEWER_IS_AUTHOR']);
  const asBo = await actFor(world, root, bo);
  expect((await approveWith(asBo.headers, id)).codes).toEqual(['REVIEWER_IS_AUTHOR']);

  // Drafted in person: a token of the author, a service account and an application are programs.
  const own = await draft(put(WIFI, { ssid: 'pier' }));
  await step(ann, own, 'review');
  const robot = await makeServiceAccount(world, { company, role: 'admin' });
  for (const user of [ann.user, robot, bo.user])
    expect((await approveWith((await programOf(world, user)).headers, own)).codes).toEqual(['SESSION_REQUIRED']);
  // Somebody who impersonates the author is the author.
  expect((await approveWith((await actFor(world, root, ann)).headers, own)).codes).toEqual(['REVIEWER_IS_AUTHOR']);
  expect(await stateOf(own)).toBe('in_review');
  expect((await step(bo, own, 'approve')).status).toBe(200);
  await ann.put(`/companies/${company.id}/reasons`, { asks_reason: false, asks_review: false });
});

test('a section is added with its secret, and undoing the change set removes it; a removal is no part of one', async () => {
  const GUEST = '/wireless/interfaces/config/guest';
  const add = { ...put(GUEST, { ssid: 'guests', key: 'open sesame' }), method: 'post' };
  const id = await draft(add);
  const { data, text } = await ann.get(`${SETS}/${id}/edits`);
  expect(data.devices[0].changes).toMatchObject([
    { item: 'guest', option: 'ssid', before: null, after: 'guests' },
    { item: 'guest', option: 'key', before: null, after: '***' },
  ]);
  expect(text).not.toContain('open sesame');
  expect((await step(ann, id, 'apply')).status).toBe(200);
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=set wireless.guest=wifi-iface');
  expect(bodyOf()).toContain('do=set wireless.guest.key=open sesame');
  await finish(`${output('harbour')}wireless.guest=wifi-iface\nwireless.guest.ssid='guests'\nwireless.guest.key='x'\n`);
  expect((await step(ann, id, 'undo')).status).toBe(200);
  await world.ctx.jobs.settled();
  expect(bodyOf()).toContain('do=delete wireless.guest');
  await finish(output('harbour'));
  expect(await stateOf(id)).toBe('undone');
  const removal = { device_id: [router.id], path: WIFI, method: 'delete' };
  expect((await ann.post(SETS, { name: 'No', configuration: [removal] })).status).toBe(400);
});

test('secrets of a change set are sealed and shown to nobody', async () => {
  const id = await draft(put(WIFI, { key: 'correct horse' }));
  const shown = await ann.get(`${SETS}/${id}/edits`);
  expect(shown.data.devices[0].changes).toMatchObject([{ option: 'key', after: '***' }]);
  expect(shown.text).not.toContain('correct horse');
  const row = await world.ctx.db.selectFrom('change_sets').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain('correct horse');
});

test('an edit that a device cannot take is refused at its place, and only drafts are edited', async () => {
  const wrong = await ann.post(SETS, { name: 'Wrong', configuration: [put(LAN, { mtu: 'much' })] });
  expect(wrong.errors[0]?.source).toMatch(/^configuration\.0/);
  expect((await ann.post(SETS, { name: 'Wrong', configuration: [{ ...put(LAN, {}), method: 'delete' }] })).status).toBe(400);
  const id = await draft(put(WIFI, { ssid: 'harbour' }));
  expect((await step(ann, id, 'apply')).errors[0]?.code).toBe('CONFIGURATION_UNCHANGED');
  expect(await stateOf(id)).toBe('draft');
  expect((await ann.delete(`${SETS}/${id}/edits/1`)).status).toBe(200);
  expect((await ann.delete(`${SETS}/${id}/edits/1`)).status).toBe(404);
  expect((await step(ann, id, 'review')).errors[0]?.code).toBe('CHANGE_SET_STATE');
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await stranger.get(`${SETS}/${id}/edits`)).status).toBe(404);
  expect((await step(stranger, id, 'approve')).status).toBe(404);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { RemoteError } from '../../server/domain/remote/types.ts';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { changeMember, makeCompany, makeDevice, makeRole, makeTree, makeUser } from '../helpers/factories.ts';
import { makeEntry, openSocket, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { makeAccessToken } from '../helpers/token-factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const MINUTE = 60_000;
/** Open sessions that one person, and one device, may have. */
const MOST = 20;

let world: World;
let echo: Service;

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  registerPipe(world, 'telnet');
  echo = await startService();
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const row = (id: number) => world.ctx.db.selectFrom('remote_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function openEntry(caller: Caller, entry: number) {
  const { data } = await caller.post(`/devices/connect/${entry}`, { duration: 7200 });
  const browser = await openSocket(world, caller, data.url);
  browser.socket.send('hello');
  await browser.until('hello');
  return { browser, id: data.id as number };
}

/** A session that is open, of an administrator of the company in the middle of a tree. */
async function openSession() {
  const { top, middle, sibling } = await makeTree(world);
  const admin = await as(world, 'admin', { company: middle });
  const device = await makeDevice(world, { company: middle, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
  return { top, middle, sibling, admin, device, entry, ...(await openEntry(admin, entry)) };
}
type Opened = Awaited<ReturnType<typeof openSession>>;

/** What may happen to an open session, behind the server's back as another server process would do it, and what its person then reads. */
const ENDS: [string, string, (opened: Opened) => Promise<unknown>][] = [
  [
    'the right is taken from its person',
    'right-lost',
    async ({ admin }) => changeMember(world, admin.user, { role: await makeRole(world) }),
  ],
  ['its person is disabled', 'right-lost', ({ admin }) => changeMember(world, admin.user, { disabled_at: world.clock.now() })],
  ['its person signs out', 'right-lost', ({ admin }) => admin.post('/account/token/revoke', {})],
  [
    'its device moves to another company',
    'device-moved',
    ({ device, sibling }) => world.ctx.db.updateTable('devices').set({ company_id: sibling.id }).where('id', '=', device.id).execute(),
  ],
  ['its device is removed', 'device-removed', ({ device }) => world.ctx.db.deleteFrom('devices').where('id', '=', device.id).execute()],
  ['its entry is blocked', 'blocked', ({ admin, entry }) => admin.post(`/remote/entries/${entry}/block`, {})],
  [
    'its entry leads elsewhere',
    'entry-changed',
    ({ admin, entry }) => admin.put(`/devices/remote-access/${entry}`, { destination_port: 81 }),
  ],
  ['its entry is removed', 'entry-removed', ({ admin, entry }) => admin.delete('/devices/remote-access', { id: [entry] })],
];

test.each(ENDS)('a session ends within a second when %s [AC6]', async (_what, reason, happen) => {
  const opened = await openSession();
  await happen(opened);
  await world.clock.advance(1000);
  expect(await opened.browser.closed).toEqual({ code: 4000, reason });
  await expect.poll(async () => (await row(opened.id)).end_reason).toBe(reason);
  await expect.poll(() => echo.open()).toBe(0);
});

test('sessions of others go on when one loses its ground', async () => {
  const opened = await openSession();
  const colleague = await as(world, 'admin', { company: opened.middle });
  const theirs = await openEntry(colleague, opened.entry);
  await changeMember(world, opened.admin.user, { disabled_at: world.clock.now() });
  await world.clock.advance(1000);
  await opened.browser.closed;
  theirs.browser.socket.send('still here');
  await theirs.browser.until('still here');
  await world.ctx.remote.end([theirs.id], 'killed');
  expect(await theirs.browser.closed).toEqual({ code: 4000, reason: 'killed' });
});

test('a session without a byte ends at the idle limit of the company, and bytes put that off', async () => {
  const { admin, middle, browser, id } = await openSession();
  const rules = { records_terminals: false, idle_minutes: 5 };
  expect((await admin.put(`/companies/${middle.id}/remote-access`, rules)).status).toBe(200);
  await world.clock.jump(4 * MINUTE);
  browser.socket.send('busy');
  await browser.until('busy');
  await world.clock.jump(4 * MINUTE);
  expect((await row(id)).ended_at).toBeNull();
  await world.clock.jump(2 * MINUTE);
  expect(await browser.closed).toEqual({ code: 4000, reason: 'idle' });
});

test('a session ends at its own limit, however busy it is', async () => {
  const { browser, admin, entry } = await openSession();
  await world.ctx.remote.end([(await admin.get('/devices/connect/logs')).data[0].id], 'killed');
  await browser.closed;
  const { data } = await admin.post(`/devices/connect/${entry}`, { duration: 60 });
  const short = await openSocket(world, admin, data.url);
  await world.clock.jump(59_000);
  short.socket.send('busy');
  await short.until('busy');
  await world.clock.advance(1000);
  expect(await short.closed).toEqual({ code: 4000, reason: 'expired' });
});

describe('limits', () => {
  test('a person has 20 sessions at most, and room again once one ends', async () => {
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const entries: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const device = await makeDevice(world, { company, status: 1 });
      entries.push(await makeEntry(admin, { device_id: device.id, port: echo.port }));
    }
    const ask = (count: number) => admin.post(`/devices/connect/${entries[count % 2]}`, { duration: 600 });
    const ids: number[] = [];
    for (let count = 0; count < MOST; count += 1) ids.push((await ask(count)).data.id);
    expect(await ask(0)).toMatchObject({ status: 429, codes: ['TOO_MANY_REMOTE_SESSIONS'] });
    expect((await admin.delete(`/devices/connect/sessions/${ids[0]}`)).status).toBe(200);
    expect((await ask(0)).status).toBe(200);
  });

  test('a device has 20 sessions at most, counted over all users', async () => {
    const company = await makeCompany(world);
    const [one, other] = [await as(world, 'admin', { company }), await as(world, 'admin', { company })];
    const device = await makeDevice(world, { company, status: 1 });
    const entry = await makeEntry(one, { device_id: device.id, port: echo.port });
    for (let count = 0; count < MOST; count += 1)
      expect((await [one, other][count % 2]?.post(`/devices/connect/${entry}`, { duration: 600 }))?.status).toBe(200);
    const third = await as(world, 'admin', { company });
    expect(await third.post(`/devices/connect/${entry}`, { duration: 600 })).toMatchObject({
      status: 429,
      codes: ['TOO_MANY_REMOTE_SESSIONS'],
    });
    // Tickets that nobody used make room by themselves.
    await world.clock.advance(2 * MINUTE);
    expect((await third.post(`/devices/connect/${entry}`, { duration: 600 })).status).toBe(200);
  });

  test('at once asked for, no more sessions begin than there is room for', async () => {
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const device = await makeDevice(world, { company, status: 1 });
    const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
    const answers = await Promise.all(Array.from({ length: MOST + 10 }, () => admin.post(`/devices/connect/${entry}`, { duration: 600 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MOST);
  });
});

test('a desktop ends with the right to its clipboard, and goes on without one for those who never had it', async () => {
  registerPipe(world, 'vnc');
  const company = await makeCompany(world);
  const using = ['view_devices', 'view_device_remote_access', 'execute_device_remote_access'] as const;
  const [without, withIt] = [
    await makeRole(world, { company, permissions: [...using] }),
    await makeRole(world, { company, permissions: [...using, 'use_remote_clipboard'] }),
  ];
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port: echo.port, protocol: 'vnc' });
  const users = [await makeUser(world, { role: withIt, company }), await makeUser(world, { role: without, company })] as const;
  const [loser, other] = [await openEntry(await asUser(world, users[0]), entry), await openEntry(await asUser(world, users[1]), entry)];
  await changeMember(world, users[0], { role: without });
  await world.clock.advance(1000);
  expect(await loser.browser.closed).toEqual({ code: 4000, reason: 'right-lost' });
  expect((await row(other.id)).ended_at).toBeNull();
  other.browser.socket.close();
  await other.browser.closed;
});

test('a session that a program asked for ends with its access token', async () => {
  const company = await makeCompany(world);
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port: echo.port });
  const user = await makeUser(world, { role: 'admin', company });
  const { secret, id } = await makeAccessToken(world, { user, scopes: ['execute_device_remote_access'] });
  const caller = await asUser(world, user);
  const bearer = { authorization: `Bearer ${secret}` };
  const { data } = await caller.post(`/devices/connect/${entry}`, { duration: 600 }, { ...bearer, cookie: '' });
  const browser = await openSocket(world, caller, data.url);
  await world.ctx.db.deleteFrom('access_tokens').where('id', '=', id).execute();
  await world.clock.advance(1000);
  expect(await browser.closed).toEqual({ code: 4000, reason: 'right-lost' });
});

test('a way that does not open in time leaves the next one time of its own', async () => {
  const company = await makeCompany(world);
  const device = await makeDevice(world, { company, status: 1 });
  world.ctx.remote.addCarrier({
    name: 'never',
    withinMs: MINUTE,
    open: async ({ id }, _target, signal) =>
      id === device.id
        ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new RemoteError('too-slow'))))
        : undefined,
  });
  const row = await world.ctx.db.selectFrom('devices').selectAll().where('id', '=', device.id).executeTakeFirstOrThrow();
  const opening = world.ctx.remote.openStream(row, { host: '127.0.0.1', port: echo.port });
  await world.clock.advance(MINUTE);
  (await opening).destroy();
});

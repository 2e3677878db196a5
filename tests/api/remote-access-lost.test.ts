import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import { loadConfig } from '../../server/config.ts';
import { HOUR } from '../../server/kernel/clock.ts';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { enterPage, sendTo, startDevicePage, type DevicePage, type PageBrowser } from '../helpers/device-page.ts';
import { changeMember, makeDevice, makeRole, makeTree, makeUser, PASSWORD } from '../helpers/factories.ts';
import { actFor } from '../helpers/impersonate.ts';
import { linkTo, startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { makeEntry, openSocket, registerPipe, startService, type Service } from '../helpers/remote.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const DURATION = 7200;
let mail: MailServer;
let world: World;
let page: DevicePage;

beforeAll(async () => {
  mail = await startMailServer();
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote, smtpUrl: mail.url } });
  registerPipe(world, 'telnet');
  page = await startDevicePage();
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

type Tree = Awaited<ReturnType<typeof makeTree>>;
type Session = Pick<Caller, 'headers'>;

interface Place extends AsyncDisposable {
  tree: Tree;
  /** Administrators of the company of the device, of the one above it, and of the one above both. */
  own: Caller;
  above: Caller;
  top: Caller;
  terminal: number;
  page: number;
  echo: Service;
}

async function makePlace(): Promise<Place> {
  const tree = await makeTree(world);
  const echo = await startService();
  const own = await as(world, 'admin', { company: tree.bottom });
  const device = await makeDevice(world, { company: tree.bottom, status: 1 });
  return {
    tree,
    own,
    above: await as(world, 'admin', { company: tree.middle }),
    top: await as(world, 'admin', { company: tree.top }),
    terminal: await makeEntry(own, { device_id: device.id, port: echo.port }),
    page: await makeEntry(own, { device_id: device.id, port: page.port, protocol: 'http' }),
    echo,
    [Symbol.asyncDispose]: () => echo[Symbol.asyncDispose](),
  };
}

/** Opens a WebSocket of a page, to the device; what comes first resolves with a promise of its end. */
function openPageSocket({ origin, cookies }: PageBrowser): Promise<{ ended: Promise<void> }> {
  const { port, host } = new URL(origin);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { host, origin, cookie: `canopy_remote=${cookies.get('canopy_remote')}` },
  });
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return new Promise((resolve, reject) => {
    socket.on('message', () => resolve({ ended }));
    socket.on('error', reject);
  });
}

/** A terminal and a page with a WebSocket that are open, and a ticket for each that nobody has used. */
async function openAll(session: Session, place: Place, pathTo = (entry: number) => `/devices/connect/${entry}`) {
  const ask = async (entry: number): Promise<string> => {
    const answer = await send(world, 'POST', pathTo(entry), { headers: session.headers, body: { duration: DURATION } });
    expect(answer.status).toBe(200);
    return answer.data.url;
  };
  const caller = session as Caller;
  const terminal = await openSocket(world, caller, await ask(place.terminal));
  terminal.socket.send('hello');
  await terminal.until('hello');
  const browser = await enterPage(await ask(place.page));
  expect((await browser.send('/home')).status).toBe(200);
  const pageSocket = await openPageSocket(browser);
  return {
    pageSocket,
    caller,
    echo: place.echo,
    terminal,
    browser,
    terminalTicket: await ask(place.terminal),
    pageTicket: await ask(place.page),
  };
}

async function expectAllEnded(opened: Awaited<ReturnType<typeof openAll>>): Promise<void> {
  await world.clock.advance(1000);
  expect((await opened.terminal.closed).code).toBe(4000);
  await opened.pageSocket.ended;
  const got = page.got.length;
  expect((await opened.browser.send('/home')).status).toBe(403);
  expect((await sendTo(new URL(opened.pageTicket))).status).toBe(403);
  await expect(openSocket(world, opened.caller, opened.terminalTicket)).rejects.toThrow(/status 4\d\d|closed/);
  expect(page.got).toHaveLength(got);
  await until('no connection to the device is open', () => opened.echo.open() === 0);
}

async function removeCompany({ tree, own, above }: Place) {
  // One with an administrator of its own cannot be removed.
  await world.ctx.db.deleteFrom('memberships').where('user_id', '=', own.user.id).execute();
  return above.delete(`/companies/${tree.bottom.id}`);
}

/** What happens to the access of a person, in the words of the test's title. */
const LOSSES: [string, (place: Place) => Caller, (place: Place) => Promise<unknown>][] = [
  [
    'its company moves to another customer, for people of the customer before',
    ({ above }) => above,
    ({ tree, top }) => top.post('/companies/move', { source: tree.bottom.id, target: tree.sibling.id }),
  ],
  [
    'its company moves to another customer, for the people of the company',
    ({ own }) => own,
    ({ tree, top }) => top.post('/companies/move', { source: tree.bottom.id, target: tree.sibling.id }),
  ],
  ['its company is removed', ({ above }) => above, removeCompany],
  ['its person is removed', ({ own }) => own, async ({ own }) => (await as(world, 'super_admin')).delete(`/users/${own.user.id}`)],
  [
    'an administrator ends the sessions of its person',
    ({ own }) => own,
    async ({ own }) => (await as(world, 'super_admin')).delete(`/users/${own.user.id}/sessions`),
  ],
  [
    'its person sets a new password by a mailed link',
    ({ own }) => own,
    async ({ own }) => {
      const headers = { origin: world.ctx.publicUrl() };
      await send(world, 'POST', '/account/password/forgotten', { body: { email: own.user.email }, headers });
      const token = await linkTo(mail, own.user.email);
      return send(world, 'POST', '/account/password/reset', { body: { token, password: 'another long phrase' }, headers });
    },
  ],
  [
    'its person changes the password elsewhere',
    ({ own }) => own,
    async ({ own }) =>
      (await asUser(world, own.user)).put('/account/password', { current_password: PASSWORD, password: 'another long phrase' }),
  ],
];

test.each(LOSSES)('an open terminal, an open page and unused tickets end when %s [AC6]', async (_title, who, happen) => {
  await using place = await makePlace();
  const opened = await openAll(who(place), place);
  expect(await happen(place)).toMatchObject({ status: 200 });
  await expectAllEnded(opened);
});

/** How an impersonation ends. */
const ENDS: [string, (all: { root: Caller; subject: Caller; headers: Record<string, string>; id: number }) => Promise<unknown>][] = [
  ['the one who impersonates goes back', ({ headers }) => send(world, 'POST', '/user/cancel-impersonation', { headers })],
  ['the person takes the consent back', ({ subject }) => subject.post('/user/revoke-impersonation-access', {})],
  ['its time is over', () => world.clock.jump(HOUR + 1000)],
  ['the one who impersonates is removed', async ({ root }) => (await as(world, 'super_admin')).delete(`/users/${root.user.id}`)],
];

test.each(ENDS)('what was opened during an impersonation ends when %s, tickets included [AC7]', async (_title, end) => {
  await using place = await makePlace();
  const root = await as(world, 'super_admin');
  const { headers, id } = await actFor(world, root, place.own);
  const opened = await openAll({ headers }, place);
  await end({ root, subject: place.own, headers, id });
  await expectAllEnded(opened);
});

/** What happens to access that was shared by mail with a person of another customer. */
const SHARED_LOSSES: [string, (tree: Tree) => { id: number; path: string }, (place: Place & { maker: Caller }) => Promise<unknown>][] = [
  ['the company of the device is removed', ({ middle }) => middle, removeCompany],
  ['the company of the device and of the person who shared it is removed', ({ bottom }) => bottom, removeCompany],
  [
    'the company of the device moves to another customer',
    ({ middle }) => middle,
    ({ tree, top }) => top.post('/companies/move', { source: tree.bottom.id, target: tree.sibling.id }),
  ],
  [
    'who shared it may not share any more',
    ({ middle }) => middle,
    async ({ maker }) => ({ status: 200, done: await changeMember(world, maker.user, { role: 'read_only' }) }),
  ],
];

test.each(SHARED_LOSSES)(
  'what a guest opened by a shared access ends when %s, tickets included [AC6]',
  async (_title, companyOf, happen) => {
    await using place = await makePlace();
    const guest = await as(world, 'end_user', { company: place.tree.foreign });
    const permissions: PermissionName[] = [
      'view_devices',
      'view_device_remote_access',
      'update_device_remote_access',
      'execute_device_remote_access',
    ];
    const company = companyOf(place.tree);
    const maker = await asUser(world, await makeUser(world, { company, role: await makeRole(world, { company, permissions }) }));
    const links = new Map<number, number>();
    for (const entry of [place.terminal, place.page]) {
      const { data } = await maker.post(`/remote/entries/${entry}/links`, { email: guest.user.email, purpose: 'A look', hours: 2 });
      links.set(entry, data.id);
    }
    const opened = await openAll(guest, place, (entry) => `/remote/shared/${links.get(entry)}/connect`);
    expect(await happen({ ...place, maker })).toMatchObject({ status: 200 });
    await expectAllEnded(opened);
  },
);

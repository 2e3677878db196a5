import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { loadConfig } from '../../server/config.ts';
import { as, type Caller } from '../helpers/as.ts';
import { enterPage, sendTo, startDevicePage, type DevicePage } from '../helpers/device-page.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeEntry } from '../helpers/remote.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let page: DevicePage;

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  page = await startDevicePage();
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function openPage(port = page.port, protocol: 'http' | 'https' = 'http') {
  const device = await makeDevice(world, { company, status: 1 });
  const entry = await makeEntry(admin, { device_id: device.id, port, protocol });
  const { data } = await admin.post(`/devices/connect/${entry}`, { duration: 600 });
  return { device, entry, session: data as { id: number; url: string } };
}
const reasonOf = async (id: number) =>
  (await world.ctx.db.selectFrom('remote_sessions').select('end_reason').where('id', '=', id).executeTakeFirstOrThrow()).end_reason;

test('a page is at a host of its own, which its ticket opens once and nothing else does [IN9]', async () => {
  const { session } = await openPage();
  const url = new URL(session.url);
  expect(url.host).toMatch(/^[0-9a-f]{24}\.localhost:\d+$/);
  expect(await sendTo(new URL('/', url.origin))).toMatchObject({ status: 403 });
  const elsewhere = new URL(session.url.replace(url.host, `${'0'.repeat(24)}.localhost:${url.port}`));
  expect(await sendTo(elsewhere)).toMatchObject({ status: 403 });
  const browser = await enterPage(session.url);
  expect(await browser.send('/home')).toMatchObject({ status: 200, text: '<h1>router</h1>' });
  expect(await sendTo(new URL(session.url)), 'the address again').toMatchObject({ status: 403 });
  expect(await sendTo(new URL('/home', url.origin)), 'the host without its cookie').toMatchObject({ status: 403 });
  const stranger = { cookie: `canopy_remote=${'x'.repeat(43)}` };
  expect(await sendTo(new URL('/home', url.origin), { headers: stranger })).toMatchObject({ status: 403 });
});

test('the device sees its own host, origin and cookies, and nothing of the console [IN9]', async () => {
  const { session } = await openPage();
  const browser = await enterPage(session.url);
  expect((await browser.send('/home')).headers, 'what its scripts may not read stays on the server').not.toHaveProperty('set-cookie');
  page.got.length = 0;
  const sent = await browser.send('/login', {
    method: 'POST',
    headers: {
      origin: browser.origin,
      referer: `${browser.origin}/home`,
      authorization: 'Bearer canopy_secret',
      'x-forwarded-for': '10.0.0.1',
    },
    body: 'user=admin',
  });
  expect(sent).toMatchObject({ status: 200, text: 'welcome user=admin' });
  const [got] = page.got;
  expect(got?.headers).toMatchObject({ host: `127.0.0.1:${page.port}`, origin: `http://127.0.0.1:${page.port}`, cookie: 'sid=42' });
  expect(JSON.stringify(got)).not.toMatch(/canopy|10\.0\.0\.1|localhost/);
});

test('redirects stay in the page, other places are not followed, and what would outlive the session is taken off [IN9]', async () => {
  const { session } = await openPage();
  const browser = await enterPage(session.url);
  const first = await browser.send('/');
  expect(first).toMatchObject({ status: 302, headers: { location: '/home' } });
  expect(first.headers).not.toHaveProperty('strict-transport-security');
  expect(first.headers).not.toHaveProperty('clear-site-data');
  const home = await browser.send('/home');
  expect(home.headers).toMatchObject({
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(home.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(home.headers['content-security-policy']).toContain(browser.origin);
  const away = await browser.send('/away');
  expect(away.status).toBe(502);
  expect(away.text).toContain('http://169.254.169.254/latest/meta-data');
  expect(away.headers).not.toHaveProperty('location');
  expect((await browser.send('/sw.js', { headers: { 'service-worker': 'script' } })).status).toBe(403);
});

test('a WebSocket of the page is joined, for pages of its own host only [IN9]', async () => {
  const { session } = await openPage();
  const browser = await enterPage(session.url);
  const open = (origin: string) => {
    const { port, host } = new URL(browser.origin);
    return new WebSocket(`ws://127.0.0.1:${port}/socket`, {
      headers: { host, origin, cookie: `canopy_remote=${browser.cookies.get('canopy_remote')}` },
    });
  };
  const said = await new Promise((resolve, reject) => {
    const socket = open(browser.origin);
    socket.on('message', (data) => {
      socket.terminate();
      resolve(String(data));
    });
    socket.on('error', reject);
  });
  expect(said).toBe('hello');
  const refused = await new Promise((resolve) => {
    const socket = open('https://evil.example');
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate();
      resolve(response.statusCode);
    });
    socket.on('error', () => undefined);
  });
  expect(refused).toBe(403);
});

test('https pages of devices with certificates of their own are shown', async () => {
  await using secure = await startDevicePage({ isSecure: true });
  const { session } = await openPage(secure.port, 'https');
  const browser = await enterPage(session.url);
  expect(await browser.send('/home')).toMatchObject({ status: 200, text: '<h1>router</h1>' });
});

test('what the entry has stored answers a device that asks with HTTP Basic, and no browser sees it', async () => {
  const { entry, session: unused } = await openPage();
  await admin.put(`/remote/entries/${entry}`, {
    name: 'with credentials',
    protocol: 'http',
    destination_ip: '127.0.0.1',
    destination_port: page.port,
    username: 'admin',
    password: 'quay side',
  });
  const { data } = await admin.post(`/devices/connect/${entry}`, { duration: 600 });
  const browser = await enterPage(data.url);
  expect(await browser.send('/basic')).toMatchObject({ status: 200, text: 'in' });
  expect((await admin.get(`/devices/remote-access/${entry}`)).text).not.toContain('quay side');
  await world.ctx.remote.end([unused.id, data.id], 'killed');
});

test('a page ends with the right, and says so', async () => {
  const { session } = await openPage();
  const browser = await enterPage(session.url);
  await browser.send('/home');
  await admin.delete(`/devices/connect/sessions/${session.id}`);
  expect(await reasonOf(session.id)).toBe('left');
  expect((await browser.send('/home')).text).toContain('This session has ended');
});

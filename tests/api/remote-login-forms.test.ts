import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { MINUTE } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { enterPage, type PageBrowser } from '../helpers/device-page.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { DEVICE_LOGIN, startLoginPage, type LoginPage } from '../helpers/login-page.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let page: LoginPage;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  world = await makeWorld({ listen: true, config: { remote } });
  company = await makeCompany(world);
  page = await startLoginPage();
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function openPage(more: object = {}): Promise<PageBrowser> {
  const admin = await as(world, 'admin', { company });
  const device = await makeDevice(world, { company, status: 1 });
  const target = { name: 'Router page', protocol: 'http', destination_ip: '127.0.0.1', destination_port: page.port };
  const { data } = await admin.post('/remote/entries', { device_id: device.id, ...target, ...DEVICE_LOGIN, ...more });
  return enterPage((await admin.post(`/devices/connect/${data.id}`, { duration: 3600 })).data.url);
}

const document = { headers: { 'sec-fetch-dest': 'document' } };
const post = (type: string, body: string) => ({
  method: 'POST',
  headers: { 'content-type': type, 'content-length': String(body.length) },
  body,
});
const FORM = 'application/x-www-form-urlencoded';

/** What a page's script was given. */
async function readGiven(browser: PageBrowser): Promise<{ username: string; password: string; sends: boolean }> {
  const { text } = await browser.send('/__canopy/login.js');
  expect(text).not.toContain('quay');
  return JSON.parse(/\((\{"id".*\})\);\n$/.exec(text)?.[1] ?? '');
}

test('a form of a page is filled with placeholders, and the device gets what is stored', async () => {
  const browser = await openPage();
  const shown = await browser.send('/luci', document);
  const [tag] = /<head profile="x"><script src="\/__canopy\/login\.js" nonce="[^"]+"><\/script><meta/.exec(shown.text) ?? [];
  expect(tag, shown.text).toBeDefined();
  expect(String(shown.headers['content-security-policy'])).toContain(`script-src-elem ${browser.origin}/__canopy/login.js`);
  const { username, password, sends } = await readGiven(browser);
  expect(sends).toBe(false);
  const sent = await browser.send('/luci', post(FORM, `luci_username=${username}&luci_password=${password}&x`));
  expect(sent).toMatchObject({ status: 302, headers: { location: '/inside' } });
  expect([...new URLSearchParams(page.bodies.at(-1))].slice(0, 2).map(([, value]) => value)).toEqual(Object.values(DEVICE_LOGIN));
});

test('an application that signs in with JSON is filled too, its policy lets the script through by a nonce', async () => {
  const browser = await openPage({ login_form: 'send' });
  const shown = await browser.send('/app', document);
  const [, nonce = ''] = /^<!doctype html><script src="\/__canopy\/login\.js" nonce="([^"]+)">/.exec(shown.text) ?? [];
  expect(String(shown.headers['content-security-policy'])).toContain(`script-src 'strict-dynamic' 'nonce-own' 'nonce-${nonce}'`);
  const given = await readGiven(browser);
  expect(given.sends).toBe(true);
  const body = JSON.stringify({ username: given.username, password: given.password });
  expect((await browser.send('/api/login', post('application/json', body))).status).toBe(200);
  expect((await readGiven(browser)).sends, 'sent by itself once only').toBe(false);
});

test('a placeholder of the password is good once, for ten minutes, in a field for passwords and in this session only', async () => {
  const browser = await openPage();
  const reaches = async (from: PageBrowser, body: string): Promise<boolean> => {
    await from.send('/luci', post(FORM, body));
    return new URLSearchParams(page.bodies.at(-1)).toString().includes('quay');
  };
  const first = await readGiven(browser);
  expect(await reaches(browser, `luci_username=${first.password}&description=${first.password}`), 'another field').toBe(false);
  expect(await reaches(await openPage(), `password=${first.password}`), 'another session').toBe(false);
  expect(await reaches(browser, `password=x${first.password}`), 'a part of a value').toBe(false);
  await browser.send(`/luci?password=${first.password}`);
  expect(await reaches(browser, `password=${first.password}`)).toBe(true);
  expect(await reaches(browser, `password=${first.password}`), 'again').toBe(false);
  const late = await readGiven(browser);
  await world.clock.advance(11 * MINUTE);
  expect(await reaches(browser, `password=${late.password}`), 'after its time').toBe(false);
});

test('a device that repeats the password in its answer does not show it to the browser', async () => {
  const browser = await openPage({ username: 'nobody' });
  const { username, password } = await readGiven(browser);
  const refused = await browser.send('/luci', post(FORM, `luci_username=${username}&luci_password=${password}`));
  expect(refused.status).toBe(403);
  expect(page.bodies.at(-1)).toContain('quay');
  expect(refused.text).toContain('********');
  expect(refused.text + JSON.stringify(refused.headers)).not.toMatch(/quay|%22side/);
});

test('pages are left as they are where nothing is stored or filling is off, and what is no document always', async () => {
  for (const more of [{ login_form: 'off' }, { username: '', password: '' }]) {
    const browser = await openPage(more);
    expect((await browser.send('/luci', document)).text).not.toContain('canopy');
    expect((await browser.send('/__canopy/login.js')).status).toBe(404);
  }
  const browser = await openPage();
  expect((await browser.send('/app', { headers: { 'sec-fetch-dest': 'empty' } })).text).not.toContain('canopy');
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../server/config.ts';
import { launchBrowser, type Browser } from '../e2e/browser.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { freePort } from '../helpers/free-port.ts';
import { startNginx } from '../helpers/proxies.ts';
import { makeEntry } from '../helpers/remote.ts';
import { makeFolder } from '../helpers/remote-counterparts.ts';
import { makeWorld, type World } from '../helpers/world.ts';

/** The page of a device with a sign-in cookie of its own, which lets browsers keep its script for ever. */
async function startDevice(name: string) {
  const cookies: string[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '');
    if (request.url === '/static/app.js')
      response
        .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' })
        .end(`window.ran='${name}'`);
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `sysauth=of-${name}; Path=/; HttpOnly` })
        .end(`<!doctype html><title>${name}</title><script src="/static/app.js"></script>page of ${name}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cookies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a hostile page does to the cookies of its host and of the domain above it. `count`: how many it sets beside those it names. */
function attackCookies(count: number): void {
  const above = location.hostname.split('.').slice(1).join('.');
  const paths = ['/', '/api'];
  for (const domain of ['', `; domain=${above}`])
    for (const path of paths) {
      for (const name of ['canopy_remote', '__Host-canopy_remote', 'canopy_access', 'canopy_refresh', 'XSRF-TOKEN', 'sysauth'])
        document.cookie = `${name}=ATTACKER; path=${path}${domain}`;
      for (let index = 0; index < count; index += 1) document.cookie = `c${index}=${'x'.repeat(3900)}; path=${path}${domain}`;
    }
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser(['--host-resolver-rules=MAP console.example 127.0.0.1, MAP *.pages 127.0.0.1, MAP *.pages.test 127.0.0.1']);
});
afterAll(() => browser?.close());

interface Mode {
  name: string;
  /** Undefined: a server at a loopback address. */
  domain?: string;
  isSecure?: boolean;
  /** Cookies that the attack sets; browsers keep some 180 of one registrable domain, and evict others above that. */
  cookieCount: number;
}

const modes: Mode[] = [
  { name: 'a server at a loopback address', cookieCount: 200 },
  { name: 'a domain over http', domain: 'pages.test', cookieCount: 15 },
  { name: 'a domain over https', domain: 'pages.test', isSecure: true, cookieCount: 15 },
  { name: 'a public suffix over https', domain: 'pages', isSecure: true, cookieCount: 200 },
];

describe.each(modes)('with $name', ({ domain, isSecure = false, cookieCount }) => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let context: BrowserContext;
  let hostile: Page;
  let victim: Page;
  let victimDevice: Awaited<ReturnType<typeof startDevice>>;
  let consoleUrl: string;

  beforeAll(async () => {
    const pagesPort = await freePort();
    let shownPort = pagesPort;
    if (isSecure) {
      const folder = makeFolder();
      const certificate = { key: join(folder, 'key'), cert: join(folder, 'cert') };
      const subject = ['-days', '2', '-subj', '/CN=pages', '-keyout', certificate.key, '-out', certificate.cert];
      execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...subject], {
        stdio: 'ignore',
      });
      shownPort = stack.use(await startNginx(pagesPort, { certificate })).port;
    }
    const settings = { REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: String(pagesPort) };
    const { remote } = loadConfig({ ...settings, ...(domain ? { REMOTE_DOMAIN: `${domain}:${shownPort}` } : {}) }, '/nowhere');
    const publicUrl = domain ? `${isSecure ? 'https' : 'http'}://console.example:8080` : undefined;
    world = stack.use(await makeWorld({ listen: true, config: { remote, ...(publicUrl ? { publicUrl } : {}) } }));
    consoleUrl = publicUrl ?? world.url;
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    stack.defer(() => context.close());
    await context.addCookies(
      ['canopy_access', 'canopy_refresh'].map((name) => ({ name, value: 'of-the-console', url: consoleUrl, httpOnly: true })),
    );
    const openPage = async (port: number): Promise<Page> => {
      const device = await makeDevice(world, { company, status: 0 });
      const entry = await makeEntry(admin, { device_id: device.id, port, protocol: 'http' });
      const page = await context.newPage();
      await page.goto((await admin.post(`/devices/connect/${entry}`, { duration: 600 })).data.url);
      return page;
    };
    hostile = await openPage(stack.use(await startDevice('A')).port);
    victimDevice = stack.use(await startDevice('B'));
    await hostile.evaluate(() => {
      localStorage.setItem('left', 'by A');
    });
    victim = await openPage(victimDevice.port);
  });
  afterAll(() => stack.disposeAsync());

  test('a page that stays open reaches its own device and no other, and leaves nothing to another [HP2]', async () => {
    expect(await hostile.evaluate(async () => (await fetch('/')).text())).toContain('page of A');
    const address = victim.url();
    expect(new URL(address).host).not.toBe(new URL(hostile.url()).host);
    const read = await hostile.evaluate(async (url) => {
      return fetch(url, { credentials: 'include' }).then(
        (answer) => answer.text(),
        () => 'refused',
      );
    }, address);
    expect(read).toBe('refused');
    expect(await victim.evaluate(() => [Reflect.get(window, 'ran'), localStorage.getItem('left'), document.cookie])).toEqual([
      'B',
      null,
      '',
    ]);
  });

  test('cookies of a page neither reach nor block another, nor the console [HP5] [HP6]', async () => {
    await hostile.evaluate(attackCookies, cookieCount);
    victimDevice.cookies.length = 0;
    const answer = await victim.goto(victim.url());
    expect(answer?.status()).toBe(200);
    expect(await victim.title()).toBe('B');
    expect(victimDevice.cookies).toContain('sysauth=of-B');
    expect(victimDevice.cookies.join()).not.toContain('ATTACKER');
    const kept = await context.cookies([`${consoleUrl}/`, `${consoleUrl}/api/user`]);
    expect(kept.map(({ name, value }) => `${name}=${value}`).toSorted()).toEqual([
      'canopy_access=of-the-console',
      'canopy_refresh=of-the-console',
    ]);
  });
});

test('more cookies than the server takes end in a page that removes them, and the console opens again [HP5]', async () => {
  await using world = await makeWorld({ listen: true });
  const context = await browser.newContext();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(`${world.url}/health`);
  await page.evaluate(() => {
    for (const path of ['/', '/api'])
      for (let index = 0; index < 20; index += 1) document.cookie = `c${index}=${'x'.repeat(3900)}; path=${path}`;
  });
  const answer = await page.goto(`${world.url}/api/user`);
  expect(answer?.status()).toBe(431);
  await page.waitForURL(`${world.url}/`);
  expect(await context.cookies([`${world.url}/`, `${world.url}/api/user`])).toEqual([]);
  expect((await page.goto(`${world.url}/health`))?.status()).toBe(200);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { ApiClient } from '../../scripts/api-client.ts';
import { findBrowser } from '../../scripts/find-browser.ts';
import { startServerProcess } from '../../tests/helpers/server-process.ts';

const ACCOUNT = { email: 'bench@canopy.example', password: 'bench-password-1' };
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface ConsoleWorld extends AsyncDisposable {
  url: string;
  dataDir: string;
  browser: Browser;
  companyId: number;
  /** The API as the administrator. */
  api: ApiClient;
  /** Makes an enrolment code for `uses` devices. */
  makeCode(uses: number): Promise<string>;
  /** A fresh browser profile, signed in, with nothing cached. */
  coldContext(): Promise<BrowserContext>;
}

/** The built console on the real server, with a signed-in administrator. */
export async function makeConsoleWorld({
  env = {},
  flags = [],
}: { env?: Record<string, string>; flags?: readonly string[] } = {}): Promise<ConsoleWorld> {
  const server = await startServerProcess({ env });
  const api = new ApiClient(server.url);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  await api.call('POST', '/set-up', { token, company_name: 'Bench', first_name: 'Bench', last_name: 'Mark', ...ACCOUNT });
  const { company_id: companyId } = await api.call<{ company_id: number }>('GET', '/user');
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
  const first = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await first.newPage();
  await page.goto(`${server.url}/login`);
  await page.getByLabel('E-mail').fill(ACCOUNT.email);
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
  await page.waitForLoadState('networkidle');
  const storageState = await first.storageState();
  await first.close();
  return {
    url: server.url,
    dataDir: server.dataDir,
    browser,
    companyId,
    api,
    async makeCode(uses) {
      return (await api.call<{ code: string }>('POST', '/devices/enrolment-codes', { company_id: companyId, uses, expires_in_hours: 1 }))
        .code;
    },
    coldContext: () => browser.newContext({ viewport: { width: 1440, height: 900 }, storageState }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Milliseconds from the start of the navigation until the first row of the table was painted. */
export async function firstRowTime(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    const found = new Promise<number>((resolve) => {
      const look = (): void => {
        if (!document.querySelector('table tbody tr a[href^="/devices/"]')) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => resolve(performance.now()));
          channel.port1.start();
          channel.port2.postMessage('');
        });
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
    });
    Object.assign(globalThis, { firstRow: found });
  });
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(() => (globalThis as unknown as { firstRow: Promise<number> }).firstRow);
}

/** Milliseconds from the start of the navigation until the first row was painted, and until a click after that was handled. */
export async function firstRowTimes(page: Page, url: string): Promise<{ painted: number; answers: number }> {
  const painted = await firstRowTime(page, url);
  // The page acknowledges a click when its main thread has handled it. The corner holds nothing to press.
  await page.mouse.click(2, 2);
  return { painted, answers: await page.evaluate(() => performance.now()) };
}

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { startAgent, type AgentProcess } from './agent-process.ts';
import { findAccessibilityFaults, launchBrowser, openPage, PHONE, signIn, type WatchedPage, type Browser } from './browser.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };
const LINUX = 'linux-machine-1';

let server: ServerProcess;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
let agent: AgentProcess;
let fleet: Fleet;

beforeAll(async () => {
  server = await startServerProcess({ env: { REPORT_SECONDS: '2' } });
  browser = await launchBrowser();
  watched = await openPage(browser);
  page = watched.page;
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

// What was on screen when a step failed.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: join(tmpdir(), `canopy-${task.name.slice(0, 20).replaceAll(/\W+/g, '-')}.png`) });
});

const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name });
const bulkBar = (): Locator => page.getByRole('region', { name: 'Selected rows' });
/** The window on top. */
const dialog = (): Locator => page.getByRole('dialog').last();
const targetRow = (name: string): Locator => dialog().getByRole('listitem').filter({ hasText: name });

async function closeDialogs(): Promise<void> {
  while ((await page.getByRole('dialog').count()) > 0) {
    const open = await page.getByRole('dialog').count();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBeLessThan(open);
  }
}

async function chooseOption(label: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: label }).fill(option);
  await page.getByRole('option', { name: option }).first().click();
}

async function makeCode(uses: number): Promise<string> {
  await page.goto(`${server.url}/management/devices`);
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await chooseOption('Company', 'Nordic Fleet');
  await dialog().getByLabel('Devices allowed').fill(String(uses));
  await dialog().getByRole('button', { name: 'Create code' }).click();
  return (await dialog().locator('code').first().innerText()).replace(/^.*--code\s+(\S+).*$/s, '$1').replaceAll("'", '');
}

const PAGES = [
  '/management/devices',
  '/management/jobs',
  '/management/enrolment-codes',
  '/tags',
  '/companies',
  '/companies/tree',
  '/users',
  '/users/roles',
  '/history',
  '/devices/1',
  '/companies/1',
];

describe('the thin line', () => {
  it('makes the first administrator by the one-time link, and the link is dead afterwards [O1]', async () => {
    const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
    await page.goto(`${server.url}/set-up?token=${token}`);
    await page.getByLabel('Company').fill('Nordic Fleet');
    await page.getByLabel('First name').fill('Ingrid');
    await page.getByLabel('Last name').fill('Lund');
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set up and sign in' }).click();
    await page.getByRole('region', { name: 'First steps' }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    const again = await page.request.post(`${server.url}/api/set-up`, {
      headers: { origin: server.url },
      data: { token, company_name: 'Thief', first_name: 'T', last_name: 'T', email: 't@thief.example', password: 'x'.repeat(12) },
    });
    expect(again.status()).toBe(409);
  });

  it('shows the joining line and sees a real Linux machine come online without a reload [O2]', async () => {
    const code = await makeCode(1);
    await dialog().getByText('Waiting for the device').waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    agent = await startAgent({ url: server.url, code, name: LINUX });
    await dialog().getByText('Online').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row(LINUX).getByText('Online').waitFor();
  });

  it('lets simulated devices appear in the open list, live [T8]', async () => {
    const code = await makeCode(20);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
    fleet = await startFleet({ url: server.url, code, devices: 6, moods: 'good', seed: 'thin-line', rebootSeconds: [2, 3] });
    const [failing, offline] = fleet.devices;
    failing?.setMood('failing');
    offline?.goOffline();
    await row(offline?.identity.name ?? '')
      .getByText('Offline')
      .waitFor();
    await page.getByText('7 in all companies').waitFor();
    expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
  });

  it('runs a command on all, skips the offline one, shows each output, and retries only the failed one [B1 B3 B5]', async () => {
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await bulkBar().getByText('7 selected').waitFor();
    await bulkBar()
      .getByRole('button', { name: /Run command/ })
      .click();
    await dialog().getByRole('textbox', { name: 'Command' }).fill('echo hello from $(uname -s)');
    await dialog().getByRole('button', { name: 'Preview' }).click();
    await dialog().getByText('Will run on 6 devices').waitFor();
    await dialog()
      .getByText(/1 device will be skipped/)
      .waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Run on 6 devices' }).click();
    await targetRow(LINUX).getByText('Done').first().waitFor();
    const failing = fleet.devices[0]?.identity.name ?? '';
    await targetRow(failing).getByText('Failed').first().waitFor();
    await targetRow(fleet.devices[1]?.identity.name ?? '')
      .getByText(/offline/i)
      .waitFor();
    await dialog()
      .getByRole('button', { name: `Show output of ${LINUX}` })
      .click();
    await dialog().getByText('hello from Linux').waitFor();
    fleet.devices[0]?.setMood('good');
    await dialog().getByRole('button', { name: 'Retry 1 failed' }).click();
    await dialog()
      .getByText(/Retry of job/)
      .waitFor();
    await targetRow(failing).getByText('Done').first().waitFor();
    expect(await targetRow(LINUX).count()).toBe(0);
    await closeDialogs();
  });

  it('loses nothing when the server is killed in the middle of a reboot of all [B4 FT1]', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    await bulkBar().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Reboot/ }).click();
    await dialog().getByText('Will run on 6 devices').waitFor();
    await dialog().getByRole('button', { name: 'Reboot 6 devices' }).click();
    await dialog()
      .getByText(/waiting for the device to come back/)
      .first()
      .waitFor();
    await server.kill();
    await server.start();
    await page.reload();
    await page.goto(`${server.url}/management/jobs`);
    await page
      .getByRole('row')
      .filter({ hasText: 'Reboot' })
      .getByRole('link')
      .or(
        page
          .getByRole('row')
          .filter({ hasText: 'Reboot' })
          .getByRole('button', { name: /Reboot/ }),
      )
      .first()
      .click();
    await expect
      .poll(
        () =>
          dialog()
            .getByRole('list', { name: 'Devices of this job' })
            .getByText(/Online again after/)
            .count(),
        { timeout: 90_000 },
      )
      .toBe(6);
    expect(agent.reboots()).toBe(1);
    await closeDialogs();
    await page.goto(`${server.url}/management/devices`);
    await row(LINUX).getByText('Online').waitFor();
  });

  it.concurrent.for([
    { look: 'light', options: { colorScheme: 'light' } },
    { look: 'dark', options: { colorScheme: 'dark' } },
    { look: 'on a phone', options: { colorScheme: 'light', viewport: PHONE } },
  ] as const)('has no accessibility fault on any page, $look [X1]', async ({ options }, { expect }) => {
    const faults: string[] = [];
    await using other = await openPage(browser, options);
    await signIn(other.page, server.url, ADMIN);
    for (const path of PAGES) {
      await other.page.goto(server.url + path);
      await other.page.getByRole('heading', { level: 1 }).waitFor();
      await expect.poll(() => other.page.locator('[aria-busy="true"]').count()).toBe(0);
      const found = await findAccessibilityFaults(other.page);
      faults.push(...found.map((fault) => `${path}: ${fault}`));
      const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (overflow > 0) faults.push(`${path}: ${overflow} px wider than the window`);
    }
    expect([...faults, ...other.faults()]).toEqual([]);
  });

  it('speaks Norwegian after a choice in the account menu, dates and page language included [I3]', async () => {
    await using other = await openPage(browser, { locale: 'nb-NO' });
    await other.page.goto(`${server.url}/login`);
    await other.page.getByLabel('E-post').fill(ADMIN.email);
    await other.page.getByLabel('Passord', { exact: true }).fill(ADMIN.password);
    await other.page.getByRole('button', { name: 'Logg inn' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Enheter' }).waitFor();
    expect(await other.page.evaluate(() => document.documentElement.lang)).toBe('nb');
    await other.page.getByRole('row').filter({ hasText: LINUX }).getByText('Tilkoblet').waitFor();
  });

  it('kept the content policy and threw no script error on the way [IN1]', () => {
    expect(watched.faults()).toEqual([]);
  });
});

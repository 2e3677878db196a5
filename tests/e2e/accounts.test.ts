import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { findAccessibilityFaults, launchBrowser, openPage, signIn, type WatchedPage, type Browser } from './browser.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };

let server: ServerProcess;
let url: string;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  server = await startServerProcess();
  // Browsers have passkeys on names only.
  url = server.url.replace('127.0.0.1', 'localhost');
  browser = await launchBrowser();
  watched = await openPage(browser);
  page = watched.page;
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...ADMIN };
  await page.request.post(`${url}/api/set-up`, { headers: { origin: url }, data: { token, ...person } });
  await watched.context.clearCookies();
  const devtools = await watched.context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

// What was on screen when a step failed.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: join(tmpdir(), `canopy-${task.name.slice(0, 20).replaceAll(/\W+/g, '-')}.png`) });
});

const signOut = async (): Promise<void> => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};

describe('an account in a browser', () => {
  it('adds a passkey and keeps its recovery codes', async () => {
    await signIn(page, url, ADMIN);
    await page.goto(`${url}/account/settings`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Keep these recovery codes').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: /^Remove Chrome/ }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });

  it('signs in with the passkey alone', async () => {
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    await signOut();
  });

  it('signs in with the password, and the passkey as second factor', async () => {
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
  });

  it('sees its picture at once, cut to a square by the browser', async () => {
    await page.goto(`${url}/account/settings`);
    const png = await page.screenshot();
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png });
    const picture = page.locator('img[src^="/api/avatars/"]').first();
    await picture.waitFor();
    const size = await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]));
    expect(size).toEqual([256, 256]);
  });

  it('changes its password and goes on here [SE1]', async () => {
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(ADMIN.password);
    await page.getByLabel('New password').fill('another long phrase');
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('Password changed').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Account settings' }).waitFor();
    expect(watched.faults()).toEqual([]);
  });
});

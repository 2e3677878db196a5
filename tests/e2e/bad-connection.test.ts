import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../../scripts/api-client.ts';
import { BadLine } from '../helpers/bad-line.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { launchBrowser, openPage, signIn, type WatchedPage, type Browser } from './browser.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };
// A live channel that hears nothing finds out by its own clock: 25 s between pings, and 20 s of patience.
const NOTICED_MS = 46_000;

let line: BadLine;
let server: ServerProcess;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
/** Speaks with the server without the line. */
let api: ApiClient;

beforeAll(async () => {
  line = await BadLine.start();
  server = await startServerProcess({ env: { PUBLIC_URL: `http://127.0.0.1:${line.port}` } });
  line.farPort = Number(new URL(server.url).port);
  api = new ApiClient(server.url, `http://127.0.0.1:${line.port}`);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  await api.call('POST', '/set-up', { token, company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...ADMIN });
  browser = await launchBrowser();
  watched = await openPage(browser);
  page = watched.page;
  await signIn(page, `http://127.0.0.1:${line.port}`, ADMIN);
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await line?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  line.set('good');
  await page.goto(`http://127.0.0.1:${line.port}/tags`);
  await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
});

const dialog = (): Locator => page.getByRole('dialog').last();
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name });
const banner = (): Locator => page.getByText('The server is not responding');
const makeTag = (name: string) => api.call('POST', '/tags', { company_id: 1, name });
const tagsNamed = async (name: string): Promise<number> =>
  (await api.call<{ name: string }[]>('GET', '/tags?limit=100')).filter((tag) => tag.name === name).length;

/** Fills in a new tag, up to the button. */
async function fillIn(name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New tag' }).first().click();
  await dialog().getByRole('combobox', { name: 'Company' }).fill('Nordic');
  await page.getByRole('option', { name: 'Nordic Fleet' }).first().click();
  await dialog().getByLabel('Name').fill(name);
  return dialog().getByRole('button', { name: 'Create tag' });
}

test('on a slow line a form is sent once, and its record is in the list [FT3]', async () => {
  line.set('slow');
  const send = await fillIn('slow');
  await send.dblclick();
  await row('slow').waitFor();
  expect(await tagsNamed('slow')).toBe(1);
});

test('while a line holds everything a form waits and is not sent twice; it goes on when the line does [FT3]', async () => {
  const send = await fillIn('held');
  const calls: string[] = [];
  page.on('request', (request) =>
    request.method() === 'POST' && request.url().endsWith('/api/tags') ? calls.push(request.url()) : undefined,
  );
  line.set('held');
  await send.click();
  await expect.poll(() => calls.length).toBe(1);
  await page.keyboard.press('Control+Enter');
  await dialog().getByLabel('Name').press('Enter');
  line.set('good');
  await row('held').waitFor();
  expect(calls).toHaveLength(1);
  expect(await tagsNamed('held')).toBe(1);
});

test('without a line a form says so and keeps its entries, and is sent when there is one again [FT3]', async () => {
  const send = await fillIn('kept');
  line.set('cut');
  await send.click();
  await banner().waitFor();
  expect(await dialog().getByLabel('Name').inputValue()).toBe('kept');
  line.set('good');
  await banner().waitFor({ state: 'detached' });
  await send.click();
  await row('kept').waitFor();
  expect(await tagsNamed('kept')).toBe(1);
});

test('what changed while the line was cut is there when it is back, and so is the live channel [FT3]', async () => {
  line.set('cut');
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await banner().waitFor();
  await makeTag('meanwhile');
  line.set('good');
  await banner().waitFor({ state: 'detached' });
  await row('meanwhile').waitFor();
  await makeTag('afterwards');
  await row('afterwards').waitFor();
});

test('a live connection that is dead at the other end alone is noticed, and the list follows again [FT3]', async () => {
  await page.clock.install();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
  await expect.poll(() => line.deafen()).toBe(1);
  await makeTag('unheard');
  await page.clock.fastForward(NOTICED_MS);
  await row('unheard').waitFor();
  await makeTag('again');
  await row('again').waitFor();
});

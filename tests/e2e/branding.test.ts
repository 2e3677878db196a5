import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { findAccessibilityFaults, launchBrowser, menuEntry, openPage, signIn, type WatchedPage, type Browser } from './browser.ts';

const SYSTEM = { email: 'system@nordic.example', password: 'correct horse battery' };
const BRAND_HOST = 'brand.test';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#0a7a5c"/></svg>';
// A title that would leave the page's head, were it not kept as text.
const TITLE = 'Fleet"></title><script>alert(1)</script>';

let server: ServerProcess;
let browser: Browser;
let system: WatchedPage;
/** The server at the host name of the company. */
let brandUrl: string;

beforeAll(async () => {
  server = await startServerProcess();
  brandUrl = `http://${BRAND_HOST}:${new URL(server.url).port}`;
  browser = await launchBrowser([`--host-resolver-rules=MAP ${BRAND_HOST} 127.0.0.1`]);
  system = await openPage(browser);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...SYSTEM };
  await system.page.request.post(`${server.url}/api/set-up`, { headers: { origin: server.url }, data: { token, ...person } });
  await system.context.clearCookies();
  await signIn(system.page, server.url, SYSTEM);
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** A change as the console sends it. */
function change(page: Page, method: string, path: string, body: object): Promise<{ status: number; data: { id: number } }> {
  return page.evaluate(
    async ([verb, address, text]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': token, 'x-requested-with': 'XMLHttpRequest' };
      const call: RequestInit = { method: verb, headers, body: text };
      const answer = await fetch(`/api${address}`, call);
      return { status: answer.status, data: (await answer.json()).data };
    },
    [method, path, JSON.stringify(body)] as const,
  );
}

/** Pixels between the last field of each section of the form and the line of the next one. */
function gapsAboveLines(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('form section')].flatMap((section) => {
      const controls = section.previousElementSibling?.querySelectorAll('input, textarea, button') ?? [];
      const bottoms = [...controls].map((control) => control.getBoundingClientRect().bottom);
      return bottoms.length === 0 ? [] : [section.getBoundingClientRect().top - Math.max(...bottoms)];
    }),
  );
}

test('the line of a section keeps its distance from the fields above it', async () => {
  const { page } = system;
  await page.goto(`${server.url}/branding`);
  await page.getByLabel('Text below the logo', { exact: true }).waitFor();
  const gaps = await gapsAboveLines(page);
  expect(gaps.length).toBeGreaterThan(1);
  expect(Math.min(...gaps)).toBeGreaterThan(8);
});

test('a company is branded beside a live preview', async () => {
  const { page } = system;
  await page.goto(`${server.url}/branding`);
  await page.getByLabel('Console name', { exact: true }).fill('Fjordline Fleet');
  await page.getByLabel('Main colour', { exact: true }).fill('#0a7a5c');
  await page.getByRole('figure', { name: 'Light' }).getByText('Fjordline Fleet').waitFor();
  await page.getByText('Devices · Fjordline Fleet', { exact: true }).waitFor();
  await page.getByLabel('Browser tab title', { exact: true }).fill('Fjordline at sea');
  await page.getByText('Devices · Fjordline at sea', { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test.each([
  { locale: 'en-GB', signInName: 'Sign in', email: 'E-mail', password: 'Password', devices: 'Devices', tags: 'Tags', refused: 'No access' },
  {
    locale: 'nb-NO',
    signInName: 'Logg inn',
    email: 'E-post',
    password: 'Passord',
    devices: 'Enheter',
    tags: 'Merker',
    refused: 'Ingen tilgang',
  },
])('its name, title, logo, icon and colour are there at its host name before and after signing in ($locale) [IN1]', async (words) => {
  const theme = { app_name: 'Fjordline Fleet', title_text: TITLE, main_color: '#0a7a5c', host_name: BRAND_HOST, disabled_routes: ['tags'] };
  const admin = { email: `admin-${words.locale}@nordic.example`.toLowerCase(), password: 'another horse battery' };
  await system.page.goto(`${server.url}/companies`);
  expect((await change(system.page, 'PUT', '/themes/1', theme)).status).toBe(200);
  const picture = (name: string) => ({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
  const token = (await system.context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const sent = await system.page.request.put(`${server.url}/api/themes/1`, {
    headers: { origin: server.url, 'x-xsrf-token': decodeURIComponent(token) },
    multipart: {
      app_name: theme.app_name,
      title_text: TITLE,
      main_color: theme.main_color,
      host_name: BRAND_HOST,
      'disabled_routes[0]': 'tags',
      logo_vector: picture('logo.svg'),
      favicon: picture('icon.svg'),
    },
  });
  expect(sent.status()).toBe(200);
  const roles = await system.page.evaluate(async () => (await (await fetch('/api/roles')).json()).data as { id: number; title: string }[]);
  const role = roles.find(({ title }) => title === 'Administrator');
  const person = { ...admin, company_id: 1, first_name: 'Kari', last_name: 'Nordmann', role_id: role?.id };
  expect((await change(system.page, 'POST', '/users', person)).status).toBe(201);

  await using branded = await openPage(browser, { locale: words.locale });
  const { page } = branded;
  const looksBranded = async () => {
    await page.getByText('Fjordline Fleet').first().waitFor();
    await page.waitForFunction((title) => document.title.includes(title), TITLE);
    await page.locator('img[src^="/api/theme-pictures/"]').first().waitFor();
    expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^\/api\/theme-pictures\//);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--c-accent-fill'))).toContain('#0a7a5c');
  };
  await page.goto(`${brandUrl}/login`);
  await looksBranded();
  await page.getByLabel(words.email).fill(admin.email);
  await page.getByLabel(words.password, { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: words.signInName, exact: true }).click();
  await page.getByRole('link', { name: menuEntry(words.devices) }).waitFor();
  await looksBranded();
  // What the theme switched off is not in the menu, not at its address and not in the API.
  expect(await page.getByRole('link', { name: menuEntry(words.tags) }).count()).toBe(0);
  await page.goto(`${brandUrl}/tags`);
  await page.getByText(words.refused, { exact: true }).first().waitFor();
  expect(await page.evaluate(async () => (await fetch('/api/tags')).status)).toBe(403);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(words.tags);
  expect(await page.getByRole('dialog').getByRole('option', { name: words.tags, exact: true }).count()).toBe(0);
  expect(branded.faults()).toEqual([]);
});

test('a changed theme is applied in every open console at once, without a reload', async () => {
  const viewer = { email: 'viewer@nordic.example', password: 'another horse battery' };
  await system.page.goto(`${server.url}/companies`);
  const roles = await system.page.evaluate(async () => (await (await fetch('/api/roles')).json()).data as { id: number; title: string }[]);
  const role = roles.find(({ title }) => title === 'Administrator');
  const person = { ...viewer, company_id: 1, first_name: 'Ola', last_name: 'Nordmann', role_id: role?.id };
  expect((await change(system.page, 'POST', '/users', person)).status).toBe(201);
  const theme = { app_name: 'Before', main_color: '#0a7a5c', host_name: BRAND_HOST, drop_favicon: true, drop_logo_vector: true };
  expect((await change(system.page, 'PUT', '/themes/1', theme)).status).toBe(200);

  const { main_color: _, ...plain } = theme;
  for (const url of [server.url, brandUrl]) {
    expect((await change(system.page, 'PUT', '/themes/1', theme)).status).toBe(200);
    await using watched = await openPage(browser);
    const { page } = watched;
    await signIn(page, url, viewer);
    await page.goto(`${url}/management/devices`);
    await page.getByText('Before', { exact: true }).first().waitFor();
    await page.evaluate(() => Object.assign(window, { wasNotReloaded: true }));
    // What is published before the channel is followed is heard by nobody.
    await expect
      .poll(async () => {
        await change(system.page, 'PUT', '/themes/1', { ...theme, app_name: 'After', main_color: '#7a0a5c' });
        return page.getByText('After', { exact: true }).count();
      })
      .toBeGreaterThan(0);
    const fill = () => getComputedStyle(document.documentElement).getPropertyValue('--c-accent-fill');
    expect(await page.evaluate(fill)).toContain('#7a0a5c');
    await page.waitForFunction(() => document.title.includes('After'));
    await change(system.page, 'PUT', '/themes/1', plain);
    await page.getByText('Before', { exact: true }).first().waitFor();
    expect(await page.evaluate(fill)).not.toContain('#7a0a5c');
    expect(await page.evaluate(() => 'wasNotReloaded' in window)).toBe(true);
    expect(watched.faults()).toEqual([]);
  }
});

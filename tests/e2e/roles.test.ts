import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { findAccessibilityFaults, launchBrowser, openPage, signIn, type WatchedPage } from './browser.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };
const HOLDER = { email: 'kari@nordic.example', password: 'another horse battery' };

let server: ServerProcess;
let browser: Browser;
let admin: WatchedPage;

beforeAll(async () => {
  server = await startServerProcess();
  browser = await launchBrowser();
  admin = await openPage(browser);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...ADMIN };
  await admin.page.request.post(`${server.url}/api/set-up`, { headers: { origin: server.url }, data: { token, ...person } });
  await admin.context.clearCookies();
  await signIn(admin.page, server.url, ADMIN);
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function makeRole(): Promise<void> {
  const { page } = admin;
  await page.goto(`${server.url}/users/roles`);
  await page.getByRole('button', { name: 'New role' }).click();
  const dialog = page.getByRole('dialog', { name: 'New role' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Field engineer');
  await dialog.getByRole('combobox', { name: 'Companies' }).click();
  await page.getByRole('option', { name: /Nordic Fleet/ }).click();
  await dialog.getByRole('checkbox', { name: 'Edit devices' }).check();
  expect(await dialog.getByRole('checkbox', { name: 'View devices' }).isChecked()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function makeHolder(): Promise<void> {
  const status = await admin.page.evaluate(async (person) => {
    const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    const headers = { 'content-type': 'application/json', 'x-xsrf-token': token, 'x-requested-with': 'XMLHttpRequest' };
    const roles = await (await fetch('/api/roles?type=custom')).json();
    const body = JSON.stringify({ ...person, company_id: 1, first_name: 'Kari', last_name: 'Nordmann', role_id: roles.data[0].id });
    return (await fetch('/api/users', { method: 'POST', headers, body })).status;
  }, HOLDER);
  expect(status).toBe(201);
}

it('SE1 a role is made in a matrix, and what it permits changes at once in a console that is open', async () => {
  await makeRole();
  await makeHolder();
  await using holder = await openPage(browser);
  await signIn(holder.page, server.url, HOLDER);
  const menu = holder.page.getByRole('navigation').first();
  await menu.getByRole('link', { name: 'Devices' }).waitFor();
  expect(await menu.getByRole('link', { name: 'Tags' }).count()).toBe(0);

  const { page } = admin;
  await page.getByRole('link', { name: 'Field engineer' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Kari Nordmann' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit role' });
  await dialog.getByRole('checkbox', { name: 'Create tags' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  // Without a reload, and signed in as before.
  await menu.getByRole('link', { name: 'Tags' }).click();
  await holder.page.getByRole('button', { name: 'New tag' }).first().waitFor();

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('checkbox', { name: 'View tags' }).uncheck();
  expect(await dialog.getByRole('checkbox', { name: 'Create tags' }).isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await menu.getByRole('link', { name: 'Tags' }).waitFor({ state: 'detached' });
  expect([...holder.faults(), ...admin.faults()]).toEqual([]);
});

it('what a person can see is a row’s action away', async () => {
  const { page } = admin;
  await page.goto(`${server.url}/users`);
  await page.getByRole('row').filter({ hasText: 'Kari Nordmann' }).getByRole('button', { name: 'Actions: Kari Nordmann' }).click();
  await page.getByRole('menuitem', { name: 'What they can see' }).click();
  await page.getByRole('heading', { name: 'What Kari Nordmann can see, and why' }).waitFor();
  await page.getByText('1 company in reach').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

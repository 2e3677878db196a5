import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { putFile } from '../helpers/forms.ts';
import { answer } from '../helpers/jobs.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { launchBrowser, menuEntry, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

let world: World;
let browser: Browser;
let top: Awaited<ReturnType<typeof makeCompany>>;
let power: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;

beforeAll(async () => {
  world = await makeConsoleWorld();
  top = await makeCompany(world, { name: 'Nordic Fleet' });
  power = await makeCompany(world, { name: 'Kraftnett', parent: top });
  await makeTag(world, { company: top, name: 'needs visit' });
  for (const status of [0, 0, 1, 1, 1] as const) await makeDevice(world, { company: power, model: 'TAP200', status });
  await makeDevice(world, { company: power, model: 'RUTX50', status: 0 });
  await makeDevice(world, { company: top, model: 'TAP200', status: 0 });
  for (let number = 1; number <= 20; number += 1) await makeDevice(world, { company: top, model: 'RUTX11', name: `ferry ${number}` });
  const system = await as(world, 'super_admin', { company: top });
  await system.post('/credits', paid(top.id, 60));
  admin = await as(world, 'admin', { company: top });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

interface CountedPage extends AsyncDisposable {
  page: Page;
  /** How often the mouse was pressed since this was last asked. */
  clicks(): number;
}

/** The console on the list of devices, where each press of the mouse is counted, also of one that a test helper does. */
async function openCounted(): Promise<CountedPage> {
  const watched = await openAs(browser, world, admin, 'en-GB');
  const { page, context } = watched;
  let count = 0;
  await context.exposeFunction('countPress', () => (count += 1));
  await context.addInitScript(() => {
    const { countPress } = globalThis as unknown as { countPress(): void };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && countPress(), true);
  });
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).waitFor();
  return {
    page,
    clicks() {
      const seen = count;
      count = 0;
      return seen;
    },
    [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
  };
}

const windowOf = (page: Page): Locator => page.getByRole('dialog').last();
const press = (scope: Page | Locator, name: string | RegExp): Promise<void> =>
  scope.getByRole('button', { name, exact: true }).first().click();
const selectAll = (page: Page): Promise<void> => page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
const openMenu = (page: Page, title: string): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: menuEntry(title) })
    .click();

/** Types what is looked for into a choice that has the focus, and takes the first hit by Enter. */
async function choose(page: Page, box: Locator, words: string): Promise<void> {
  await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type(words);
  await page.getByRole('option', { name: words }).waitFor();
  await page.keyboard.press('Enter');
}

async function devicesShown(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('main').getByRole('row').count(), { timeout: 10_000 }).toBe(count + 1);
}

test('offline TAP200 of a company are found, tagged and the online ones sent a command that is retried, in at most 12 clicks', async () => {
  await using counted = await openCounted();
  const { page } = counted;
  await page.getByRole('searchbox', { name: /Name, model/ }).click();
  await page.keyboard.type('TAP200 Kraftnett');
  await devicesShown(page, 5);
  await press(page, /^Offline \d/);
  await devicesShown(page, 2);
  await selectAll(page);
  await press(page, 'Add tags');
  await choose(page, windowOf(page).getByRole('combobox', { name: 'Tags' }), 'needs visit');
  await press(windowOf(page), 'Add tags');
  await expect.poll(() => page.getByRole('main').getByRole('row').filter({ hasText: 'needs visit' }).count()).toBe(2);

  await press(page, /^Online \d/);
  await devicesShown(page, 3);
  await selectAll(page);
  await press(page, 'Run command');
  await windowOf(page).getByRole('textbox', { name: 'Command' }).fill('uptime');
  await press(windowOf(page), 'Preview');
  await press(windowOf(page), /^Run on 3 devices/);
  await until('three commands', () => world.commands.length === 3);
  const online = await world.ctx.db.selectFrom('devices').selectAll().where('model', '=', 'TAP200').where('status', '=', 1).execute();
  for (const [index, device] of online.entries())
    await answer(world, device, index === 0 ? { state: 'failed', code: 127, output: 'uptime: not found' } : { output: 'up 3 days' });
  await windowOf(page).getByText('uptime: not found').first().waitFor();
  await press(windowOf(page), 'Retry 1 failed');
  await until('the command again', () => world.commands.length === 4);
  expect(counted.clicks()).toBeLessThanOrEqual(12);
});

test('a sub-company, a role, an invitation with it, data and moved devices take at most 20 clicks together', async () => {
  await using counted = await openCounted();
  const { page } = counted;
  const taken: Record<string, number> = {};

  await page.getByRole('button', { name: 'Administration' }).click();
  await openMenu(page, 'Companies');
  await press(page, 'New company');
  await windowOf(page).getByRole('textbox', { name: 'Name' }).fill('Kraftnett Møre');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('Kraftnett Møre').waitFor();
  taken['company'] = counted.clicks();

  await openMenu(page, 'Users');
  await page.getByRole('main').getByRole('link', { name: 'Roles' }).click();
  await press(page, 'New role');
  await windowOf(page).getByRole('textbox', { name: 'Name' }).fill('Field engineer');
  await windowOf(page).getByRole('checkbox', { name: 'Edit devices', exact: true }).click();
  await press(windowOf(page), 'Create role');
  await page.getByRole('link', { name: 'Field engineer' }).waitFor();
  taken['role'] = counted.clicks();

  await page.getByRole('main').getByRole('link', { name: 'Invitations' }).click();
  await press(page, 'Invite user');
  await windowOf(page).getByRole('textbox', { name: 'E-mail address' }).fill('kari@kraftnett.example');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await choose(page, windowOf(page).getByRole('combobox', { name: 'Role' }), 'Field engineer');
  await press(windowOf(page), 'Invite');
  // Without a mail server the window shows the link.
  await windowOf(page).getByRole('button', { name: /^Copy/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByText('kari@kraftnett.example').waitFor();
  taken['invitation'] = counted.clicks();

  await openMenu(page, 'Resources');
  await press(page, 'Add company data');
  await windowOf(page).getByRole('textbox', { name: 'Credits' }).fill('5');
  await page.keyboard.press('Enter');
  await press(page.getByRole('alertdialog'), 'Confirm');
  await page.getByRole('main').getByRole('cell', { name: '55', exact: true }).waitFor();
  taken['data'] = counted.clicks();

  await openMenu(page, 'Devices');
  await page.getByRole('searchbox', { name: /Name, model/ }).click();
  await page.keyboard.type('ferry 2');
  await devicesShown(page, 2);
  await selectAll(page);
  await press(page, 'Move to company');
  await choose(page, windowOf(page).getByRole('combobox', { name: 'New company' }), 'Kraftnett Møre');
  await press(windowOf(page), 'Preview');
  await press(windowOf(page), /^Move 2 devices/);
  await until('two moved', async () => (await admin.get('/devices', { q: 'ferry Møre' })).data.length === 2);
  taken['move'] = counted.clicks();

  expect(
    Object.values(taken).reduce((sum, clicks) => sum + clicks),
    JSON.stringify(taken),
  ).toBeLessThanOrEqual(20);
});

test('an added form is sent to 20 devices in at most 5 clicks', async () => {
  await using counted = await openCounted();
  const { page } = counted;
  putFile(world, 'ops/set-apn', readFileSync(new URL('../../examples/forms/ops/set-apn.form.json', import.meta.url), 'utf8'));
  await page.getByRole('link', { name: 'Set APN' }).waitFor();
  const before = world.commands.length;
  await page.getByRole('searchbox', { name: /Name, model/ }).click();
  await page.keyboard.type('ferry');
  await devicesShown(page, 20);
  await selectAll(page);
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Set APN' }).click();
  await windowOf(page).getByLabel('APN').fill('iot.example');
  await page.keyboard.press('Enter');
  await press(windowOf(page), 'Send to 20 devices');
  await until('a command for each', () => world.commands.length === before + 20);
  expect(counted.clicks()).toBeLessThanOrEqual(5);
});

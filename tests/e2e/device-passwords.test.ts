import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, type WatchedPage, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let world: World;
let browser: Browser;
let admin: Caller;
let fleet: Fleet;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  world = await makeConsoleWorld({ broker: true });
  const company = await makeCompany(world, { name: 'Fjordline' });
  admin = await as(world, 'admin', { company });
  const { code } = await makeEnrolmentCode(world, { company });
  fleet = await startFleet({ url: world.url, devices: 5, code, moods: 'good', seed: 'passwords' });
  fleet.devices[4]?.setMood('failing');
  await until('five devices are online', async () => (await admin.get('/devices', { status: 'online' })).meta['total'] === 5);
  browser = await launchBrowser();
  watched = await openAs(browser, world, admin, 'en-GB');
  ({ page } = watched);
});

afterAll(async () => {
  await watched?.[Symbol.asyncDispose]();
  await browser?.close();
  await fleet?.stop();
  await world?.[Symbol.asyncDispose]();
});

/** The last five columns of each line: none of them holds a comma here. */
const itemsIn = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').slice(-5))
    .map(([serial, , , password = '', result]) => ({ serial, password, result }));

const dialog = () => page.getByRole('dialog').last();

async function openBulkForm(): Promise<void> {
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: t('actions.devices.passwords') }).click();
}

async function sendToFive(): Promise<void> {
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Will run on 5 devices').waitFor();
  await dialog()
    .getByRole('button', { name: /5 devices/ })
    .click();
  await dialog().getByText('Done').nth(3).waitFor();
  await dialog().getByText('Failed').first().waitFor();
}

test('five devices get random passwords, what became of each is shown, and the list can be downloaded once', async () => {
  await openBulkForm();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await sendToFive();
  await dialog().getByText('The former password of root is in force').first().waitFor();
  await page.goto(`${world.url}/management/passwords/lists`);
  const open = async () => {
    await page
      .getByRole('button', { name: /^Actions: / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: t('actions.password-lists.download') }).click();
    return page.getByRole('alertdialog', { name: t('forms.password-lists.download.title') });
  };
  const first = await open();
  const saved = page.waitForEvent('download');
  await first.getByRole('button', { name: t('forms.password-lists.download.submit') }).click();
  const items = itemsIn(readFileSync(await (await saved).path(), 'utf8'));
  expect(items.map(({ result }) => result).sort()).toEqual(['failed', 'ok', 'ok', 'ok', 'ok']);
  for (const { serial, password, result } of items)
    expect(fleet.devices.find(({ identity }) => identity.serial === serial)?.changes.passwords.isOf('root', password)).toBe(
      result === 'ok',
    );
  await first.waitFor({ state: 'detached' });
  await page.getByText(t('values.password_list.state.downloaded')).first().waitFor();
  const second = await open();
  await second.getByRole('button', { name: t('forms.password-lists.download.submit') }).click();
  await second.getByText(/can be downloaded only once/).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('viewing the vault asks for a reason, shows what the device was given, and is listed', async () => {
  await openBulkForm();
  await dialog()
    .getByRole('radio', { name: t('forms.devices.passwords.keep_vault') })
    .check();
  await sendToFive();
  await page.goto(`${world.url}/management/passwords`);
  await page.getByText(t('device-passwords.proven')).first().waitFor();
  await page.getByText(t('device-passwords.doubtful')).first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const device = fleet.devices[0];
  const name = device?.identity.name ?? '';
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: t('actions.device-passwords.show') }).click();
  const show = page.getByRole('dialog', { name: t('forms.device-passwords.show.title') });
  await show.getByRole('button', { name: t('forms.device-passwords.show.submit'), exact: true }).click();
  await show.getByText('Fill in this field.').first().waitFor();
  await show.getByRole('textbox', { name: t('fields.reason') }).fill('The line is down, somebody is on site');
  await show.getByRole('button', { name: t('forms.device-passwords.show.submit'), exact: true }).click();
  await show.getByText(t('device-passwords.is_proven')).waitFor();
  expect(device?.changes.passwords.isOf('root', await show.getByRole('textbox').inputValue())).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await show
    .getByRole('button', { name: t('device-passwords.close'), exact: true })
    .last()
    .click();
  await page.goto(`${world.url}/management/passwords/looks`);
  await page.getByRole('row').filter({ hasText: name }).getByText('The line is down, somebody is on site').waitFor();
  expect(watched.faults()).toEqual([]);
});

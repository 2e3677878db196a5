import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice } from '../helpers/factories.ts';
import { putFile } from '../helpers/forms.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, PHONE, type WatchedPage } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

const example = (id: string): string => readFileSync(new URL(`../../examples/forms/${id}.form.json`, import.meta.url), 'utf8');

let place: OpenConsole;
let world: World;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  place = await openConsole({}, async (world, company) => {
    await makeDevice(world, { company, name: 'Quay 4' });
    await makeDevice(world, { company, name: 'Quay 5' });
  });
  ({ world, watched, page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

const menuEntry = (name: string) => page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name });
const dialog = () => page.getByRole('dialog').last();

test('a file that is dropped into the folder comes into the open console without a reload or a restart [G1]', async () => {
  await page.getByText('Quay 4').waitFor();
  // The thread that judges files starts with the first one.
  putFile(world, 'ops/ping', example('ops/ping'));
  await until('the first form', async () => (await world.ctx.db.selectFrom('form_versions').select('form_id').execute()).length === 1);
  putFile(world, 'ops/set-apn', example('ops/set-apn'));
  await menuEntry('Set APN').waitFor();
});

test('one file sets the APN of many routers: bulk action, preview, commands', async () => {
  await page.goto(`${world.url}/management/devices`);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  const direct = bar.getByRole('button', { name: 'Set APN' });
  if (!(await direct.isVisible())) await bar.getByRole('button', { name: 'More actions' }).click();
  await page
    .getByRole('button', { name: 'Set APN' })
    .or(page.getByRole('menuitem', { name: 'Set APN' }))
    .first()
    .click();
  await dialog().getByLabel('APN').fill("iot'; reboot");
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('This does not have the expected format.').first().waitFor();
  await dialog().getByLabel('APN').fill('iot.example');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Will run on 2 devices').waitFor();
  await dialog().getByRole('button', { name: 'Send to 2 devices' }).click();
  await until('a command for each', () => world.commands.length === 2);
  expect(world.commands[0]?.command.body).toContain("'uci' 'set' 'network.mob1s1a1.apn=iot.example' && ");
});

test('what was sent by a form that calls the API is in the history with the form and its version [G5]', async () => {
  const text = example('tags/quick');
  putFile(world, 'tags/quick', text);
  const versions = async () =>
    (await world.ctx.db.selectFrom('form_versions').select('number').where('form_id', '=', 'tags/quick').execute()).length;
  await until('the first version', async () => (await versions()) === 1);
  putFile(world, 'tags/quick', text.replace('Calls what the API has already', 'Now'));
  await until('the second version', async () => (await versions()) === 2);
  await page.goto(`${world.url}/forms/tags/quick`);
  await page.getByText('Now').waitFor();
  await page.getByLabel('Name').fill('Ferries');
  await page.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: 'Fjordline' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  const sent = () => world.ctx.db.selectFrom('audit').select('form').where('action', '=', 'tags.new').executeTakeFirst();
  await until('the tag', async () => (await sent()) !== undefined);
  expect(await sent()).toEqual({ form: 'tags/quick@2' });
});

test('an open page of a form follows its file; one with entries keeps them until its user asks for the new one [G1]', async () => {
  const titled = (title: string) => example('tags/quick').replace(/("title": \{\s*"en": )"[^"]*"/, `$1"${title}"`);
  await page.goto(`${world.url}/forms/tags/quick`);
  const name = page.getByLabel('Name');
  await name.waitFor();
  putFile(world, 'tags/quick', titled('Second draft'));
  await page.getByRole('heading', { level: 1, name: 'Second draft' }).waitFor();
  await name.fill('Half a name');
  putFile(world, 'tags/quick', titled('Third draft'));
  await page.getByText('This form has been changed in the meantime').waitFor();
  expect(await name.inputValue()).toBe('Half a name');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Load the new form' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Third draft' }).waitFor();
  expect(await name.inputValue()).toBe('');
});

test('the form has a page of documentation, in light, dark and on a phone [G6]', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${world.url}/forms/docs/ops/set-apn`);
    await page.getByRole('heading', { level: 1, name: 'Set APN' }).waitFor();
    await page.getByText('Only while auth is "pap", "chap"').first().waitFor();
    await page.getByText(`curl -X POST '${world.url}/api/forms/ops/set-apn/run'`).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
});

test('a broken file is reported to administrators with its position, and the form goes on [G1]', async () => {
  putFile(world, 'ops/set-apn', example('ops/set-apn').replace('"maxLength": 100', '"maxLenth": 100'));
  await page.getByText(/^ops\/set-apn\.form\.json:\d+:\d+$/).waitFor();
  await page.getByText('Version 1 stays in use.').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: /^ops\/set-apn\.form\.json:/ }).click();
  await page.getByRole('textbox', { name: 'Text of ops/set-apn' }).waitFor();
  await menuEntry('Set APN').click();
  await page.getByRole('heading', { level: 1, name: 'Set APN' }).waitFor();
  rmSync(join(world.ctx.config.formsDir, 'ops', 'set-apn.form.json'));
  await menuEntry('Set APN').waitFor({ state: 'detached' });
  expect(watched.faults()).toEqual([]);
});

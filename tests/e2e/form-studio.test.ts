import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeDevice } from '../helpers/factories.ts';
import { apnForm, putFile, textOf } from '../helpers/forms.ts';
import type { World } from '../helpers/world.ts';
import { chooseOption, chosenOf, DESKTOP, findAccessibilityFaults, PHONE, type WatchedPage } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let world: World;
let watched: WatchedPage;
let page: Page;
let colleague: Caller;

beforeAll(async () => {
  place = await openConsole({}, async (world, company) => {
    await makeDevice(world, { company, name: 'Quay 4' });
    colleague = await as(world, 'super_admin', { company });
  });
  ({ world, watched, page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

const editor = () => page.getByRole('textbox', { name: /^Text of/ });
const dialog = () => page.getByRole('dialog').last();
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Puts a whole text into the editor, as pasting does. */
async function write(text: string): Promise<void> {
  await editor().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

async function looks(address: string, ready: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${world.url}${address}`);
    await ready();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await page.setViewportSize(DESKTOP);
}

test('a form is made in the studio: a finding at its line, the preview, the dry run; nothing is sent [G4]', async () => {
  const menu = page.getByRole('navigation', { name: 'Navigation' });
  await menu.getByRole('button', { name: 'System' }).click();
  await menu.getByRole('link', { name: 'Forms' }).click();
  await button('New form').click();
  await dialog().getByLabel('ID').fill('Ops');
  expect(await chosenOf(dialog().getByLabel('Action')), 'the first is chosen').toBe('Starts a job on devices');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await dialog().getByText('Invalid ID.').waitFor();
  expect(await chosenOf(dialog().getByLabel('Action')), 'what was chosen stays').toBe('Starts a job on devices');
  await dialog().getByLabel('ID').fill('ops/set-apn');
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await editor().waitFor();

  await write(textOf(apnForm()).replace('"maxLength": 100', '"maxLenth": 100'));
  const finding = page.getByRole('region', { name: 'Findings' }).getByRole('button').first();
  await finding.filter({ hasText: 'maxLenth' }).waitFor();
  await finding.click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Text of ops/set-apn');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Home');
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('maxLenth');

  await write(textOf(apnForm()));
  await page.getByText('No problems found').waitFor();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByLabel('APN').fill('iot.example');
  await preview.getByText('"apn": "iot.example"').waitFor();
  await preview.getByLabel('Authentication').waitFor();
  await preview.getByRole('button', { name: 'Dry run' }).click();
  await preview.getByText("'logger' 'Quay 4'").waitFor();
  await chooseOption(preview.getByLabel('Simulate a server error'), 'apn');
  await preview.getByLabel('With the message').fill('No such APN');
  await preview.getByRole('button', { name: 'Save', exact: true }).click();
  await preview.getByText('No such APN').first().waitFor();
  await preview.getByLabel('MTU').waitFor();
  await chooseOption(preview.getByLabel('View as'), 'Guest');
  await preview.getByLabel('MTU').waitFor({ state: 'detached' });
  expect(await preview.getByLabel('APN').inputValue()).toBe('iot.example');
  await chooseOption(preview.getByLabel('Language'), 'Norsk bokmål');
  await preview.getByRole('button', { name: 'Lagre', exact: true }).waitFor();
  const ink = () => preview.getByLabel('APN').evaluate((input) => getComputedStyle(input.closest('form') ?? input).color);
  const before = await ink();
  await preview.getByText('Dark', { exact: true }).click();
  expect(await ink()).not.toBe(before);
  expect(world.commands).toEqual([]);
});

test('it is saved and opens as a page [G5]', async () => {
  await button('Save form').click();
  await page.getByText('Saved as version 1').waitFor();
  await looks('/forms/edit/ops/set-apn', async () => {
    await page.getByText('No problems found').waitFor();
    await page.getByRole('region', { name: 'Preview' }).getByLabel('APN').waitFor();
  });
  await page.goto(`${world.url}/forms/ops/set-apn`);
  await page.getByRole('heading', { level: 1, name: 'Set APN' }).waitFor();
});

test('when two people save, both texts are shown, and neither is lost [G5]', async () => {
  await page.goto(`${world.url}/forms/edit/ops/set-apn`);
  await page.getByText('No problems found').waitFor();
  const { headers } = await colleague.get('/forms/ops/set-apn');
  const theirs = textOf(apnForm({ title: { en: 'Theirs' } }));
  expect((await colleague.put('/forms/ops/set-apn', { text: theirs }, { 'if-match': String(headers['etag']) })).status).toBe(200);
  await write(textOf(apnForm({ title: { en: 'Mine' } })));
  await button('Save form').click();
  await dialog().getByText('Somebody else has saved this form in the meantime').waitFor();
  await dialog().getByText('"Theirs"').waitFor();
  await dialog().getByText('"Mine"').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Saved as version 3').waitFor();
  const versions = (await colleague.get('/forms/ops/set-apn/versions')).data;
  expect(versions).toHaveLength(3);
});

test('a former version is compared and restored [G5]', async () => {
  await button('Versions').click();
  await dialog()
    .getByRole('button', { name: /Version 2/ })
    .click();
  await dialog().getByText('"Theirs"').waitFor();
  await dialog().getByRole('button', { name: 'Restore version 2' }).click();
  await page.getByText('Version 2 restored').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
});

test('values that the version in use takes and a text would refuse are listed before it is saved [G5]', async () => {
  await write(textOf(apnForm()).replace('"maxLength": 100', '"maxLength": 90'));
  await page.getByText('apn has stricter limits.').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

test('unsaved text is asked about before it is lost [G5]', async () => {
  await write('{}');
  await page.getByRole('link', { name: 'Forms', exact: true }).last().click();
  await button('Discard').click();
  await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
});

test('the forms are taken out as one file, and taken in again; one that differs is replaced when that is wanted', async () => {
  const waiting = page.waitForEvent('download');
  await button('Export').click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('canopy-forms.json');
  const bundle = readFileSync(await download.path(), 'utf8');
  const [form] = (JSON.parse(bundle) as { forms: { id: string; text: string }[] }).forms;
  expect([form?.id, form?.text]).toEqual(['ops/set-apn', textOf(apnForm({ title: { en: 'Theirs' } }))]);

  const chooser = page.getByLabel('File with forms');
  const take = (text: string) => chooser.setInputFiles({ name: 'forms.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await take('{"forms": "none"}');
  await page.getByText('forms.json contains no forms.').waitFor();
  const elsewhere = textOf(apnForm({ id: 'ops/elsewhere' }));
  await take(
    JSON.stringify({
      forms: [
        { id: 'ops/set-apn', text: textOf(apnForm()) },
        { id: 'ops/elsewhere', text: elsewhere },
      ],
    }),
  );
  const result = page.getByRole('dialog', { name: 'Imported forms' });
  await result.getByText('Saved as version 1').waitFor();
  await result.getByText('A different form with this ID already exists.').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await result.getByRole('button', { name: 'Replace 1 form' }).click();
  await result.getByText('Saved as version 5').waitFor();
  await result.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('row').filter({ hasText: 'ops/elsewhere' }).waitFor();
});

test('the list says what is wrong with a file, in light, dark and on a phone [G1]', async () => {
  putFile(world, 'ops/broken', textOf(apnForm({ id: 'ops/broken' })).replace('"surface"', '"surfase"'));
  await looks('/forms', async () => {
    await page.getByText('Broken, not in use').waitFor();
  });
  await page.getByRole('searchbox', { name: 'Search forms' }).fill('ops/');
  await page.getByRole('row').filter({ hasText: 'Built-in' }).first().waitFor({ state: 'detached' });
  expect(await page.getByRole('row').count()).toBe(4);
  putFile(world, 'ops/late', '{ "id": ');
  await page.getByRole('row').filter({ hasText: 'ops/late' }).getByText('Broken, not in use').waitFor();
  expect(watched.faults()).toEqual([]);
});

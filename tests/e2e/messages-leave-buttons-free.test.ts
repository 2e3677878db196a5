import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevice, makeTag } from '../helpers/factories.ts';
import { join } from '../helpers/mqtt-device.ts';
import type { World } from '../helpers/world.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let world: World;
let page: Page;
let company: { id: number; path: string };

beforeAll(async () => {
  place = await openConsole({}, async (_world, made) => void (company = made));
  ({ world, page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

beforeEach(() => page.setViewportSize({ width: 1366, height: 768 }));

const dialog = (): Locator => page.getByRole('dialog').last();
const message = (words: string | RegExp): Locator => page.getByRole('region', { name: 'Messages' }).getByText(words);

/** Nothing lies over it, now and not once a message has gone. */
const isInReach = (button: Locator): Promise<void> => button.click({ trial: true, timeout: 800 });

async function makeCode(): Promise<string> {
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await dialog().getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: 'Fjordline' }).click();
  await dialog().getByRole('button', { name: 'Create code' }).click();
  return dialog()
    .locator('strong', { hasText: /^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}/ })
    .innerText();
}

test('a user who adds the first device does not lose its command by a key; once it is there, Escape closes the window [D1 O2]', async () => {
  const code = await makeCode();
  const line = await dialog().locator('code').first().innerText();
  await dialog().getByText('opkg install mosquitto-client-ssl').waitFor();
  await dialog().getByRole('radio', { name: 'Debian · Ubuntu' }).check({ force: true });
  await dialog().getByText('apt install -y mosquitto-clients').waitFor();
  expect(line).toContain(code);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await dialog().locator('code').first().innerText()).toBe(line);
  await join(world.url, code, undefined, { name: 'Quay 1' });
  await dialog().getByRole('listitem').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // Who has devices already needs no guide, once that is known.
  const known = page.waitForResponse((response) => response.url().endsWith('/api/devices?limit=1&offset=0'));
  await makeCode();
  await known;
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      return page.getByRole('dialog').count();
    })
    .toBe(0);
});

test('a message leaves the buttons of a selection in reach [N1]', async () => {
  for (let number = 2; number < 20; number += 1) await makeDevice(world, { company, name: `Quay ${number}` });
  const { name } = await makeTag(world, { company });
  await page.goto(`${world.url}/management/devices`);
  for (const quay of ['Quay 2', 'Quay 3'])
    await page
      .getByRole('row', { name: new RegExp(`${quay}\\b`) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('button', { name: 'Add tags' }).click();
  await dialog().getByRole('combobox').fill(name);
  await page.getByRole('option', { name }).click();
  await dialog().getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  expect(await bar.getByRole('button').count()).toBeGreaterThan(3);
  for (const button of await bar.getByRole('button').all()) await isInReach(button);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
});

test('a message leaves the buttons of a window in full screen in reach [N1 D3]', async () => {
  const tags = await Promise.all(Array.from({ length: 6 }, () => makeTag(world, { company })));
  await page.goto(`${world.url}/tags`);
  for (const [index, { name }] of tags.entries()) {
    await page.getByRole('button', { name: `Actions: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog().getByLabel('Name').waitFor();
    if (index < 5) await dialog().getByRole('button', { name: 'Minimise' }).click();
  }
  // Windows of one kind are distinguished in the tray.
  for (const { name } of tags.slice(0, 5)) await page.getByRole('button', { name: `Edit tag · ${name}`, exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'Full screen' }).click();
  await dialog().getByRole('button', { name: 'Minimise' }).click();
  await message('You can not minimize more than 5 windows').waitFor();

  for (const name of ['Cancel', 'Save', 'Close', 'Leave full screen']) {
    await isInReach(dialog().getByRole('button', { name, exact: true }));
  }
  // Neither does the tray, on a phone and zoomed to 400 % either.
  await dialog().getByRole('button', { name: 'Leave full screen' }).click();
  for (const size of [
    { width: 1366, height: 400 },
    { width: 320, height: 640 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size);
    for (const name of ['Cancel', 'Save']) await dialog().getByRole('button', { name, exact: true }).click({ trial: true });
  }
});

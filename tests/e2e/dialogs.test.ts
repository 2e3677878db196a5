import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { findAccessibilityFaults, launchBrowser, loadPage, openPage, DESKTOP, type WatchedPage, type Browser } from './browser.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };
const TAGS = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];

let server: ServerProcess;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  server = await startServerProcess();
  browser = await launchBrowser();
  watched = await openPage(browser, { reducedMotion: 'no-preference' });
  page = watched.page;
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...ADMIN };
  await page.request.post(`${server.url}/api/set-up`, { headers: { origin: server.url }, data: { token, ...person } });
  await loadPage(page, server.url);
  for (const name of TAGS) await postJson('/api/tags', { company_id: 1, name });
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await page.setViewportSize(DESKTOP);
  await page.goto(`${server.url}/tags`);
  await page.getByRole('row').filter({ hasText: 'foxtrot' }).waitFor();
});

// What was on screen when a step failed.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: join(tmpdir(), `canopy-${task.name.slice(0, 20).replaceAll(/\W+/g, '-')}.png`) });
});

function postJson(path: string, body: object): Promise<number> {
  return page.evaluate(
    async ([address, text]) => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = {
        'content-type': 'application/json',
        'x-xsrf-token': decodeURIComponent(token),
        'x-requested-with': 'XMLHttpRequest',
      };
      return (await fetch(address, { method: 'POST', headers, body: text })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
}

const dialog = (): Locator => page.getByRole('dialog').last();
const tray = (): Locator => page.getByRole('toolbar', { name: 'Minimised windows' });
const newTag = (): Locator => page.getByRole('button', { name: 'New tag' }).first();
/** What has the focus, by its accessible name or text. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    return element?.getAttribute('aria-label') ?? label?.replace('*', '') ?? element?.textContent ?? '';
  });
const isScrollLocked = (): Promise<boolean> => page.evaluate(() => getComputedStyle(document.documentElement).overflow === 'hidden');

async function openNewTag(): Promise<void> {
  await newTag().click();
  await dialog().getByLabel('Name').waitFor();
}
async function editTag(name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog().getByLabel('Name').waitFor();
}

describe('windows in a browser', () => {
  it('keep the focus inside, close one by one by Escape, and give the focus back [D1]', async () => {
    await openNewTag();
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let step = 0; step < 14; step += 1) {
        await page.keyboard.press(key);
        expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
      }
    }
    expect(await isScrollLocked()).toBe(true);
    await dialog().getByLabel('Name').fill('draft');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard your entries?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await dialog().getByLabel('Name').inputValue()).toBe('draft');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('New tag');
    expect(await isScrollLocked()).toBe(false);
  });

  it('go into the tray, five of them, and come back by keyboard with what was typed [D2]', async () => {
    for (const name of TAGS.slice(0, 5)) {
      await editTag(name);
      await dialog().getByLabel('Name').fill(`${name} 2`);
      await dialog().getByRole('button', { name: 'Minimise' }).click();
    }
    expect(await isScrollLocked()).toBe(false);
    await editTag('foxtrot');
    await dialog().getByRole('button', { name: 'Minimise' }).click();
    await page.getByText('You can not minimize more than 5 windows').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();

    await tray().getByRole('button').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    expect(await dialog().getByLabel('Name').inputValue()).toBe('bravo 2');
    expect(await focused()).toBe('Name');
    // Messages are above the tray, not on it.
    const [message, bar] = [await page.getByText('You can not minimize').boundingBox(), await tray().boundingBox()];
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  });

  it('in full screen keep the focus and where one has scrolled to [D3]', async () => {
    await page.setViewportSize({ width: 900, height: 380 });
    await openNewTag();
    const body = dialog().locator('[data-dialog-body]');
    await body.evaluate((element) => element.scrollTo({ top: 40 }));
    await dialog().getByRole('button', { name: 'Full screen' }).press('Enter');
    await dialog().getByRole('button', { name: 'Leave full screen' }).waitFor();
    expect(await focused()).toBe('Leave full screen');
    expect(await body.evaluate((element) => element.scrollTop)).toBeGreaterThan(20);
    const box = await dialog().boundingBox();
    expect(box?.width).toBeGreaterThan(800);
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Full screen');
  });

  it('fit a page of 320 px, and one zoomed to 200 and 400 % [D3]', async () => {
    for (const size of [
      { width: 320, height: 640 },
      { width: 640, height: 512 },
      { width: 320, height: 256 },
    ]) {
      await page.setViewportSize(size);
      await openNewTag();
      const overflow = await dialog().evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      const field = dialog().getByLabel('Description');
      await field.scrollIntoViewIfNeeded();
      await field.fill('Reached');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});

describe('unsaved entries in a browser [F4]', () => {
  it('hold back the way back and closing the tab, and only when there are any', async () => {
    await page.goto(`${server.url}/companies`);
    await page.getByRole('link', { name: 'Tags' }).first().click();
    await openNewTag();
    await dialog().getByLabel('Name').fill('draft');
    await page.goBack();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(page.url()).toBe(`${server.url}/tags`);
    expect(await dialog().getByLabel('Name').inputValue()).toBe('draft');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    await page.goBack();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(`${server.url}/companies`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('are there again after the session ended and one has signed in again', async () => {
    await editTag('alfa');
    await dialog().getByLabel('Name').fill('alfa, kept');
    await watched.context.clearCookies({ name: /^(?!XSRF).*$/ });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/login\?continue_url=%2Ftags/);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Your entries in .* were saved$/).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await dialog().getByText('Your entries were saved').waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('alfa, kept');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'alfa, kept' }).waitFor();
  });
});

describe('axe finds no fault [X1]', () => {
  for (const mode of ['light', 'dark'] as const) {
    it(`in any window, ${mode}`, async () => {
      await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' });
      const faults: string[] = [];
      const look = async (): Promise<void> => void faults.push(...(await findAccessibilityFaults(page)));

      await openNewTag();
      await dialog().getByRole('button', { name: 'Create tag' }).click();
      await dialog().locator('[aria-invalid=true]').first().waitFor();
      await look();
      await dialog().getByLabel('Name').fill('golf');
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor();
      await look();
      await page.getByRole('button', { name: 'Discard' }).click();

      await editTag('bravo');
      await dialog().getByRole('button', { name: 'Minimise' }).click();
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Messages' }).click();
      await page.getByRole('dialog', { name: 'Messages of this session' }).waitFor();
      await look();
      expect(faults).toEqual([]);
    });
  }

  it('and the content policy had nothing to report in all of it', () => {
    expect(watched.faults()).toEqual([]);
  });
});

it('the command palette is named in all its parts, and keeps the focus in its box [S1]', async () => {
  await page.keyboard.press('Control+k');
  const commands = dialog().getByRole('combobox', { name: 'Command palette' });
  await commands.waitFor();
  expect(await dialog().getByRole('group', { name: 'Pages' }).count()).toBe(1);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const named = (): Promise<string> =>
    commands.evaluate((box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');
  const first = await named();
  await page.keyboard.press('ArrowUp');
  const last = dialog().getByRole('option').last();
  expect(await named()).toBe(await last.textContent());
  expect(await last.isVisible()).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await named()).toBe(first);
  await commands.fill('reboot');
  await dialog()
    .getByRole('option', { name: /^Reboot…/ })
    .click();
  await page.keyboard.type('quay');
  const devices = dialog().getByRole('combobox', { name: 'Reboot: choose from Devices' });
  expect(await devices.inputValue()).toBe('quay');
  await dialog().getByText('No results').first().waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(watched.faults()).toEqual([]);
});

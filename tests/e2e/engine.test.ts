import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { servePages, type PagesServer } from '../../bench/pages-server.ts';
import { antdStyles } from '../../scripts/antd-styles-plugin.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { contractForms } from '../../schemas/kit/codegen/vite-plugin.ts';
import { changelog } from '../../scripts/changelog-plugin.ts';
import { help } from '../../scripts/help-plugin.ts';
import { TOAST_POSITIONS } from '../../src/kernel/toasts/index.ts';
import { chosenOf, findAccessibilityFaults, launchBrowser, openPage, type WatchedPage, type Browser } from './browser.ts';
import type { engine as Engine } from './pages/engine.tsx';

declare const engine: typeof Engine;

let pages: PagesServer<'engine'>;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

/** A page of the engine, with lists that are empty, and a list of tasks that asks for values, where nothing is taken. */
async function openEngine(): Promise<WatchedPage> {
  const opened = await openPage(browser, { reducedMotion: 'reduce' });
  const empty = { success: true, data: [], meta: { total: 0 } };
  const variables = [
    { name: 'note', type: 'text' },
    { name: 'key', type: 'secret' },
    { name: 'zone', type: 'choice', choices: ['lan', 'wan'] },
  ];
  await opened.page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.fulfill({ json: empty }) : route.abort()));
  await opened.page.route('**/api/devices/tasks/groups/*', (route) => route.fulfill({ json: { success: true, data: { variables } } }));
  const used = { count: 2, names: ['Nightly', 'Ferries'] };
  const uses = { device_count: 3, answer_count: 40, automations: used, dashboards: used, reports: used };
  await opened.page.route('**/api/data-collect/configs/*/uses', (route) => route.fulfill({ json: { success: true, data: uses } }));
  return opened;
}

async function load(opened: Page): Promise<void> {
  await opened.goto(pages.url('engine'));
  await opened.waitForFunction(() => 'engine' in globalThis);
}

beforeAll(async () => {
  const folder = fileURLToPath(new URL('pages', import.meta.url));
  pages = await servePages({ folder, pages: ['engine'], plugins: [contractForms(), changelog(), help(), antdStyles()] });
  browser = await launchBrowser();
  watched = await openEngine();
  page = watched.page;
});

afterAll(async () => {
  await browser?.close();
  await pages?.[Symbol.asyncDispose]();
});

/** Dark mode on or off, and painted so: colours are read from what is on screen. */
function paintIn(dark: 'on' | 'off', shown: Page): Promise<void> {
  return shown.evaluate(async (mode) => {
    document.documentElement.setAttribute('data-theme', mode);
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  }, dark);
}

/** On a page at a time: a look at twenty forms takes hardly longer than one at a single form. */
const FORMS_TOGETHER = 20;
const formIds = Object.keys(loadContract().forms);
const pagesOfForms = Array.from({ length: Math.ceil(formIds.length / FORMS_TOGETHER) }, (_none, index) =>
  formIds.slice(index * FORMS_TOGETHER, (index + 1) * FORMS_TOGETHER),
);

test.each(['checked', 'example'] as const)('axe finds no fault in any form that ships, %s, in light and in dark [X1]', async (start) => {
  await using opened = await openEngine();
  await load(opened.page);
  const faults: string[] = [];
  for (const ids of pagesOfForms) {
    expect(await opened.page.evaluate(([names, how]) => engine.draw(names, how), [ids, start] as const)).toBe(ids.length);
    await paintIn('off', opened.page);
    const inLight = await findAccessibilityFaults(opened.page, { part: 'main form' });
    await paintIn('on', opened.page);
    // What is not colour is the same in both.
    const inDark = await findAccessibilityFaults(opened.page, { part: 'main form', rules: ['color-contrast'] });
    const forms = `${ids[0]} to ${ids.at(-1)}`;
    faults.push(...inLight.map((fault) => `${forms}, light: ${fault}`), ...inDark.map((fault) => `${forms}, dark: ${fault}`));
  }
  expect(faults).toEqual([]);
});

/** Two frames: what a key did is drawn. */
const drawn = (): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))));
const messages = (): Locator => page.getByRole('region', { name: 'Messages' });

describe('windows', () => {
  beforeEach(() => load(page));

  test('a question with a choice is confirmed once something is chosen, by keyboard alone, and answers it', async () => {
    const answer = page.evaluate(() =>
      engine.openModal({
        title: 'Where to?',
        selectBox: {
          label: 'Company',
          choices: [
            { value: 1, label: 'Oslo' },
            { value: 2, label: 'Bergen' },
          ],
        },
        selectionKey: 'company_id',
        props: { from: 3 },
      }),
    );
    const question = page.getByRole('dialog', { name: 'Where to?' });
    const choice = question.getByRole('combobox', { name: 'Company' });
    await choice.waitFor();
    expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await question.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => chosenOf(choice)).toBe('Bergen');
    await question.getByRole('button', { name: 'Confirm' }).press('Enter');
    expect(await answer).toMatchObject({ props: { from: 3, company_id: 2 } });
  });

  test('Escape closes no window without header controls [D1]', async () => {
    await page.evaluate(() => void engine.openModal({ title: 'Hold on', hideHeaderControls: true, hasNoCancel: true }));
    const held = page.getByRole('alertdialog', { name: 'Hold on' });
    await held.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await drawn();
    expect(await held.count()).toBe(1);
    await held.getByRole('button', { name: 'Confirm' }).click();
    await held.waitFor({ state: 'detached' });
  });

  test('a choice that is fixed is shown and answered; one that need not be made holds nothing up', async () => {
    const selectBox = { label: 'Company', choices: [{ value: 1, label: 'Oslo' }] };
    const confirmed = async (look: object): Promise<unknown> => {
      const answer = page.evaluate((own) => engine.openModal({ title: 'Where to?', ...own }), look);
      const question = page.getByRole('dialog', { name: 'Where to?' });
      expect(await question.getByRole('combobox', { name: 'Company' }).isDisabled()).toBe(true);
      await question.getByRole('button', { name: 'Confirm' }).click();
      await question.waitFor({ state: 'detached' });
      return answer;
    };
    expect(await confirmed({ selectBox: { ...selectBox, value: 1 }, selectBoxReadonly: true })).toMatchObject({ props: { selection: 1 } });
    expect(await confirmed({ selectBox, disableSelection: true, returnValue: 'go' })).toBe('go');
  });

  test('one without a header has its name for screen readers only, and answers no when it is cancelled [D1]', async () => {
    const answer = page.evaluate(() => engine.openModal({ title: 'Hold on', hideHeader: true, useCancelResolve: true }));
    const held = page.getByRole('alertdialog', { name: 'Hold on' });
    await held.waitFor();
    expect(await held.getByText('Hold on').evaluateAll((found) => found.filter((element) => element.clientWidth > 1))).toEqual([]);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await drawn();
    expect(await held.count()).toBe(1);
    await held.getByRole('button', { name: 'Cancel' }).click();
    expect(await answer).toBe(false);
  });

  test('a window opens in the tray or in full screen when its options say so [D2]', async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.evaluate(() => void engine.openModal({ id: 'small', title: 'Small', prompt: false, minimized: true }));
    const chip = page.getByRole('toolbar').getByRole('button', { name: 'Small' }).first();
    await chip.waitFor();
    const small = page.getByRole('alertdialog', { name: 'Small' });
    expect(await small.count()).toBe(0);
    await chip.click();
    await small.waitFor();
    await page.evaluate(() => void engine.openModal({ id: 'large', title: 'Large', fullscreen: true, fullScreenControl: true }));
    const leave = page.getByRole('button', { name: 'Leave full screen' });
    await leave.waitFor();
    const box = await page.getByRole('alertdialog', { name: 'Large' }).boundingBox();
    // All but a margin.
    expect([box && box.width > 1200, box && box.height > 640]).toEqual([true, true]);
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });
});

describe('messages [N1]', () => {
  beforeEach(() => load(page));

  test('appear at the edge that they are meant for, on a phone at the upper one', async () => {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 720 });
      for (const position of TOAST_POSITIONS) {
        await page.evaluate((edge) => void engine.toasts.show({ message: `At ${edge}`, position: edge }), position);
        const box = await messages()
          .getByRole('status')
          .filter({ hasText: `At ${position}` })
          .boundingBox();
        if (!box) throw new Error(`nothing at ${position}`);
        // On a phone windows have their buttons at the lower edge.
        expect(box.y < 360 ? 'top' : 'bottom', position).toBe(width > 320 ? position.split('-')[0] : 'top');
        expect([box.x >= 0, box.x + box.width <= width], position).toEqual([true, true]);
        const middle = (box.x + box.width / 2) / width;
        const side = middle < 0.4 ? 'left' : middle > 0.6 ? 'right' : undefined;
        if (width > 320) expect(side, position).toBe(position.split('-')[1]);
        await page.evaluate(() => engine.toasts.clear());
        await messages().getByText(`At ${position}`).waitFor({ state: 'detached' });
      }
    }
  });

  test('are seven at most, the others wait; one in a queue waits for all; time stops under the focus, and errors stay', async () => {
    await page.clock.install();
    await load(page);
    await page.evaluate(() => {
      engine.toasts.error('Number 0');
      for (let number = 1; number < 9; number += 1) engine.toasts.info(`Number ${number}`);
      engine.toasts.show({ message: 'In turn', isQueued: true });
    });
    await messages().getByText('Number 6').waitFor();
    expect(await messages().getByText('Number').count()).toBe(7);
    await messages().getByRole('button', { name: 'Dismiss', exact: true }).nth(1).focus();
    await page.clock.runFor(60_000);
    expect(await messages().getByText('Number').count()).toBe(7);
    await page.keyboard.press('Enter');
    await page.clock.runFor(500);
    await messages().getByText('Number 7').waitFor();
    // Elsewhere on the page, which takes no focus itself.
    await page.mouse.click(600, 300);
    await page.clock.runFor(6000);
    await messages().getByText('Number 8').waitFor();
    expect(await messages().getByText('In turn').count()).toBe(0);
    await page.clock.runFor(6000);
    expect(await messages().getByRole('alert').allTextContents(), 'an error stays').toEqual([expect.stringContaining('Number 0')]);
    await messages().getByRole('button', { name: 'Dismiss', exact: true }).first().click();
    await page.mouse.move(600, 300);
    await page.clock.runFor(500);
    await messages().getByText('In turn').waitFor();
    expect(watched.faults()).toEqual([]);
  });
});

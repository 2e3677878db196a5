import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { resources as entries } from '../../resources.config.ts';
import type { ActionEntry } from '../../schemas/kit/resources/resource-types.ts';
import type { Resources } from '../../src/engine/resources/resource.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeRecords } from '../helpers/route-samples.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, DESKTOP, type Browser } from './browser.ts';
import { makeConsoleWorld } from './console-world.ts';
import { faultsOfRound, goRoundByTab } from './tab-order.ts';
import { textsOf } from './texts.ts';

const WINDOW = '[role=dialog], [role=alertdialog]';
const windows = (page: Page): Locator => page.locator(WINDOW);
const leave = (page: Page): Locator =>
  windows(page)
    .last()
    .getByRole('button', { name: /^(Cancel|Close)$/ })
    .last();
const texts = textsOf('en');
const resources: Resources = entries;
// What changes nothing runs at once, without a window.
const opensWindow = (place: 'header' | 'row') => (action: ActionEntry) =>
  (action.kind === 'form' || (action.kind === 'job' && action.risk !== 'low')) && action.on.includes(place);

/** Presses what opens a menu and then the entry, if it is there and allowed for this record. */
async function choose(page: Page, menu: Locator, name: string): Promise<boolean> {
  await menu.click();
  const entry = page.getByRole('menuitem', { name, exact: true });
  await page.getByRole('menuitem').first().waitFor();
  if ((await entry.count()) === 1 && (await entry.getAttribute('aria-disabled')) !== 'true') {
    await entry.click();
    return true;
  }
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return false;
}

/** Whether the window on top is loaded and stays where it is: one that loads is replaced by what it waited for. */
function isSettled(page: Page): Promise<boolean> {
  return page.evaluate(async (selector) => {
    const top = (): Element | undefined => [...document.querySelectorAll(selector)].at(-1);
    const before = top();
    if (!before || before.querySelector('[aria-busy="true"], .ant-spin')) return false;
    const moving = before.getAnimations({ subtree: true }).filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const place = JSON.stringify(before.getBoundingClientRect());
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    return top() === before && JSON.stringify(before.getBoundingClientRect()) === place;
  }, WINDOW);
}

/** What Tab does not reach in the open window. */
export async function findLostStops(page: Page): Promise<string[]> {
  return faultsOfRound(await goRoundByTab(page));
}

/** What is wrong with the open window: what axe finds, and what reaches beyond the screen. */
export async function findFaults(page: Page): Promise<string[]> {
  const dialog = windows(page).last();
  const box = await dialog.boundingBox();
  const { width, height } = page.viewportSize() ?? DESKTOP;
  const isWhole = box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  const isCut = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('*')].some(
      (part) =>
        part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'auto' && !part.matches('pre, [class*=codeText]'),
    ),
  );
  return [
    ...(isWhole ? [] : [`reaches beyond the screen: ${JSON.stringify(box)}`]),
    ...(isCut ? ['scrolls sideways'] : []),
    ...(await findAccessibilityFaults(page, { part: WINDOW })),
  ];
}

async function close(page: Page): Promise<void> {
  await leave(page).click();
  await windows(page).waitFor({ state: 'detached' });
}

const withWindows = resources.filter(
  ({ routes, actions = [] }) =>
    routes.list !== undefined && actions.some((action) => opensWindow('header')(action) || opensWindow('row')(action)),
);

/** The lists are looked at in so many tests side by side. */
const SHARES = 3;

/** How the windows are looked at, and what is asked of each. */
export interface Look {
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
  find(page: Page): Promise<string[]>;
}

/** Registers the tests that open every window of every list, `is` in words. */
export function testEveryWindow(is: string, { viewport, colorScheme, find }: Look): void {
  let world: World;
  let browser: Browser;
  let root: Caller;

  beforeAll(async () => {
    world = await makeConsoleWorld();
    const company = await makeCompany(world, { name: 'Fjordline with a name that is rather long' });
    await makeRecords(world, company, 'Averylongwordthatdoesnotbreakbyitself');
    await makeDevice(world, { company, status: 1, name: 'device' });
    root = await as(world, 'super_admin', { company });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  test.concurrent.for(Array.from({ length: SHARES }, (_none, share) => ({ share, part: share + 1 })))(
    `every window that a list opens is ${is} (part $part) [X1]`,
    { timeout: 900_000 },
    async ({ share }, { expect }) => {
      await using watched = await openPage(browser, { viewport, colorScheme, reducedMotion: 'reduce' });
      const { page } = watched;
      const cookies = String(root.headers['cookie']).split('; ');
      await watched.context.addCookies(
        cookies.map((cookie) => ({ name: cookie.split('=')[0] ?? '', value: cookie.slice(cookie.indexOf('=') + 1), url: world.url })),
      );
      const faults: Record<string, string[]> = {};
      const looked: string[] = [];
      const look = async (id: string) => {
        await leave(page).waitFor();
        await page.waitForLoadState('networkidle');
        await expect.poll(() => isSettled(page), { timeout: 30_000 }).toBe(true);
        const found = await find(page).catch((error: unknown) => {
          throw new Error(`${id}: ${String(error)}`);
        });
        looked.push(id);
        if (found.length > 0) faults[id] = found;
        await close(page);
      };
      for (const { routes, actions = [] } of withWindows.filter((_resource, index) => index % SHARES === share)) {
        await page.goto(`${world.url}${routes.list}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle');
        for (const action of actions.filter(opensWindow('header'))) {
          const name = texts(`actions.${action.id}`);
          const button = page.getByRole('button', { name, exact: true });
          if (await button.first().isVisible()) await button.first().click();
          else if (!(await choose(page, page.getByRole('button', { name: texts('table.moreActions') }).first(), name))) continue;
          await look(action.id);
        }
        const menu = page.locator('[data-row-menu]').first();
        for (const action of actions.filter(opensWindow('row')))
          if ((await menu.isVisible()) && (await choose(page, menu, texts(`actions.${action.id}`)))) await look(action.id);
      }
      expect(faults, JSON.stringify(faults, undefined, 2)).toEqual({});
      expect(looked.length).toBeGreaterThan(10);
    },
  );
}

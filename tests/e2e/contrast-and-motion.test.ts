import type { BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeRecords } from '../helpers/route-samples.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, type Browser } from './browser.ts';
import { makeConsoleWorld } from './console-world.ts';

let world: World;
let browser: Browser;
let root: Caller;
let pages: string[];

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline with a name that is rather long' });
  const records = await makeRecords(world, company, 'Averylongwordthatdoesnotbreakbyitself');
  for (const status of [0, 1, 2, null] as const) await makeDevice(world, { company, status, name: `device ${status}` });
  root = await as(world, 'super_admin', { company });
  browser = await launchBrowser();
  pages = [
    '/management/devices',
    `/devices/${records['devices']}`,
    '/management/jobs',
    '/tags',
    `/tag/${records['tags']}`,
    '/management/files',
    '/companies',
    '/companies/tree',
    '/users',
    '/users/roles',
    '/resources',
    '/statistics/general',
    '/auth-devices',
    '/branding',
    '/notifications',
    '/account/settings',
    '/changelog',
    '/forms/docs/companies/new',
  ];
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** Opens each main page, or these ones, in turn and looks at it. */
async function lookAtPages(
  options: BrowserContextOptions,
  look: (page: Awaited<ReturnType<typeof openPage>>['page'], path: string) => Promise<void>,
  paths = pages,
) {
  await using watched = await openPage(browser, options);
  const cookies = String(root.headers['cookie']).split('; ');
  await watched.context.addCookies(
    cookies.map((cookie) => ({ name: cookie.split('=')[0] ?? '', value: cookie.slice(cookie.indexOf('=') + 1), url: world.url })),
  );
  for (const path of paths) {
    await watched.page.goto(`${world.url}${path}`);
    await watched.page.getByRole('heading', { level: 1 }).first().waitFor();
    await watched.page.waitForLoadState('networkidle');
    await look(watched.page, path);
  }
}

// Each has a session of its own; side by side they take half as long.
describe.concurrent('the main pages [X3]', () => {
  test('stop for people who asked for less motion', async () => {
    await lookAtPages({ reducedMotion: 'reduce' }, async (page, path) => {
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) => {
          const { transitionDuration, animationDuration, animationIterationCount } = getComputedStyle(element);
          const longest = Math.max(...`${transitionDuration},${animationDuration}`.split(',').map((time) => Number.parseFloat(time) || 0));
          return longest > 0.01 || animationIterationCount.includes('infinite') ? [`${element.tagName} ${longest}`] : [];
        }),
      );
      expect([path, moving]).toEqual([path, []]);
    });
  });

  test('are whole in forced colours, and the focus is seen there', async () => {
    await lookAtPages({ forcedColors: 'active' }, async (page, path) => {
      expect([path, await findAccessibilityFaults(page)]).toEqual([path, []]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
      expect([path, outline]).not.toEqual([path, 'none']);
    });
  });

  // A zoom of 200 % leaves half of the pixels of a page, one of 400 % a quarter of 1280 (WCAG 2.2, 1.4.4 and 1.4.10).
  test.each([
    { zoom: '200 %', viewport: { width: 720, height: 450 } },
    { zoom: '400 %', viewport: { width: 320, height: 256 } },
  ])('fit their width at $zoom', async ({ viewport }) => {
    await lookAtPages({ viewport }, async (page, path) => {
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect([path, wider]).toEqual([path, 0]);
    });
  });

  test('show the state of devices by a word, not by colour alone', async () => {
    const words = { 'device 0': 'Offline', 'device 1': 'Online', 'device 2': 'Pending', 'device null': 'Not activated' };
    await lookAtPages(
      {},
      async (page) => {
        for (const [name, word] of Object.entries(words))
          await page.getByRole('row').filter({ hasText: name }).getByText(word, { exact: true }).waitFor();
      },
      ['/management/devices'],
    );
  });
});

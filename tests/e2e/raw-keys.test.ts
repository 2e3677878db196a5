import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { readShippedTexts } from '../../schemas/kit/codegen/load-texts.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { makeRecords } from '../helpers/route-samples.ts';
import type { World } from '../helpers/world.ts';
import { launchBrowser, openPage, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';

/** In the first each page is loaded by itself; what comes with it is the same in the others, so they are gone through without loading again. */
const LANGUAGES = [
  { language: 'en', locale: 'en-GB', go: load },
  { language: 'uk', locale: 'uk-UA', go: follow },
] as const;
const PUBLIC = ['/login', '/forgotten-password', '/new-password#x', '/invitation#x', '/confirm-email#x', '/external?error=x'];

/** Lists that share an entry of the menu: only the first of them has its address there. */
const shared = resources.flatMap(({ menu, routes }: ResourceEntry) => (menu?.of && routes.list ? [routes.list] : []));

/** The first parts of all keys: `resources`, `table` … */
const beginnings = [...new Set([...(readShippedTexts('en') ?? new Map<string, string>()).keys()].map((key) => key.split('.')[0] ?? ''))];

let world: World;
let browser: Browser;
let caller: Caller;
let records: string[];

beforeAll(async () => {
  world = await makeConsoleWorld();
  const company = await makeCompany(world, { name: 'Fjordline' });
  const ids = await makeRecords(world, company);
  records = ['devices', 'companies', 'tag', 'users/roles'].map(
    (kind) => `/${kind}/${ids[kind === 'tag' ? 'tags' : kind === 'users/roles' ? 'roles' : kind] ?? company.id}`,
  );
  caller = await as(world, 'super_admin');
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

/** What on the page reads like the key of a text: words, names of controls, hints, the title. */
function findRawKeys(page: Page): Promise<string[]> {
  return page.evaluate((starts) => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('script, style, code, pre')) texts.push(node.nodeValue ?? '');
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-description]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) texts.push(element.getAttribute(name) ?? '');
    // Matches `resources.devices.title`, not `kari@devices.no` or `devices.` at the end of a sentence.
    const key = new RegExp(`(?<![\\w@./-])(?:${starts.join('|')})(?:\\.[\\w-]+)+(?![\\w@/])`, 'g');
    return texts
      .flatMap((text) => text.match(key) ?? [])
      .filter((found) => !found.endsWith('.example.org'))
      .map((found) => `${location.pathname}: ${found}`);
  }, beginnings);
}

async function load(page: Page, path: string): Promise<void> {
  await page.goto(world.url + path);
}

/** As a link of the console does. */
async function follow(page: Page, path: string): Promise<void> {
  const before = await page.locator('h1').first().elementHandle();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForFunction((old) => !old?.isConnected, before);
}

async function visit(page: Page, path: string, go: typeof load): Promise<string[]> {
  await go(page, path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
  return findRawKeys(page);
}

describe.each(LANGUAGES)('in $language', ({ language, locale, go }) => {
  test('no page of the menu, and no record, shows the key of a text in its place [I4]', async () => {
    await using watched = await openAs(browser, world, caller, locale);
    const found = await visit(watched.page, '/account/settings', load);
    expect(await watched.page.evaluate(() => document.documentElement.lang)).toBe(language);
    const menu = watched.page.getByRole('navigation');
    const folded = menu.locator('button[aria-expanded="false"]');
    while ((await folded.count()) > 0) await folded.first().click();
    const links = await menu.locator('a[href]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const paths = [...new Set([...links, ...shared, ...records, '/nowhere'])];
    expect(paths.length).toBeGreaterThan(30);
    const tabs = [watched.page, await watched.context.newPage(), await watched.context.newPage()];
    await Promise.all(
      tabs.map(async (tab) => {
        if (tab.url() === 'about:blank') await load(tab, '/account/settings');
        for (let path = paths.shift(); path !== undefined; path = paths.shift()) found.push(...(await visit(tab, path, go)));
      }),
    );
    expect(found).toEqual([]);
    expect(watched.faults()).toEqual([]);
  });

  test('the pages before signing in show no keys, and load no texts of the console [I4]', async () => {
    await using watched = await openPage(browser, { locale });
    const texts = new Set<string>();
    watched.page.on('request', (request) => {
      const [name] = /(?:console-)?texts-[a-z]+/.exec(request.url()) ?? [];
      if (name !== undefined) texts.add(name);
    });
    const found: string[] = [];
    for (const path of PUBLIC) found.push(...(await visit(watched.page, path, load)));
    expect(found).toEqual([]);
    expect([...texts]).toEqual([`texts-${language}`]);
  });
});

import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import type { Row } from '../../server/db/schema.ts';
import { makeWorld, type World, type WorldOptions } from '../helpers/world.ts';
import { launchBrowser, openPage, type WatchedPage, type Browser } from './browser.ts';

const CONSOLE = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** A world that listens, with the built console in front of it. */
export function makeConsoleWorld(options: WorldOptions = {}): Promise<World> {
  return makeWorld({ listen: true, consoleDir: CONSOLE, ...options });
}

/** A browser session of a new system administrator of a company, signed in. */
export async function openAsAdministrator(browser: Browser, world: World, company: { id: number }): Promise<WatchedPage> {
  const watched = await openAs(browser, world, await as(world, 'super_admin', { company }), 'en-GB');
  await watched.page.goto(world.url);
  await watched.page.getByRole('heading', { level: 1 }).first().waitFor();
  return watched;
}

/** A browser session in the session that a caller has already. */
export async function openAs(
  browser: Browser,
  world: World,
  caller: Caller,
  locale: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, { locale, ...options });
  const cookies = String(caller.headers['cookie']).split('; ');
  await watched.context.addCookies(
    cookies.map((cookie) => ({ name: cookie.split('=')[0] ?? '', value: cookie.slice(cookie.indexOf('=') + 1), url: world.url })),
  );
  return watched;
}

type Company = Row<'companies'>;

/** The console in a browser, with an administrator of one company signed in. */
export interface OpenConsole extends AsyncDisposable {
  world: World;
  browser: Browser;
  watched: WatchedPage;
  page: Page;
}

/** Opens the console of a new company; `fill` puts into it what the first page shows. */
export async function openConsole(
  options: WorldOptions = {},
  fill: (world: World, company: Company) => Promise<unknown> = async () => undefined,
): Promise<OpenConsole> {
  const world = await makeConsoleWorld(options);
  const company = await makeCompany(world, { name: 'Fjordline' });
  await fill(world, company);
  const browser = await launchBrowser();
  const watched = await openAsAdministrator(browser, world, company);
  return {
    world,
    browser,
    watched,
    page: watched.page,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

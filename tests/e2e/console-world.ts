import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { makeWorld, type World, type WorldOptions } from '../helpers/world.ts';
import { openPage, signIn, type WatchedPage } from './browser.ts';

const CONSOLE = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** A world that listens, with the built console in front of it. */
export function makeConsoleWorld(options: WorldOptions = {}): Promise<World> {
  return makeWorld({ listen: true, consoleDir: CONSOLE, ...options });
}

/** A browser session of a new system administrator of a company, signed in. */
export async function openAsAdministrator(browser: Browser, world: World, company: { id: number }): Promise<WatchedPage> {
  const { email } = await makeUser(world, { role: 'super_admin', company });
  const watched = await openPage(browser);
  await signIn(watched.page, world.url, { email, password: PASSWORD });
  return watched;
}

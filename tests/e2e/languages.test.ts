import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readShippedTexts } from '../../schemas/kit/codegen/load-texts.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { makeDevice } from '../helpers/factories.ts';
import { pseudoText, pseudoTexts } from '../helpers/pseudo-locale.ts';
import { chosenOf } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

const PSEUDO = 'en-XA';
let place: OpenConsole;
let page: Page;

beforeAll(async () => {
  place = await openConsole({}, async (world, company) => {
    for (const name of ['Quay 1', 'Quay 2']) await makeDevice(world, { company, name });
    const folder = world.ctx.config.localesDir;
    writeFileSync(join(folder, `${PSEUDO}.json`), JSON.stringify(pseudoTexts(readShippedTexts('en') ?? new Map())));
    writeFileSync(join(folder, 'de.json'), JSON.stringify({ 'resources.devices.title': 'Geräte', 'shell.unknown': 'x' }));
    writeFileSync(join(folder, 'nb.json'), JSON.stringify({ 'resources.devices.title': 'Rutere' }));
    await world.clock.advance(10 * SECOND);
  });
  ({ page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

/** The first of the settings' menus: its name is in the language that the page is in. */
const languageMenu = () => page.locator('main').getByRole('combobox').first();

async function choose(language: string): Promise<void> {
  await page.goto(`${place.world.url}/account/settings`);
  await languageMenu().click();
  await page
    .getByRole('option')
    .filter({ has: page.locator(`[lang="${language}"]`) })
    .click();
  await page.waitForFunction((code) => document.documentElement.lang === code, language);
}

const heading = (): Promise<string> => page.getByRole('heading', { level: 1 }).first().innerText();

test('a language of the folder is in the menu with how complete it is; what it lacks is English, and it stays chosen [I4]', async () => {
  await choose('de');
  expect(await chosenOf(languageMenu())).toBe('Deutsch (0 %)');
  await page.goto(`${place.world.url}/management/devices`);
  expect(await heading()).toContain('Geräte');
  await page.getByRole('button', { name: 'Add device' }).first().waitFor();
  expect(place.watched.faults()).toEqual([]);
});

test('a file of a language that ships changes the words that it has, for everybody [I4]', async () => {
  await choose('nb');
  await page.goto(`${place.world.url}/management/devices`);
  expect(await heading()).toContain('Rutere');
  await page.getByRole('button', { name: 'Legg til enhet' }).first().waitFor();
});

/** Buttons whose words do not fit into them. */
function clippedButtons(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, [role="button"], [role="tab"]')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && button.clientWidth > 0)
      .filter((button) => button.scrollWidth > button.clientWidth + 1)
      .map((button) => `${location.pathname} ${innerWidth}: ${button.innerText || button.ariaLabel}`),
  );
}

const PAGES = ['/management/devices', '/companies', '/users', '/users/roles', '/notifications', '/account/settings', '/branding'];

test.each([1280, 360])('words that are two fifths longer fit into their buttons, %i px wide [I5]', async (width) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await choose(PSEUDO);
  await page.setViewportSize({ width, height: 900 });
  const clipped: string[] = [];
  for (const path of PAGES) {
    await page.goto(place.world.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    clipped.push(...(await clippedButtons()));
  }
  await page.goto(`${place.world.url}/management/devices`);
  await page
    .getByRole('button', { name: pseudoText('Add device') })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('combobox').first().waitFor();
  clipped.push(...(await clippedButtons()));
  expect(clipped).toEqual([]);
  expect(place.watched.faults()).toEqual([]);
});

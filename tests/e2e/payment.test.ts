import type { Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeTree } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, menuEntry, type Browser } from './browser.ts';
import { makeConsoleWorld, openAs } from './console-world.ts';
import { textsOf, type Texts } from './texts.ts';

const LANGUAGES = [{ locale: 'en-GB', language: 'en' }] as const;
const SHOP = 'https://shop.example/packs';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await makeConsoleWorld();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

async function openAccountMenu(page: Page, t: Texts): Promise<void> {
  await page.getByRole('button', { name: t('account.menuOf', { name: '' }).trim() }).click();
  await page.getByRole('menuitem', { name: t('changelog.title') }).waitFor();
}

/** The window that says what is left, from the account menu. */
async function openSummary(page: Page, t: Texts) {
  await page.goto(`${world.url}/management/devices`);
  await openAccountMenu(page, t);
  await page.getByRole('menuitem', { name: t('shell.resourceSummary') }).click();
  const summary = page.getByRole('dialog', { name: t('shell.resourceSummary') });
  await summary.getByText('7', { exact: true }).waitFor();
  return summary;
}

test.concurrent.for(LANGUAGES)(
  'a theme without data and resources hides them everywhere in the console ($locale) [IN1]',
  async (words, { expect }) => {
    const t = textsOf(words.language);
    const { top, middle } = await makeTree(world);
    await using owner = await openAs(browser, world, await as(world, 'admin', { company: top }), words.locale);
    await using below = await openAs(browser, world, await as(world, 'admin', { company: middle }), words.locale);
    const resources = below.page.getByRole('link', { name: menuEntry(t('resources.credits.title')) });
    // A page of the group that the entry is in: the other groups of the menu are folded.
    await below.page.goto(`${world.url}/companies`);
    await resources.waitFor();

    const { page } = owner;
    await page.goto(`${world.url}/branding`);
    const box = page.getByRole('checkbox', { name: t('fields.show_data') });
    await box.uncheck();
    await page.getByRole('button', { name: t('forms.themes.edit.submit'), exact: true }).click();
    await page.getByText(t('forms.themes.edit.done')).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await below.page.reload();
    await below.page.getByRole('link', { name: menuEntry(t('resources.devices.title')) }).waitFor();
    expect(await resources.count(), 'in the menu').toBe(0);
    await openAccountMenu(below.page, t);
    expect(await below.page.getByRole('menuitem', { name: t('shell.resourceSummary') }).count(), 'in the account menu').toBe(0);
    expect(await below.page.getByRole('menuitem', { name: t('actions.credits.activate-code') }).count(), 'codes are activated still').toBe(
      1,
    );
    await below.page.goto(`${world.url}/resources`);
    await below.page.getByText(t('pages.noPermission.title'), { exact: true }).first().waitFor();
    expect(await below.page.evaluate(async () => (await fetch('/api/credits')).status)).toBe(403);
    await below.page.goto(`${world.url}/companies/${middle.id}`);
    await below.page.getByRole('heading', { level: 1, name: middle.name }).waitFor();
    const tabs = below.page.getByRole('navigation').filter({ has: below.page.getByRole('link', { name: t('resources.devices.title') }) });
    expect(await tabs.getByRole('link', { name: t('resources.credits.title'), exact: true }).count(), 'on the page of a company').toBe(0);

    await box.check();
    await page.getByRole('button', { name: t('forms.themes.edit.submit'), exact: true }).click();
    await expect.poll(() => below.page.evaluate(async () => (await fetch('/api/credits')).status)).toBe(200);
    await below.page.goto(`${world.url}/companies`);
    await resources.waitFor();
    expect([owner.faults(), below.faults()]).toEqual([[], []]);
  },
);

test.concurrent.for(LANGUAGES)(
  'a top-level company says which company below is shown where resources are bought ($locale)',
  async (words, { expect }) => {
    const t = textsOf(words.language);
    const { top, middle, bottom } = await makeTree(world);
    const topAdmin = await as(world, 'admin', { company: top });
    const theme = { default: true, show_payment: true, buy_link: SHOP, buy_notice: 'Delivered at once' };
    expect((await topAdmin.put(`/themes/${top.id}`, theme)).status).toBe(200);
    await (await as(world, 'super_admin')).post('/credits', paid(middle.id, 7));
    await using owner = await openAs(browser, world, topAdmin, words.locale);
    await using below = await openAs(browser, world, await as(world, 'admin', { company: middle }), words.locale);

    const before = await openSummary(below.page, t);
    expect(await before.getByRole('link', { name: t('shell.buy') }).getAttribute('href')).toBe(SHOP);
    await before.getByText('Delivered at once').waitFor();
    expect(await findAccessibilityFaults(below.page)).toEqual([]);

    const settingsOf = async (page: Page, name: string, id: number) => {
      await page.goto(`${world.url}/companies/${id}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page
        .getByRole('button', { name: t('table.rowActions', { name }) })
        .or(page.getByRole('button', { name: t('table.moreActions') }))
        .first()
        .click();
      await page.getByRole('menuitem', { name: t('actions.companies.flags'), exact: true }).click();
      const dialog = page.getByRole('dialog', { name: t('forms.companies.flags.title') });
      await dialog.getByRole('checkbox').first().waitFor();
      return { dialog, shown: dialog.getByRole('checkbox', { name: t('fields.company.show_payment') }) };
    };
    const { dialog, shown } = await settingsOf(owner.page, middle.name, middle.id);
    await shown.uncheck();
    expect(await findAccessibilityFaults(owner.page)).toEqual([]);
    await dialog.getByRole('button', { name: t('forms.companies.edit.submit'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });

    const after = await openSummary(below.page, t);
    expect(await after.getByRole('link', { name: t('shell.buy') }).count(), 'its people are not shown where to buy').toBe(0);
    const further = await settingsOf(below.page, bottom.name, bottom.id);
    expect(await further.shown.count(), 'nobody further down decides').toBe(0);
    expect([owner.faults(), below.faults()]).toEqual([[], []]);
  },
);

import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults, menuEntry, openPage } from './browser.ts';
import { PASSWORD, startInstallation, type Installation } from './installation.ts';
import { textsOf, type Texts } from './texts.ts';

let place: Installation;
beforeAll(async () => {
  place = await startInstallation();
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
});

const LANGUAGES = [{ locale: 'nb-NO', language: 'nb' }] as const;
const titleIn = (language: string): string => `Field engineer ${language}`;
const holderIn = (language: string) => ({
  email: `kari-${language}@nordic.example`,
  first_name: 'Kari',
  last_name: `Nordmann ${language}`,
});

async function enter(page: Page, t: Texts, email: string): Promise<void> {
  await page.getByLabel(t('signIn.email')).fill(email);
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('signIn.submit'), exact: true }).click();
}

async function makeRole(page: Page, t: Texts, title: string): Promise<void> {
  await page
    .getByRole('button', { name: t('actions.roles.new') })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: t('forms.roles.new.title') });
  await dialog.getByRole('textbox', { name: t('fields.title') }).fill(title);
  // The own company is chosen already.
  await dialog.getByText('Nordic Fleet').first().waitFor();
  await dialog.getByRole('checkbox', { name: t('permissions.update_devices') }).check();
  expect(await dialog.getByRole('checkbox', { name: t('permissions.view_devices'), exact: true }).isChecked()).toBe(true);
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('forms.roles.new.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test.each(LANGUAGES)(
  'a role is made in a matrix, and what it permits changes at once in a console that is open ($locale) [SE1]',
  async ({ locale, language }) => {
    const t = textsOf(language);
    const [chief, kari, title] = [`chief-${language}@nordic.example`, holderIn(language), titleIn(language)];
    await place.addUser({ email: chief, first_name: 'Ola', last_name: 'Berg' }, 'Administrator');
    await using making = await openPage(place.browser, { locale });
    await using holding = await openPage(place.browser, { locale });
    const { page } = making;
    await page.goto(`${place.url}/users/roles`);
    await enter(page, t, chief);
    await makeRole(page, t, title);
    await place.addUser(kari, title);

    await holding.page.goto(`${place.url}/login`);
    await enter(holding.page, t, kari.email);
    const menu = holding.page.getByRole('navigation').first();
    await menu.getByRole('link', { name: menuEntry(t('resources.devices.title')) }).waitFor();
    const tags = menu.getByRole('link', { name: menuEntry(t('resources.tags.title')) });
    expect(await tags.count()).toBe(0);

    await page.getByRole('link', { name: title }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: `Kari ${kari.last_name}` })
      .waitFor();
    const edit = page.getByRole('button', { name: t('actions.roles.edit'), exact: true });
    await edit.click();
    const dialog = page.getByRole('dialog', { name: t('forms.roles.edit.title') });
    const save = dialog.getByRole('button', { name: t('forms.roles.edit.submit'), exact: true });
    await dialog.getByRole('checkbox', { name: t('permissions.create_tags') }).check();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    // Without a reload, and signed in as before.
    await tags.click();
    await holding.page
      .getByRole('button', { name: t('actions.tags.new') })
      .first()
      .waitFor();

    await edit.click();
    await dialog.getByRole('checkbox', { name: t('permissions.view_tags'), exact: true }).uncheck();
    expect(await dialog.getByRole('checkbox', { name: t('permissions.create_tags') }).isChecked()).toBe(false);
    await save.click();
    await tags.waitFor({ state: 'detached' });
    expect([...holding.faults(), ...making.faults()]).toEqual([]);
  },
);

test('what a person can see is a row’s action away', async () => {
  const { page } = place.system;
  await place.addUser({ email: 'anna@nordic.example', first_name: 'Anna', last_name: 'Moe' }, 'Guest');
  await page.goto(`${place.url}/users`);
  await page.getByRole('row').filter({ hasText: 'Anna Moe' }).getByRole('button', { name: 'Actions: Anna Moe' }).click();
  await page.getByRole('menuitem', { name: 'Effective permissions' }).click();
  await page.getByRole('heading', { name: 'Effective permissions of Anna Moe' }).waitFor();
  await page.getByText('1 company').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
});

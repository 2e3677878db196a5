import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults, openPage } from './browser.ts';
import { call, PASSWORD, startInstallation, type Installation } from './installation.ts';
import { textsOf, type Texts } from './texts.ts';

let place: Installation;
beforeAll(async () => {
  place = await startInstallation();
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
});

async function makeCompany(name: string, parentId: number): Promise<number> {
  const { status, data } = await call(place.system.page, 'POST', '/companies', { name, parent_id: parentId });
  if (status !== 201) throw new Error(`${name} was not made: ${status}`);
  return (data as { id: number }).id;
}

async function enter(page: Page, t: Texts, email: string): Promise<void> {
  await page.getByLabel(t('signIn.email')).fill(email);
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('signIn.submit'), exact: true }).click();
}

test.each([{ locale: 'nb-NO', language: 'nb' }] as const)(
  'a company is renamed, moved by keyboard, removed, restored, and its move undone from the history ($locale)',
  async ({ locale, language }) => {
    const t = textsOf(language);
    const [bergen, oslo, first, name] = [`Bergen ${language}`, `Oslo ${language}`, `Fjord ${language}`, `Fjordline ${language}`];
    const bergenId = await makeCompany(bergen, 1);
    await makeCompany(oslo, 1);
    const id = await makeCompany(first, bergenId);
    for (const tag of ['pier', 'quay']) await call(place.system.page, 'POST', '/tags', { name: tag, company_id: id });
    const email = `anna-${language}@nordic.example`;
    await place.addUser({ email, first_name: 'Anna', last_name: 'Moe' }, 'Administrator');
    await using own = await openPage(place.browser, { locale });
    const { page } = own;

    // Renamed, but not to what it is called already.
    await page.goto(`${place.url}/companies/${id}`);
    await enter(page, t, email);
    await page.getByRole('button', { name: t('actions.companies.edit'), exact: true }).click();
    const rename = page.getByRole('dialog', { name: t('forms.companies.edit.title') });
    const field = rename.getByRole('textbox', { name: t('fields.name') });
    await rename.getByRole('button', { name: t('forms.companies.edit.submit'), exact: true }).click();
    await rename.getByText(t('forms.companies.edit.unchanged')).waitFor();
    expect(await field.inputValue()).toBe(first);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await field.fill(name);
    await rename.getByRole('button', { name: t('forms.companies.edit.submit'), exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    // Its data history is found among its resources; what has no subsidiaries has no tab for them.
    await page.goto(`${place.url}/companies/${id}/data-history`);
    const parts = page.getByRole('navigation', { name: t('companies.tabs.label') });
    await parts.locator('[aria-current=page]', { hasText: t('resources.credits.title') }).waitFor();
    const within = page.getByRole('navigation', { name: t('companies.tabs.parts') });
    await within.locator('[aria-current=page]', { hasText: t('resources.data-history.title') }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/companies/${id}/data-history`);
    expect(await parts.getByRole('link', { name: t('companies.tabs.subsidiaries') }).count()).toBe(0);
    await page.goto(`${place.url}/companies/${bergenId}`);
    await parts.getByRole('link', { name: t('companies.tabs.subsidiaries') }).waitFor();

    // Moved by keyboard alone, from the tree.
    await page.goto(`${place.url}/companies/tree`);
    const lineOf = (company: string) => page.getByRole('treeitem', { name: company });
    await lineOf(bergen).waitFor();
    await page.keyboard.press('Tab');
    while (!(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'treeitem'))) await page.keyboard.press('Tab');
    const goTo = async (company: string): Promise<void> => {
      await page.keyboard.press('Home');
      while (!(await lineOf(company).evaluate((line) => line === document.activeElement))) await page.keyboard.press('ArrowDown');
    };
    await goTo(bergen);
    await page.keyboard.press('ArrowRight');
    await lineOf(name).waitFor();
    await goTo(name);
    await page.keyboard.press('Control+x');
    await page.getByText(t('companies.tree.moving', { name })).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await goTo(oslo);
    await page.keyboard.press('Enter');
    const move = page.getByRole('dialog', { name: t('forms.companies.move.title') });
    await move.getByRole('button', { name: t('forms.companies.move.submit'), exact: true }).press('Enter');
    await move.waitFor({ state: 'detached' });
    await page.getByRole('treeitem', { name: oslo, expanded: true }).waitFor();
    await goTo(name);
    expect(await lineOf(name).getAttribute('aria-level')).toBe('3');

    // Removed: what goes with it is shown, and its name is typed.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('main').getByRole('link', { name: oslo }).waitFor();
    await page
      .getByRole('button', { name: t('table.moreActions'), exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: t('actions.companies.remove'), exact: true }).click();
    const remove = page.getByRole('dialog', { name: t('forms.companies.remove.title') });
    const counted = remove.getByRole('textbox', { name: t('forms.companies.remove.tags') });
    expect(await counted.inputValue()).toBe('2');
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await remove.getByRole('button', { name: t('forms.companies.remove.submit'), exact: true }).click();
    const question = page.getByRole('alertdialog', { name: t('forms.companies.remove.title') });
    const typed = question.getByRole('textbox', { name: t('dialogs.typed_label', { expected: name }) });
    await typed.fill(first);
    await question.getByRole('button', { name: t('forms.companies.remove.submit'), exact: true }).click();
    await question.getByText(t('dialogs.typed_wrong', { expected: name })).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await typed.fill(name);
    await question.getByRole('button', { name: t('forms.companies.remove.submit'), exact: true }).click();
    await page.getByText(t('forms.companies.remove.done')).waitFor();
    expect((await call(page, 'GET', `/companies/${id}`)).status).toBe(404);

    // Restored from those that were removed.
    await page.getByRole('heading', { level: 1, name: t('resources.companies.title') }).waitFor();
    await page.getByRole('button', { name: t('table.moreActions'), exact: true }).click();
    await page.getByRole('menuitem', { name: t('actions.companies.removed'), exact: true }).click();
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: t('table.rowActions', { name }) })
      .click();
    await page.getByRole('menuitem', { name: t('actions.removed-companies.restore') }).click();
    const restore = page.getByRole('dialog', { name: t('forms.companies.restore.title') });
    await restore.getByRole('button', { name: t('forms.companies.restore.submit'), exact: true }).click();
    await page.getByText(t('forms.companies.restore.done')).waitFor();

    // The move has a line in the history, and undone there.
    await page
      .getByRole('link', { name: t('resources.changes.title'), exact: true })
      .first()
      .click();
    const moved = page.getByRole('row').filter({ hasText: t('history.say.companies.move.fromTo', { name, from: bergen, to: oslo }) });
    await moved.getByRole('button').last().click();
    await page.getByRole('menuitem', { name: t('actions.changes.undo') }).click();
    const undo = page.getByRole('dialog', { name: t('forms.history.undo-all.title') });
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await undo.getByRole('button', { name: t('forms.history.undo-all.submit'), exact: true }).click();
    await undo.getByText(t('history.undoneOf_one', { count: '1' })).waitFor();
    await undo.getByText(t('history.close'), { exact: true }).click();
    await moved.getByText(t('history.undone.all')).waitFor();
    await page.goto(`${place.url}/companies/${id}`);
    await page.getByRole('main').getByRole('link', { name: bergen }).waitFor();
    expect(own.faults()).toEqual([]);
  },
);

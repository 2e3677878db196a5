import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessibilityFaults, openPage } from './browser.ts';
import { call, PASSWORD, startInstallation, type Installation } from './installation.ts';
import { textsOf } from './texts.ts';

type T = ReturnType<typeof textsOf>;
let place: Installation;
beforeAll(async () => {
  place = await startInstallation();
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
});

async function enter(page: Page, t: T, email: string): Promise<void> {
  await page.getByLabel(t('signIn.email')).fill(email);
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('signIn.submit'), exact: true }).click();
}

/** A person with the right asks a user from the list of users; the user agrees by the mailed link. */
async function askAndAgree(
  page: Page,
  theirs: Page,
  t: T,
  { helper, kari, name }: Record<'helper' | 'kari' | 'name', string>,
): Promise<void> {
  // Asks, with a reason.
  await page.goto(`${place.url}/users`);
  await enter(page, t, helper);
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: t('table.rowActions', { name }) })
    .click();
  await page.getByRole('menuitem', { name: t('actions.users.ask-impersonation') }).click();
  const ask = page.getByRole('dialog', { name: t('forms.impersonation.ask.title') });
  await ask.getByRole('textbox', { name: t('fields.reason') }).fill('The device list stays empty');
  await ask.getByRole('button', { name: t('forms.impersonation.ask.submit'), exact: true }).click();
  await ask.waitFor({ state: 'detached' });

  // The user opens the link before signing in, and agrees.
  await theirs.goto(await place.linkTo(kari));
  await enter(theirs, t, kari);
  await theirs.getByText('The device list stays empty').waitFor();
  expect(await findAccessibilityFaults(theirs)).toEqual([]);
  await theirs.getByRole('button', { name: t('impersonation.agree'), exact: true }).click();
  await theirs.getByText(t('impersonation.agreed')).waitFor();
  expect(theirs.url()).not.toContain('#');
}

/** Starts impersonating somebody who has agreed. */
async function beginActing(page: Page, t: T, name: string): Promise<void> {
  await page.goto(`${place.url}/users/impersonation`);
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: t('table.rowActions', { name }) })
    .click();
  await page.getByRole('menuitem', { name: t('actions.impersonation.start') }).click();
}

/** When a page shows a heading, by its own clock; the page says so itself, so that a busy test process does not count. */
function momentOf(page: Page, heading: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const look = () => [...document.querySelectorAll('h1')].some((one) => one.textContent === text) && resolve(Date.now());
        new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
      }),
    heading,
  );
}

test.each([{ locale: 'en-GB', language: 'en' }] as const)(
  'somebody impersonates a user who has agreed, until the user withdraws the consent: within a second ($locale) [AC7]',
  async (words) => {
    const t = textsOf(words.language);
    const [helper, kari] = [`helper-${words.language}@nordic.example`, `kari-${words.language}@nordic.example`];
    await place.addUser({ email: helper, first_name: 'Ola', last_name: 'Berg' }, 'Administrator');
    await place.addUser({ email: kari, first_name: 'Kari', last_name: `Nordmann ${words.language}` }, 'End Client');
    const name = `Kari Nordmann ${words.language}`;
    await using acting = await openPage(place.browser, { locale: words.locale });
    await using own = await openPage(place.browser, { locale: words.locale });

    const { page } = acting;
    await askAndAgree(page, own.page, t, { helper, kari, name });

    // Acts: who for whom is in view, and the account is out of reach.
    await beginActing(page, t, name);
    const id = await own.page.evaluate(async () => (await (await fetch('/api/user')).json()).data.id as number);
    await page.getByText(t('impersonation.banner', { name, company: 'Nordic Fleet', id: String(id) })).waitFor();
    await page.getByRole('button', { name: t('account.menuOf', { name }) }).click();
    await page.getByRole('menuitem', { name: t('impersonation.cancel') }).waitFor();
    expect(await page.getByRole('menuitem', { name: t('account.settings') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await findAccessibilityFaults(page)).toEqual([]);

    // The user takes it back: the page of anyone who acts says so by itself, within a second.
    await own.page.getByRole('button', { name: t('account.menuOf', { name }) }).click();
    await own.page.getByRole('menuitem', { name: t('impersonation.status') }).click();
    await own.page.getByRole('button', { name: t('forms.impersonation.revoke.submit'), exact: true }).click();
    const revoke = own.page.getByRole('alertdialog', { name: t('forms.impersonation.revoke.title') });
    const ended = t('impersonation.ended.title', { name });
    const shown = momentOf(page, ended);
    const answered = own.page.waitForResponse((response) => response.url().endsWith('/api/user/revoke-impersonation-access'));
    await revoke.getByRole('button', { name: t('forms.impersonation.revoke.submit'), exact: true }).click();
    const answer = await answered;
    await answer.finished();
    const { startTime, responseEnd } = answer.request().timing();
    expect((await shown) - (startTime + responseEnd)).toBeLessThan(1000);
    await own.page.getByText(t('impersonation.nobody')).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.evaluate(async () => (await fetch('/api/devices')).status)).toBe(401);
    expect(await findAccessibilityFaults(page)).toEqual([]);

    // And goes on as who they are, without signing in.
    await page.getByRole('button', { name: t('impersonation.cancel'), exact: true }).click();
    await page.getByRole('button', { name: t('account.menuOf', { name: 'Ola Berg' }) }).waitFor();
    expect([...acting.faults(), ...own.faults()]).toEqual([]);
  },
);

test.each([{ locale: 'nb-NO', language: 'nb' }] as const)(
  'an impersonator who loses the right sees at once that it is over, and goes on as themselves ($locale) [AC7]',
  async (words) => {
    const t = textsOf(words.language);
    const [helper, kari] = [`guide-${words.language}@nordic.example`, `anna-${words.language}@nordic.example`];
    const name = `Anna Moe ${words.language}`;
    // A role with all that administrators may, whose right to act is then taken away.
    const { page: system } = place.system;
    const roles = (await call(system, 'GET', '/roles')).data as { id: number; title: string }[];
    const ofAdmin = (await call(system, 'GET', `/roles/${roles.find(({ title }) => title === 'Administrator')?.id}`)).data;
    const { permission_id } = ofAdmin as { permission_id: number[] };
    const known = (await call(system, 'GET', '/permissions?name=execute_impersonation')).data as { id: number }[];
    const title = `Guide ${words.language}`;
    const made = await call(system, 'POST', '/roles', { title, company_id: [1], scope: 'tree', permission_id });
    const { id: roleId } = (made.data as { id: number }[])[0] ?? {};
    await place.addUser({ email: helper, first_name: 'Ola', last_name: 'Guide' }, title);
    await place.addUser({ email: kari, first_name: 'Anna', last_name: `Moe ${words.language}` }, 'End Client');
    await using acting = await openPage(place.browser, { locale: words.locale });
    await using own = await openPage(place.browser, { locale: words.locale });
    const { page } = acting;
    await askAndAgree(page, own.page, t, { helper, kari, name });
    await beginActing(page, t, name);
    await page.getByRole('button', { name: t('account.menuOf', { name }) }).waitFor();

    const fewer = permission_id.filter((id) => id !== known[0]?.id);
    expect((await call(system, 'PUT', `/roles/${roleId}`, { title, permission_id: fewer })).status).toBe(200);
    await page.getByRole('heading', { level: 1, name: t('impersonation.ended.title', { name }) }).waitFor();
    expect((await page.request.get(`${place.url}/api/devices`)).status()).toBe(401);
    await page.getByRole('button', { name: t('impersonation.cancel'), exact: true }).click();
    await page.getByRole('button', { name: t('account.menuOf', { name: 'Ola Guide' }) }).waitFor();
    expect([...acting.faults(), ...own.faults()]).toEqual([]);
  },
);

import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { asUser } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { startIdentityProvider, type IdentityProvider } from '../helpers/identity-provider.ts';
import { codeOf, turnTotpOn } from '../helpers/second-factor.ts';
import { freePort } from '../helpers/free-port.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, type Browser } from './browser.ts';
import { makeConsoleWorld } from './console-world.ts';
import { textsOf, type Texts } from './texts.ts';

let provider: IdentityProvider;
let world: World;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider(`${publicUrl}/external`);
  const { issuer, clientId, clientSecret } = provider;
  world = await makeConsoleWorld({
    config: { port, publicUrl, oidc: { issuer, clientId, clientSecret, label: 'Example ID' } },
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});

const LANGUAGES = [{ language: 'nb', locale: 'nb-NO' }] as const;

async function signInByPassword(page: Page, words: Texts, email: string): Promise<void> {
  await page.goto(`${world.url}/login`);
  await page.getByLabel(words('signIn.email')).fill(email);
  await page.getByLabel(words('signIn.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: words('signIn.submit'), exact: true }).click();
}

/** Fills in the form of an access token, which the server does not take without another proof of who sends it. */
async function askForToken(page: Page, words: Texts): Promise<void> {
  await page.goto(`${world.url}/account/access-tokens`);
  await page
    .getByRole('button', { name: words('actions.access-tokens.new') })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: words('forms.access-tokens.new.title') });
  await dialog.getByLabel(words('fields.name')).fill('Nightly export');
  await dialog.getByRole('combobox', { name: words('fields.scopes') }).click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: words('forms.access-tokens.new.submit') }).click();
}

const hasToken = (page: Page): Promise<void> => page.locator('input[readonly]').first().waitFor();

test.each(LANGUAGES)(
  'a code of the authenticator app lets in, and lets the same form pass again ($language) [F6]',
  async ({ language, locale }) => {
    const words = textsOf(language);
    const user = await makeUser(world, { role: 'admin' });
    const { secret } = await turnTotpOn(world, await asUser(world, user));
    await using watched = await openPage(browser, { locale });
    const { page } = watched;
    const prompt = page.getByRole('dialog', { name: words('mfa.title') });
    const answer = async (code: string): Promise<void> => {
      await prompt.getByLabel(words('mfa.code')).fill(code);
      await prompt.getByRole('button', { name: words('dialogs.confirm') }).click();
    };
    await signInByPassword(page, words, user.email);
    await prompt.waitFor();
    await answer('000000');
    await prompt.getByText(words('errors.CONFIRMATION_FAILED')).waitFor();
    await answer(codeOf(world, secret));
    await page.getByRole('navigation').first().waitFor();

    await world.clock.advance(30 * SECOND);
    await askForToken(page, words);
    await prompt.waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await prompt.waitFor({ state: 'detached' });
    expect(await page.getByLabel(words('fields.name')).inputValue(), 'what was entered is untouched').toBe('Nightly export');
    await page.getByRole('button', { name: words('forms.access-tokens.new.submit') }).click();
    await answer(codeOf(world, secret));
    await hasToken(page);
    expect(watched.faults()).toEqual([]);
  },
);

test.each(LANGUAGES)(
  'ten minutes after signing in, the password is asked for and the form goes on ($language) [F6]',
  async ({ language, locale }) => {
    const words = textsOf(language);
    const user = await makeUser(world, { role: 'admin' });
    await using watched = await openPage(browser, { locale });
    const { page } = watched;
    await signInByPassword(page, words, user.email);
    await page.getByRole('navigation').first().waitFor();
    await world.clock.jump(10 * MINUTE);
    await askForToken(page, words);
    const prompt = page.getByRole('dialog', { name: words('password_prompt.title') });
    await prompt.waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await prompt.locator('input[type=password]').fill(PASSWORD);
    await prompt.getByRole('button', { name: words('dialogs.confirm') }).click();
    await hasToken(page);
    expect(watched.faults()).toEqual([]);
  },
);

test.each(LANGUAGES)('an external account signs in, and confirms at its provider ($language)', async ({ language, locale }) => {
  const words = textsOf(language);
  const user = await makeUser(world, { role: 'admin' });
  await using watched = await openPage(browser, { locale });
  const { page } = watched;
  const toProvider = async (): Promise<void> => {
    await page.goto(`${world.url}/login`);
    await page.getByRole('button', { name: words('signIn.external', { provider: 'Example ID' }) }).click();
  };
  provider.expect({ subject: `nobody-${language}`, email: 'nobody@example.org', isVerified: true });
  await toProvider();
  await page.getByRole('heading', { name: words('start.not-invited-external-user.title') }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  provider.expect({ subject: `kari-${language}`, email: user.email, isVerified: true });
  await watched.context.clearCookies();
  await toProvider();
  await page.getByRole('navigation').first().waitFor();

  await world.clock.jump(10 * MINUTE);
  await askForToken(page, words);
  const prompt = page.getByRole('dialog', { name: words('mfa.title') });
  const opened = watched.context.waitForEvent('page');
  await prompt.getByRole('link', { name: words('mfa.provider_link') }).click();
  const other = await opened;
  await other.getByRole('heading', { name: words('signIn.confirmed') }).waitFor();
  expect(await findAccessibilityFaults(other)).toEqual([]);
  const code = await other.getByLabel(words('mfa.code')).inputValue();
  await prompt.getByLabel(words('mfa.code')).fill(code);
  await prompt.getByRole('button', { name: words('dialogs.confirm') }).click();
  await hasToken(page);
  expect(watched.faults()).toEqual([]);
});

import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo, startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { findAccessibilityFaults, openPage } from './browser.ts';
import { PASSWORD, startInstallation, type Installation } from './installation.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');
let mail: MailServer;
let place: Installation;
beforeAll(async () => {
  mail = await startMailServer();
  place = await startInstallation({ SMTP_URL: mail.url });
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function confirm(page: Page, address: string): Promise<void> {
  await page.goto(`${place.url}/confirm-email#${await linkTo(mail, address)}`);
  await page.getByRole('button', { name: t('account.confirmEmail.submit'), exact: true }).click();
  await page.getByText(t('account.confirmEmail.done')).waitFor();
  expect(page.url()).not.toContain('#');
}

test('a person signs out of another browser, and changes their address by the link that goes to the new one [SE1 SE6]', async () => {
  const [old, next] = ['old@nordic.example', 'new@nordic.example'];
  await place.addUser({ email: old, first_name: 'Kari', last_name: 'Nordmann' }, 'End Client');
  await using here = await openPage(place.browser);
  await using there = await openPage(place.browser);
  // An address that an administrator typed counts once its owner has confirmed it.
  await confirm(here.page, old);
  for (const { page } of [there, here]) {
    await page.goto(`${place.url}/account/settings`);
    await page.getByLabel(t('signIn.email')).fill(old);
    await page.getByLabel(t('signIn.password'), { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: t('signIn.submit'), exact: true }).click();
    await page.getByRole('heading', { name: t('account.settings') }).waitFor();
  }

  // The other browser is out by itself.
  const { page } = here;
  await page
    .getByRole('button', { name: /Chrome/ })
    .first()
    .click();
  await page.getByText(t('account.sessions.ended')).first().waitFor();
  await there.page.getByRole('heading', { name: t('signIn.title') }).waitFor();

  await page.getByRole('button', { name: t('account.changeEmail') }).click();
  const dialog = page.getByRole('dialog', { name: t('forms.account.email.title') });
  await dialog.getByRole('textbox').fill(next);
  await dialog.getByRole('button', { name: t('forms.account.email.submit'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByText(old).first().waitFor();
  await confirm(page, next);
  await page.goto(`${place.url}/account/settings`);
  await page.getByText(next).first().waitFor();
  expect([...here.faults(), ...there.faults()]).toEqual([]);
});

import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo, startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { chooseOption, findAccessibilityFaults, menuEntry, openPage } from './browser.ts';
import { call, startInstallation, type Installation } from './installation.ts';
import { textsOf } from './texts.ts';

const PHRASE = 'a long enough phrase';
let mail: MailServer;
let place: Installation;
beforeAll(async () => {
  mail = await startMailServer();
  place = await startInstallation({ SMTP_URL: mail.url });
  const { page } = place.system;
  const made = await call(page, 'POST', '/companies', { name: 'Fjordline', parent_id: 1 });
  const asked = await call(page, 'PUT', '/companies/2/second-factor', { requires_mfa: true });
  if (made.status !== 201 || asked.status !== 200)
    throw new Error(`no company that asks for a second factor: ${made.status}, ${asked.status}`);
});
afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

test.each([{ language: 'nb', languageName: 'Norsk bokmål' }] as const)(
  'an invited person comes in by the mailed link, with a second factor where the company asks for it, and sees what a guest may ($language) [SE6]',
  async ({ language, languageName }) => {
    const email = `guest-${language}@fjordline.example`;
    const { page: inviting } = place.system;
    const en = textsOf('en');
    await inviting.goto(`${place.url}/users/invitations`);
    await inviting
      .getByRole('button', { name: en('actions.invitations.new') })
      .first()
      .click();
    const dialog = inviting.getByRole('dialog', { name: en('forms.users.invite.title') });
    await dialog.getByRole('textbox', { name: en('fields.email') }).fill(email);
    await dialog.getByRole('combobox', { name: en('fields.company_id') }).click();
    await inviting.getByRole('option', { name: /Fjordline/ }).click();
    await dialog.getByRole('button', { name: en('forms.users.invite.submit'), exact: true }).click();
    await inviting.getByText(en('users.invited.mailed', { email })).waitFor();

    // Language, name and password.
    const t = textsOf(language);
    await using invited = await openPage(place.browser);
    const { page } = invited;
    await page.goto(`${place.url}/invitation#${await linkTo(mail, email)}`);
    await page.getByRole('heading', { name: en('users.invitation.title') }).waitFor();
    expect(page.url()).not.toContain('#');
    // The page takes the focus to its first field once it knows who invites.
    await page.getByText(en('users.invitation.into', { company: 'Fjordline', email })).waitFor();
    await chooseOption(page.getByRole('combobox', { name: en('account.language') }), languageName);
    await page.getByText(t('users.invitation.into', { company: 'Fjordline', email })).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByLabel(t('setUp.firstName')).fill('Kari');
    await page.getByLabel(t('setUp.lastName')).fill('Nordmann');
    await page.getByLabel(t('signIn.password'), { exact: true }).fill(PHRASE);
    await page.getByRole('button', { name: t('users.invitation.join'), exact: true }).click();

    // Nothing goes on without the second factor.
    await page.getByRole('heading', { name: t('start.mfa-mandatory.title') }).waitFor();
    expect(await page.evaluate(async () => (await fetch('/api/devices')).status)).toBe(403);
    await page.getByRole('button', { name: t('account.mfa.setUpApp') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('forms.mfa.enrol.submit'), exact: true })
      .click();
    const secret = (await page.getByRole('dialog').locator('code').innerText()).replaceAll(' ', '');
    await page.getByRole('textbox', { name: t('account.mfa.code') }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByRole('button', { name: t('account.mfa.confirm'), exact: true }).click();
    await page.getByText(t('account.mfa.codesText')).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: t('account.token.done'), exact: true }).click();
    await page.getByRole('button', { name: t('start.goOn'), exact: true }).click();

    // The console of a guest: less in the menu, and what is not there is refused at its address and in the API too.
    await page
      .getByRole('link', { name: menuEntry(t('resources.devices.title')) })
      .first()
      .waitFor();
    await page.getByRole('button', { name: t('account.menuOf', { name: 'Kari Nordmann' }) }).waitFor();
    for (const room of ['roles', 'invitations', 'impersonation-logs'])
      expect(await page.getByRole('link', { name: t(`resources.${room}.title`), exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: t('actions.devices.add') }).count()).toBe(0);
    await page.goto(`${place.url}/users/roles`);
    await page.getByText(t('pages.noPermission.title'), { exact: true }).first().waitFor();
    expect((await call(page, 'POST', '/tags', { name: 'mine', company_id: 2 })).status).toBe(403);
    expect((await call(page, 'GET', '/companies/1')).status).toBe(404);
    expect(invited.faults()).toEqual([]);
  },
);

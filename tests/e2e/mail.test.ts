import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';
import { chooseOption, findAccessibilityFaults, launchBrowser, openPage, type WatchedPage, type Browser } from './browser.ts';
import { textsOf, type Texts } from './texts.ts';

const ADMIN = { email: 'admin@nordic.example', password: 'correct horse battery' };

let server: ServerProcess;
let mail: MailServer;
let browser: Browser;

beforeAll(async () => {
  mail = await startMailServer();
  server = await startServerProcess({ env: { MAIL_SERVERS_PRIVATE: 'yes' } });
  browser = await launchBrowser();
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const body = JSON.stringify({ token, company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...ADMIN });
  const answer = await fetch(`${server.url}/api/set-up`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body,
  });
  if (!answer.ok) throw new Error(`the server was not set up: ${answer.status}`);
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function openAsAdmin(locale: string, words: Texts): Promise<WatchedPage> {
  const watched = await openPage(browser, { locale });
  const { page } = watched;
  await page.goto(`${server.url}/login`);
  await page.getByLabel(words('signIn.email')).fill(ADMIN.email);
  await page.locator('input[type=password]').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').first().waitFor();
  return watched;
}

async function makeCompany(page: Page, name: string): Promise<void> {
  const status = await page.evaluate(
    async (company) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': token, 'x-requested-with': 'XMLHttpRequest' };
      return (await fetch('/api/companies', { method: 'POST', headers, body: JSON.stringify(company) })).status;
    },
    { name, parent_id: 1 },
  );
  expect(status).toBe(201);
}

test.each([{ language: 'nb', locale: 'nb-NO', company: 'Bybanen', invited: 'ola@example.org' }] as const)(
  'a company sends by its own mail server in its own words ($language)',
  async ({ language, locale, company, invited }) => {
    const words = textsOf(language);
    await using admin = await openAsAdmin(locale, words);
    const { page } = admin;
    await makeCompany(page, company);
    const dialog = page.getByRole('dialog').last();
    const choose = async (): Promise<void> => {
      await dialog.getByRole('combobox', { name: words('fields.company_id') }).fill(company);
      await page.getByRole('option', { name: company }).first().click();
    };
    const save = async (key: string): Promise<void> => dialog.getByRole('button', { name: words(key), exact: true }).click();
    const act = async (name: string, action: string): Promise<void> => {
      await page
        .getByRole('button', { name: words('table.rowActions', { name }) })
        .first()
        .click();
      await page.getByRole('menuitem', { name: words(action), exact: true }).click();
    };

    await page.goto(`${server.url}/email-smtp`);
    await page
      .getByRole('button', { name: words('actions.email-configurations.new') })
      .first()
      .click();
    await choose();
    await dialog.getByLabel(words('forms.mail.sender_name')).fill(`${company} Post`);
    await dialog.getByLabel(words('forms.mail.sender')).fill(`post@${company.toLowerCase()}.example`);
    await dialog.getByRole('textbox', { name: words('forms.mail.host') }).fill('127.0.0.1');
    await dialog.getByLabel(words('forms.mail.port')).fill(new URL(mail.url).port);
    await chooseOption(dialog.getByLabel(words('forms.mail.security')), words('values.email_configuration.security.none'));
    await save('forms.mail.new-configuration.submit');
    await dialog.waitFor({ state: 'detached' });

    await act(`${company} Post`, 'actions.email-configurations.test');
    await dialog.getByRole('textbox', { name: words('fields.email') }).fill('test@example.org');
    await save('forms.mail.test.submit');
    await dialog.getByText(words('mail.test.sent')).waitFor();
    await page.keyboard.press('Escape');
    expect(mail.mails.at(-1)).toMatchObject({ from: `post@${company.toLowerCase()}.example`, to: ['test@example.org'] });

    await page.goto(`${server.url}/email-templates?type=invitation&language=${language}`);
    await page.getByRole('row').nth(1).waitFor();
    const companyId = await page.evaluate(async (q) => (await (await fetch(`/api/companies?q=${q}`)).json()).data[0].id, company);
    await page.goto(`${server.url}/email-templates?company_id=${companyId}&type=invitation&language=${language}`);
    await page.getByRole('row').filter({ hasText: company }).getByRole('button').last().click();
    await page.getByRole('menuitem', { name: words('actions.email-templates.edit'), exact: true }).click();
    await dialog.getByRole('textbox', { name: words('fields.text') }).fill('{nobody}');
    await save('forms.mail.edit-template.submit');
    await dialog
      .getByText(words('forms.mail.unknown_place', { name: 'nobody' }))
      .first()
      .waitFor();
    await dialog.getByRole('textbox', { name: words('fields.subject') }).fill(`${company} (${language})`);
    await dialog.getByRole('textbox', { name: words('fields.text') }).fill('{inviter} → {company}: {url}');
    await dialog.getByText(`${company} (${language})`).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await save('forms.mail.edit-template.submit');
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: words('values.email_template.source.own') })
      .waitFor();

    await page.goto(`${server.url}/users`);
    await page
      .getByRole('button', { name: words('actions.users.invite') })
      .first()
      .click();
    await dialog.getByRole('textbox', { name: words('fields.email') }).fill(invited);
    await choose();
    await save('forms.users.invite.submit');
    const arrived = await until('the invitation', () => mail.mails.find(({ to }) => to.includes(invited)));
    expect(arrived.from).toBe(`post@${company.toLowerCase()}.example`);
    expect(arrived.headers).toContain(`Subject: ${company} (${language})`);
    const link = /^Ingrid Lund → (\S+): (http\S+)/m.exec(arrived.text);
    expect(link?.[1]).toBe(company);

    await using guest = await openPage(browser, { locale });
    await guest.page.goto(link?.[2] ?? '');
    await guest.page.getByText(company).first().waitFor();
    expect([...admin.faults(), ...guest.faults()]).toEqual([]);
  },
);

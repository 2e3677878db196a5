import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../server/kernel/clock.ts';
import { API_DOCUMENT } from '../helpers/api-document.ts';
import { asUser } from '../helpers/as.ts';
import { makeUser, PASSWORD } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { openPage, type WatchedPage, type Browser } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

const DOCS = 'https://docs.example.org/canopy';

let mail: MailServer;
let place: OpenConsole;
let world: World;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  mail = await startMailServer();
  place = await openConsole({ config: { smtpUrl: mail.url, docsUrl: DOCS } });
  ({ world, browser, watched, page } = place);
});

afterAll(async () => {
  await place?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const toast = (words: string): Locator => page.getByRole('region', { name: 'Messages' }).getByText(words);
/** The code of the newest of so many mails. */
const codeOfMail = (count: number): Promise<string> =>
  until(`mail ${count}`, () => mail.mails.length === count && /\b\d{6}\b/.exec(mail.mails[count - 1]?.text ?? '')?.[0]);

test('an upload says how far it is, is stopped without losing anything, and goes through when sent again [F9]', async () => {
  await page.goto(`${world.url}/forms/devices/api-description`);
  const padding = 'x'.repeat(3_000_000);
  const file = {
    name: 'api.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ ...JSON.parse(API_DOCUMENT), padding })),
  };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('api.json').waitFor();
  const network = await watched.context.newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const bar = page.getByRole('progressbar', { name: /^Uploading: \d+ %$/ });
  await expect.poll(() => bar.getAttribute('value').then(Number)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel the upload' }).click();
  await bar.waitFor({ state: 'detached' });
  await page.getByText('api.json').waitFor();
  expect(await page.getByRole('alert').count(), 'stopping is no error').toBe(0);

  await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await toast('Description uploaded').waitFor();
  await network.detach();
});

test('the help of a form leads to its page of the documentation', async () => {
  await page.goto(`${world.url}/account/access-tokens`);
  const ofList = page.getByRole('main').getByRole('link', { name: 'Help: Access tokens' });
  expect(await ofList.getAttribute('href')).toMatch(new RegExp(`^${DOCS}/`));
  await page.getByRole('button', { name: 'New access token' }).first().click();
  const help = page.getByRole('dialog', { name: 'New access token' }).getByRole('link', { name: /^Help/ });
  expect(await help.getAttribute('href')).toMatch(new RegExp(`^${DOCS}/`));
  expect([await help.getAttribute('target'), await help.getAttribute('rel')]).toEqual(['_blank', expect.stringContaining('noopener')]);
});

test('a code by mail is asked for above the form, sent again when wanted, and goes with the same entries [F6]', async () => {
  const user = await makeUser(world, { role: 'admin' });
  await using own = await openPage(browser);
  const caller = await asUser(world, user);
  await caller.put('/mfa', { method: 'email' });
  await caller.post('/mfa', { code: await codeOfMail(1) });
  const prompt = own.page.getByRole('dialog', { name: 'Enter authentication code' });
  const answer = async (code: string): Promise<void> => {
    await prompt.getByLabel(/^Code/).fill(code);
    await prompt.getByRole('button', { name: 'Confirm' }).click();
  };
  await own.page.goto(`${world.url}/login`);
  await own.page.getByLabel('E-mail').fill(user.email);
  await own.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await own.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await prompt.getByText('A verification code has been sent to your e-mail.').waitFor();
  await answer(await codeOfMail(2));
  await own.page.getByRole('navigation').first().waitFor();

  await own.page.goto(`${world.url}/account/access-tokens`);
  await own.page.getByRole('button', { name: 'New access token' }).first().click();
  const form = own.page.getByRole('dialog', { name: 'New access token' });
  await form.getByLabel('Name').fill('Nightly export');
  await form.getByRole('combobox', { name: 'Permissions' }).click();
  await own.page.getByRole('listbox').getByRole('option').first().click();
  await own.page.keyboard.press('Tab');
  const sent: unknown[] = [];
  own.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/account/access-tokens')) sent.push(request.postDataJSON());
  });
  await form.getByRole('button', { name: 'Create token' }).click();
  const code = await codeOfMail(3);
  await prompt.waitFor();
  expect(await form.getByLabel('Name').inputValue(), 'the form stays behind it').toBe('Nightly export');
  await world.clock.advance(MINUTE);
  await prompt.getByRole('button', { name: 'Send again' }).click();
  await prompt.getByText('A new code is on its way.').waitFor();
  const newCode = await codeOfMail(4);
  await answer(code === '000000' ? '000001' : '000000');
  await prompt.getByText('This code is wrong or has already been used.').waitFor();
  await answer(newCode);
  await own.page.locator('input[readonly]').first().waitFor();
  const proof = { session_id: expect.any(String), session_uuid: expect.any(String) };
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]).toEqual({ ...(sent[0] as object), ...proof, session_code: newCode });
  expect([...watched.faults(), ...own.faults()]).toEqual([]);
});

import { sql } from 'kysely';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asUser } from '../helpers/as.ts';
import { makeCompany, makeUser, PASSWORD } from '../helpers/factories.ts';
import { startMailServer, type MailServer } from '../helpers/mail-server.ts';
import { until } from '../helpers/until.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, type WatchedPage, type Browser } from './browser.ts';
import { makeConsoleWorld } from './console-world.ts';
import { textsOf, type Texts } from './texts.ts';

const TERMS = { version: '2023-01-18', text: 'Be kind to each other.' };
const LANGUAGES = [{ language: 'nb', locale: 'nb-NO' }] as const;

let mail: MailServer;
let world: World;
let browser: Browser;

beforeAll(async () => {
  mail = await startMailServer();
  world = await makeConsoleWorld({
    config: { smtpUrl: mail.url, terms: TERMS },
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function signIn(page: Page, words: Texts, email: string): Promise<void> {
  await page.goto(`${world.url}/login`);
  await page.getByLabel(words('signIn.email')).fill(email);
  await page.getByLabel(words('signIn.password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: words('signIn.submit'), exact: true }).click();
}

const isIn = (page: Page): Promise<void> => page.getByRole('navigation').first().waitFor();

async function expectCalm(watched: WatchedPage): Promise<void> {
  expect(await findAccessibilityFaults(watched.page)).toEqual([]);
  expect(watched.faults()).toEqual([]);
}

const accepted = { accepted_terms: TERMS.version };

test.each(LANGUAGES)('an address that is not confirmed: the mailed link leads on ($language)', async ({ language, locale }) => {
  const words = textsOf(language);
  const user = await makeUser(world, { email_unverified: 1, ...accepted });
  await using watched = await openPage(browser, { locale });
  const { page } = watched;
  await signIn(page, words, user.email);
  await page.getByRole('heading', { name: words('start.email-not-verified.title') }).waitFor();
  await expectCalm(watched);
  await page.getByRole('button', { name: words('account.resend.submit') }).click();
  const arrived = await until('the link', () => mail.mails.find(({ to }) => to.includes(user.email)));
  await page.goto(/http\S+/.exec(arrived.text)?.[0] ?? '');
  await page.getByRole('button', { name: words('account.confirmEmail.submit') }).click();
  await until('the address to be confirmed', async () => {
    const row = await world.ctx.db.selectFrom('users').select('email_unverified').where('id', '=', user.id).executeTakeFirstOrThrow();
    return row.email_unverified === 0;
  });
  await page.goto(`${world.url}/`);
  await isIn(page);
});

test.each(LANGUAGES)(
  'a second factor that the company asks for is set up before anything else ($language)',
  async ({ language, locale }) => {
    const words = textsOf(language);
    const company = await makeCompany(world);
    await world.ctx.db.updateTable('companies').set({ requires_mfa: 1 }).where('id', '=', company.id).execute();
    const user = await makeUser(world, { company, ...accepted });
    await using watched = await openPage(browser, { locale });
    await signIn(watched.page, words, user.email);
    await watched.page.getByRole('heading', { name: words('start.mfa-mandatory.title') }).waitFor();
    await expectCalm(watched);
  },
);

test.each(LANGUAGES)('terms are in a window until they are accepted ($language)', async ({ language, locale }) => {
  const words = textsOf(language);
  const user = await makeUser(world);
  await using watched = await openPage(browser, { locale });
  const { page } = watched;
  await signIn(page, words, user.email);
  await page.getByText(TERMS.text).waitFor();
  await expectCalm(watched);
  await page.getByRole('button', { name: words('account.terms.accept') }).click();
  await isIn(page);
});

test('user, settings and rows of the first list are each read once', async () => {
  const user = await makeUser(world, accepted);
  await using watched = await openPage(browser);
  const { page } = watched;
  await signIn(page, textsOf('en'), user.email);
  await isIn(page);
  await page.waitForLoadState('networkidle');
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) reads.push(`${pathname}${search}`);
  });
  await page.goto(`${world.url}/users`);
  await page
    .getByRole('link', { name: user.email })
    .or(page.getByRole('row', { name: user.email }))
    .first()
    .waitFor();
  const first = reads.filter((read) => /^\/api\/(?:user|storage|users)(?:\?|$)/.test(read));
  // A read that the page names and the console then sends in other words would be there twice.
  expect(first.filter((read) => !read.startsWith('/api/users?')).toSorted()).toEqual(['/api/storage?limit=100', '/api/user']);
  // Once the live channel is open the list is read again, because something may have happened before.
  expect(first.filter((read) => read.includes('limit=50')).length).toBeLessThanOrEqual(2);
});

test('under a theme of a company the terms are accepted without being shown', async () => {
  const words = textsOf('en');
  const company = await makeCompany(world);
  const admin = await asUser(world, await makeUser(world, { company, ...accepted }));
  expect((await admin.put(`/themes/${company.id}`, { app_name: 'Fjordline Fleet' })).status).toBe(200);
  const user = await makeUser(world, { company });
  await using watched = await openPage(browser);
  await signIn(watched.page, words, user.email);
  await isIn(watched.page);
  const row = await world.ctx.db.selectFrom('users').select('accepted_terms').where('id', '=', user.id).executeTakeFirstOrThrow();
  expect(row.accepted_terms).toBe(TERMS.version);
});

test.each(LANGUAGES)(
  'a server that cannot say who one is: maintenance, and on as soon as it can ($language)',
  async ({ language, locale }) => {
    const words = textsOf(language);
    const user = await makeUser(world, accepted);
    await using watched = await openPage(browser, { locale });
    const { page } = watched;
    await signIn(page, words, user.email);
    await isIn(page);
    await sql`alter table roles rename to lost_roles`.execute(world.ctx.db);
    try {
      await page.goto(`${world.url}/`);
      await page.getByRole('heading', { name: words('start.maintenance.title') }).waitFor();
      await expectCalm(watched);
    } finally {
      await sql`alter table lost_roles rename to roles`.execute(world.ctx.db);
    }
    await page.getByRole('button', { name: words('common.tryAgain') }).click();
    await isIn(page);
  },
);

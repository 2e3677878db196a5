import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCompany, makeTag, makeUser, PASSWORD } from '../helpers/factories.ts';
import type { World } from '../helpers/world.ts';
import { findAccessibilityFaults, launchBrowser, openPage, signIn, type Browser } from './browser.ts';
import { makeConsoleWorld } from './console-world.ts';

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

const SECRET = 'quay-of-the-first';

test('who signs in after somebody else in the same browser never sees anything of theirs, nor does who goes back [OP3]', async () => {
  const [one, two] = [await makeCompany(world), await makeCompany(world)];
  await makeTag(world, { company: one, name: SECRET });
  await makeTag(world, { company: two, name: 'quay-of-the-second' });
  const [first, second] = [await makeUser(world, { company: one }), await makeUser(world, { company: two })];
  await using watched = await openPage(browser);
  const { page } = watched;
  await signIn(page, world.url, { email: first.email, password: PASSWORD });
  await page.goto(`${world.url}/tags`);
  await page.getByText(SECRET).first().waitFor();

  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // From here on every text that comes onto a page is looked at, also one that stands for a moment only.
  const leaks: string[] = [];
  await page.exposeFunction('reportLeak', (text: string) => void leaks.push(text));
  await watched.context.addInitScript((secret) => {
    const look = (): void => {
      if (document.documentElement?.textContent?.includes(secret))
        (window as unknown as { reportLeak(text: string): void }).reportLeak(location.href);
    };
    new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
  }, SECRET);
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText(SECRET).count()).toBe(0);

  await signIn(page, world.url, { email: second.email, password: PASSWORD });
  await page.goto(`${world.url}/tags`);
  await page.getByText('quay-of-the-second').first().waitFor();
  await page.goBack();
  await page.goForward();
  await page.getByText('quay-of-the-second').first().waitFor();
  expect(await page.getByText(SECRET).count()).toBe(0);
  expect(leaks).toEqual([]);
});

test('the address /logout signs out at a press, never by itself [SE1]', async () => {
  const { email } = await makeUser(world, { company: await makeCompany(world) });
  await using watched = await openPage(browser);
  const { page } = watched;
  await signIn(page, world.url, { email, password: PASSWORD });
  await page.goto(`${world.url}/logout`);
  await page.getByRole('heading', { level: 1, name: 'Sign out' }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  const status = async () => (await page.request.get(`${world.url}/api/user`)).status();
  expect(await status()).toBe(200);
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await status()).toBe(401);
});

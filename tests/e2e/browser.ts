import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page } from 'playwright';
import { findBrowser } from '../../scripts/find-browser.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Starts the system's Chromium, with more flags than the usual ones when a test needs them. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; set CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** A page that remembers what must not happen: content-policy violations, script errors, messages on the console. */
export interface WatchedPage extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Content-policy violations and uncaught errors so far. */
  faults(): string[];
}

/** Opens a browser session of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-GB', timezoneId: 'Europe/Oslo', ...options });
  const faults: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}:${event.lineNumber}`);
    });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /content policy|Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return { page, context, faults: () => faults, [Symbol.asyncDispose]: () => context.close() };
}

/** What axe finds wrong on the page, or in a part of it, by WCAG 2.2 A and AA, or by some rules alone; one line each. */
export async function findAccessibilityFaults(page: Page, { part, rules }: { part?: string; rules?: string[] } = {}): Promise<string[]> {
  // @NOTE The other mode opens a page of its own for each look, for frames of other origins; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ preload: false, resultTypes: ['violations'] });
  if (part !== undefined) axe.include(part);
  if (rules) axe.withRules(rules);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const { violations } = await axe.analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  );
}

/** Fills in the sign-in page and waits for the first page behind it. */
export async function signIn(page: Page, url: string, account: { email: string; password: string }): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor();
}

/** Opens a list of choices and takes the one with these words. */
export async function chooseOption(box: Locator, words: string): Promise<void> {
  await box.click();
  await box.page().getByRole('option', { name: words, exact: true }).click();
}

/** The words of what a list of choices has chosen, as they are read out with it. */
export function chosenOf(box: Locator): Promise<string | undefined> {
  return box.evaluate((element) => {
    const [first = ''] = (element.getAttribute('aria-describedby') ?? '').split(' ');
    return first.endsWith('-value') ? document.getElementById(first)?.textContent : undefined;
  });
}

/** The name of an entry of the menu: its title, and the number of its records once that is known. */
export function menuEntry(title: string): RegExp {
  return new RegExp(`^${title}( [\\d\\s.,+]+)?$`);
}

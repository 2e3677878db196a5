import axeCore, { type RunOptions } from 'axe-core';
import { chromium, type Browser as Chromium, type BrowserContext, type BrowserContextOptions, type Locator, type Page } from 'playwright';
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
/** What takes longer hangs, also where eight others share the machine. */
const STEP_MS = 90_000;
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** What a file of tests has of a browser: sessions of its own, which end with it. */
export interface Browser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Ends the sessions that were opened here. */
  close(): Promise<void>;
}

async function startChromium(flags: readonly string[]): Promise<Chromium> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; set CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

let started: Promise<Chromium> | undefined;

/** The Chromium of all files of this process; another one once it has gone. */
async function sharedChromium(): Promise<Chromium> {
  const running = await started;
  if (running?.isConnected()) return running;
  started = startChromium([]);
  return started;
}

/** The system's Chromium: one of all files, whose sessions know nothing of each other, or one of its own with more flags than the usual ones. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (flags.length > 0) return startChromium(flags);
  const chromiumOfAll = await sharedChromium();
  const contexts = new Set<BrowserContext>();
  return {
    async newContext(options) {
      const context = await chromiumOfAll.newContext(options);
      contexts.add(context);
      context.once('close', () => contexts.delete(context));
      return context;
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
}

/** A page whose session remembers what must not happen: content-policy violations, script errors, messages on the console. */
export interface WatchedPage extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Content-policy violations and uncaught errors so far. */
  faults(): string[];
}

/** Opens a browser session of its own. Its person asks for less motion: each fade costs as much as what is tested; `dialogs` and others say otherwise. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
    ...options,
  });
  const faults: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}:${event.lineNumber}`);
    });
  });
  context.setDefaultTimeout(STEP_MS);
  context.on('weberror', (fault) => faults.push(`script error: ${fault.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && /content policy|Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  const page = await context.newPage();
  return { page, context, faults: () => faults, [Symbol.asyncDispose]: () => context.close() };
}

declare const axe: typeof axeCore;

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Resolves once what was done last is painted and nothing fades or moves any more, but for what does so for ever. */
async function waitForRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isMoving = (): boolean =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime ?? Number.POSITIVE_INFINITY),
        );
    for (let stillFrames = 0; stillFrames < 2; stillFrames = isMoving() ? 0 : stillFrames + 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

/** What axe finds wrong on the page, or in a part of it, by WCAG 2.2 A and AA, or by some rules alone; one line each. */
export async function findAccessibilityFaults(page: Page, { part, rules }: { part?: string; rules?: string[] } = {}): Promise<string[]> {
  await waitForRest(page);
  for (const frame of page.frames()) if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeCore.source);
  const options: RunOptions = { preload: false, resultTypes: ['violations'], runOnly: rules ?? WCAG };
  return page.evaluate(
    async ([selector, how]) => {
      const { violations } = await axe.run(selector ?? document, how);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary?.split('\n')[1] ?? ''}`),
      );
    },
    [part, options] as const,
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

/** Opens a page of the console by loading it; resolves once it is whole. */
export async function loadPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
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

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import type { DemoAccount } from './demo-data.ts';
import { findBrowser } from './find-browser.ts';

const USAGE = 'node scripts/screenshots.ts --url http://127.0.0.1:8080 --accounts <data folder>/demo-accounts.json [--out docs/images]';

interface Shot {
  name: string;
  path: string;
  dark?: boolean;
  phone?: boolean;
  language?: string;
  prepare?(page: Page): Promise<void>;
}

async function startJob(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page
    .getByRole('region', { name: 'Selected rows' })
    .getByRole('button', { name: /Run command/ })
    .click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('textbox', { name: 'Command' }).fill('uptime');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText(/Will run on/).waitFor();
  await dialog.getByRole('button', { name: /^Run on/ }).click();
  await dialog.getByText('Done', { exact: true }).first().waitFor();
}

const shots: Shot[] = [
  { name: 'devices-light', path: '/management/devices' },
  { name: 'devices-dark', path: '/management/devices', dark: true },
  { name: 'devices-phone', path: '/management/devices', phone: true },
  { name: 'job-light', path: '/management/devices', prepare: startJob },
];

async function take(
  browser: Browser,
  shot: Shot,
  { url, out, account }: { url: string; out: string; account: DemoAccount },
): Promise<void> {
  const context = await browser.newContext({
    viewport: shot.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: shot.dark ? 'dark' : 'light',
    locale: shot.language ?? 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel(/e-mail/i).fill(account.email);
  await page.getByLabel(/^password/i).fill(account.password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
  await page.goto(url + shot.path);
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  await shot.prepare?.(page);
  await page.screenshot({ path: join(out, `${shot.name}.png`), animations: 'disabled' });
  await context.close();
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Takes the pictures of the README from a running demo. */
async function main(): Promise<void> {
  const url = argument('url');
  const accountsFile = argument('accounts');
  const executablePath = findBrowser();
  if (!url || !accountsFile || !executablePath) throw new Error(`Usage: ${USAGE}`);
  const out = argument('out') ?? 'docs/images';
  mkdirSync(out, { recursive: true });
  const account = (JSON.parse(readFileSync(accountsFile, 'utf8')) as DemoAccount[]).find((one) => one.role === 'admin');
  if (!account) throw new Error(`${accountsFile} names no admin`);
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  for (const shot of shots) {
    await take(browser, shot, { url, out, account });
    console.log(join(out, `${shot.name}.png`));
  }
  await browser.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

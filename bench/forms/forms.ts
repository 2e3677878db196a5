import { chromium, type Browser } from 'playwright';
import { findBrowser } from '../../scripts/find-browser.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { SIZES, TYPED } from './big-form.ts';
import { PAGES, serveFormPages, type PageName } from './form-pages.ts';

const MOUNTS = 7;
const KEYS = 100;
const MOST_OF_MOUNT_BY_HAND = 0.6;
const NAMES: Record<PageName, string> = { ours: 'ours', stock: 'stock @rjsf/antd', antd: 'antd by hand' };

// A key is painted with the next frame; how long the screen lets that wait is not what is measured.
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-frame-rate-limit', '--disable-gpu-vsync', '--no-first-run'];

interface BenchPage {
  bench: { keys: number[]; mount: () => Promise<number> };
}

interface Sample {
  mount: number;
  keys: number[];
}

async function measureOnce(browser: Browser, url: string, keyCount: number): Promise<Sample> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'bench' in globalThis);
  const mount = await page.evaluate(() => (globalThis as unknown as BenchPage).bench.mount());
  if (keyCount > 0) {
    await page.locator(`input[id$="${TYPED}"]`).focus();
    await page.waitForTimeout(500);
    for (let key = 0; key < keyCount; key += 1) {
      await page.keyboard.press(key % 20 === 19 ? 'Backspace' : 'a');
      await page.waitForTimeout(20);
    }
  }
  const keys = await page.evaluate(() => (globalThis as unknown as BenchPage).bench.keys);
  await context.close();
  return { mount, keys };
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}

async function run(report: (line: Line) => void): Promise<void> {
  await using server = await serveFormPages();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; set CHROMIUM_PATH.');
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    for (const size of SIZES) {
      const samples: Record<PageName, Sample[]> = { ours: [], stock: [], antd: [] };
      // In turns, so that whatever else the machine does falls on all alike.
      for (let index = 0; index < MOUNTS; index += 1) {
        for (const page of PAGES)
          samples[page].push(await measureOnce(browser, `${server.url(page)}?size=${size}`, index === 0 ? KEYS : 0));
      }
      const mounts = (page: PageName): number => median(samples[page].map(({ mount }) => mount));
      const keys = (page: PageName, part: number): number =>
        percentile(
          samples[page].flatMap((sample) => sample.keys),
          part,
        );
      const beside = (value: (page: PageName) => number, show: (page: PageName) => string): string =>
        PAGES.filter((page) => page !== 'ours')
          .map((page) => `${NAMES[page]} ${show(page)}, ${(value(page) / value('ours')).toFixed(1)} times ours`)
          .join('; ');
      const showKeys = (page: PageName): string => `${ms(keys(page, 0.5))} median, ${ms(keys(page, 0.95))} p95`;
      report({
        what: `${size} fields: from a key to its paint`,
        on: `${KEYS} keys in headless Chromium without a frame limit`,
        ours: showKeys('ours'),
        goal: `p95 ≤ antd by hand (${(keys('ours', 0.95) / keys('antd', 0.95)).toFixed(2)} of it)`,
        bare: beside((page) => keys(page, 0.5), showKeys),
      });
      report({
        what: `${size} fields: first mount, painted`,
        on: `median of ${MOUNTS} fresh pages`,
        ours: ms(mounts('ours')),
        goal: `≤ ${MOST_OF_MOUNT_BY_HAND} of antd by hand (${(mounts('ours') / mounts('antd')).toFixed(2)} of it)`,
        bare: beside(mounts, (page) => ms(mounts(page))),
      });
    }
  } finally {
    await browser.close();
  }
}

export const benchmark: Benchmark = { name: 'forms', title: 'Forms of 20, 100 and 300 fields', run };

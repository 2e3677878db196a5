import type { Page } from 'playwright';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { makeConsoleWorld } from './console-world.ts';

const RUNS = 9;
const DEVICES = 200;

/** Milliseconds from a click on `press` until what `isThere` looks for has been painted; both are selectors. */
async function timeClick(page: Page, press: string, isThere: string): Promise<number> {
  return page.evaluate(
    ([button, wanted]) =>
      new Promise<number>((resolve, reject) => {
        const target = document.querySelector<HTMLElement>(button ?? '');
        if (!target) return reject(new Error(`Nothing to press: ${button}`));
        const start = performance.now();
        const observer = new MutationObserver(() => {
          if (!document.querySelector(wanted ?? '')) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
        target.click();
      }),
    [press, isThere],
  );
}

async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  await using _fleet = await startFleet({
    url: world.url,
    code: await world.makeCode(DEVICES),
    devices: DEVICES,
    moods: 'good',
    seed: 'bench',
  });
  const context = await world.coldContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/management/devices`, { waitUntil: 'networkidle' });
  const pages: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const before = await page.locator('tbody tr').first().getAttribute('data-row-id');
    const forward = index % 2 === 0;
    pages.push(
      await timeClick(
        page,
        `button[aria-label="${forward ? 'Next page' : 'Previous page'}"]`,
        `tbody tr:first-child:not([data-row-id="${before}"])`,
      ),
    );
    await page.waitForLoadState('networkidle');
  }
  report({
    what: 'next page of a list, painted',
    on: `${DEVICES} devices, 50 on a page, median of ${RUNS}`,
    ours: ms(median(pages)),
    goal: '≤ 120 ms',
  });

  const dialogs: number[] = [];
  await page.goto(`${world.url}/companies/${world.companyId}`, { waitUntil: 'networkidle' });
  const edit = page.getByRole('button', { name: 'Edit', exact: true }).first();
  for (let index = 0; index < RUNS; index += 1) {
    await edit.evaluate((button) => button.setAttribute('data-bench-press', ''));
    dialogs.push(await timeClick(page, '[data-bench-press]', '[role="dialog"] input'));
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const [first = Number.NaN, ...later] = dialogs;
  report({
    what: 'opening the edit form of a company, its inputs painted',
    on: `median of ${later.length} after the first`,
    ours: `${ms(median(later))} (the first ${ms(first)})`,
    goal: '≤ 150 ms',
  });
  await context.close();
}

export const benchmark: Benchmark = { name: 'work', title: 'The next page, and a form', run };

import type { Page } from 'playwright';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { DAY, MINUTE } from '../../server/kernel/clock.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { fillReadings, YEAR_METRICS } from '../server/fill-readings.ts';
import { median } from '../server/measure.ts';
import { makeConsoleWorld } from './console-world.ts';

const RUNS = 7;

/** Milliseconds from the choice of a period until its charts were painted. */
async function timePeriod(page: Page, days: number): Promise<number> {
  await page.getByRole('combobox', { name: 'Period' }).click();
  const option = page.getByRole('option', { name: `Last ${days} days`, exact: true });
  await option.waitFor();
  return option.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const former = document.querySelectorAll('canvas').length > 0 ? document.querySelector('canvas') : undefined;
        const begun = performance.now();
        const observer = new MutationObserver(() => {
          const drawn = document.querySelector('canvas');
          if (!drawn || drawn === former) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
        });
        observer.observe(document.body, { childList: true, subtree: true, attributes: true });
        (element as HTMLElement).click();
      }),
  );
}

async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  await using _fleet = await startFleet({ url: world.url, code: await world.makeCode(1), devices: 1, moods: 'good', seed: 'bench' });
  {
    await using database = openDatabase({ url: undefined, dataDir: world.dataDir });
    await fillReadings(database.db, [1], { every: MINUTE, raw: 30 * DAY });
  }
  await using context = await world.coldContext();
  const page = await context.newPage();
  const points = (30 * DAY) / MINUTE;
  for (const [days, what] of [
    [30, `${count(points)} readings of each`],
    [365, 'from days'],
  ] as const) {
    const times: number[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      await page.goto(`${world.url}/devices/1/metrics/dynamic?days=7`, { waitUntil: 'networkidle' });
      times.push(await timePeriod(page, days));
    }
    report({
      what: `charts of ${days} days, from the click to the picture`,
      on: `one device, ${YEAR_METRICS.length} numbers, ${what}; median of ${RUNS}`,
      ours: ms(median(times)),
      goal: '≤ 150 ms',
    });
  }
}

export const benchmark: Benchmark = { name: 'charts', title: 'Charts of a device', run };

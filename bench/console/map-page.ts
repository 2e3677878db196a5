import { sql } from 'kysely';
import type { Page } from 'playwright';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { fillFleet } from '../server/fill.ts';
import { fillPlaces } from '../server/fill-places.ts';
import { makeConsoleWorld } from './console-world.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const STEPS = 90;
const STEP_PX = 6;

/** Milliseconds between two frames while the map is dragged by the mouse, and the page's tasks of 50 ms and more. */
async function drag(page: Page): Promise<{ frames: number[]; tasks: number[] }> {
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('The page shows no map.');
  const [x, y] = [box.x + box.width * 0.8, box.y + box.height / 2];
  await page.evaluate(() => {
    const seen = { frames: [] as number[], tasks: [] as number[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    let former = performance.now();
    const look = (now: number): void => {
      seen.frames.push(now - former);
      former = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= STEPS; step += 1) await page.mouse.move(x - step * STEP_PX, y + Math.sin(step / 9) * 40);
  await page.mouse.up();
  await page.waitForTimeout(1000);
  return page.evaluate(() => (globalThis as unknown as { seen: { frames: number[]; tasks: number[] } }).seen);
}

async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  {
    await using database = openDatabase({ url: undefined, dataDir: world.dataDir });
    await fillFleet(database.db, SIZE, Date.now());
    await fillPlaces(database.db);
    await sql`analyze`.execute(database.db);
  }
  await using context = await world.coldContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/management/devices`, { waitUntil: 'networkidle' });
  const begun = performance.now();
  await page.goto(`${world.url}/management/map`, { waitUntil: 'commit' });
  await page
    .getByRole('application')
    .getByRole('button', { name: /\d devices/ })
    .first()
    .waitFor();
  const on = '100,000 devices with a position, in Chromium';
  report({ what: 'map page, from the navigation to the first picture', on, ours: ms(performance.now() - begun), goal: '≤ 1 s' });
  await page.waitForLoadState('networkidle');
  const { frames, tasks } = await drag(page);
  const late = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? 0;
  report({ what: 'moved by the mouse, time between frames (95 %)', on, ours: ms(late), goal: '≤ 17 ms' });
  report({ what: 'longest task meanwhile', on, ours: tasks.length === 0 ? 'under 50 ms' : ms(Math.max(...tasks)), goal: '≤ 50 ms' });
}

export const benchmark: Benchmark = { name: 'map-page', title: 'Map of the fleet in the browser', run };

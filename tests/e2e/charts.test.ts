import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevice, makeTag } from '../helpers/factories.ts';
import { findAccessibilityFaults } from './browser.ts';
import { openConsole, type OpenConsole } from './console-world.ts';

let place: OpenConsole;
let page: Page;
let tag: { id: number };

beforeAll(async () => {
  place = await openConsole({}, async (world, made) => {
    tag = await makeTag(world, { company: made, name: 'quay' });
    for (const status of [1, 1, 0] as const) await makeDevice(world, { company: made, tags: [tag], status });
  });
  ({ page } = place);
});

afterAll(() => place?.[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const wire = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Readings of a day with a gap in the middle, as the route answers them. */
async function answerReadings(): Promise<void> {
  const end = Math.floor(Date.now() / HOUR) * HOUR;
  const hours = [0, 1, 2, 3, 12, 13, 14, 22];
  const points = hours.map((hour) => ({
    created_at: wire(end - (24 - hour) * HOUR),
    minimum: 200 + hour,
    maximum: 260 + hour,
    average: 230 + hour,
    devices_count: 2,
  }));
  const data = { start_date: wire(end - 24 * HOUR), end_date: wire(end), step_seconds: 3600, points };
  await page.route('**/series?*', (route) => route.fulfill({ json: { success: true, data } }));
}

async function saved(button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('readings are read by keys, zoomed, shown as a table and saved as files, light and dark [M2]', async () => {
  await answerReadings();
  await page.goto(`${place.world.url}/tag/${tag.id}`);
  const chart = page.getByRole('figure', { name: 'Temperature' });
  const plot = chart.getByRole('slider', { name: 'Temperature' });
  await plot.locator('canvas').waitFor();

  await plot.focus();
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain('Average 23 °C');
  expect(await chart.getByRole('button', { name: 'Full range' }).count()).toBe(0);
  await page.keyboard.press('+');
  await chart.getByRole('button', { name: 'Full range' }).click();
  await chart.getByRole('button', { name: 'Full range' }).waitFor({ state: 'detached' });
  const box = await plot.locator('canvas').boundingBox();
  if (!box) throw new Error('The chart has no place on the page.');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await chart.getByRole('button', { name: 'Full range' }).waitFor();

  const png = await saved(chart.getByRole('button', { name: 'PNG' }));
  expect([png.name, png.bytes.subarray(1, 4).toString()]).toEqual(['Temperature.png', 'PNG']);
  const csv = await saved(chart.getByRole('button', { name: 'CSV' }));
  expect(csv.name).toBe('Temperature.csv');
  expect(csv.bytes.toString().split('\r\n')).toHaveLength(9);

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  }
  await chart.getByText('Table', { exact: true }).click();
  expect(await chart.getByRole('row').count()).toBe(9);
  expect(await findAccessibilityFaults(page, { part: 'main' })).toEqual([]);
  expect(place.watched.faults()).toEqual([]);
});

test('a bar of states leads to those devices, as the link beside it does [G4]', async () => {
  await page.goto(`${place.world.url}/tag/${tag.id}`);
  const bars = page.getByRole('img', { name: /Online 2/ });
  const box = await bars.locator('canvas').boundingBox();
  if (!box) throw new Error('The chart has no place on the page.');
  await page.mouse.click(box.x + box.width * 0.4, box.y + box.height * 0.16);
  await page.waitForURL(/\/management\/devices\?.*status=online/);
  expect(place.watched.faults()).toEqual([]);
});

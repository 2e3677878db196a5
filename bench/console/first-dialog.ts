import { brotliCompressSync } from 'node:zlib';
import type { Response } from 'playwright';
import { count, type Benchmark, type Line } from '../report.ts';
import { makeConsoleWorld } from './console-world.ts';

async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  const context = await world.coldContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/management/devices`, { waitUntil: 'networkidle' });
  const bodies: Promise<Buffer>[] = [];
  const collect = (response: Response): void => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  };
  page.on('response', collect);
  await page.getByRole('button', { name: 'Add device' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  await page.waitForLoadState('networkidle');
  page.off('response', collect);
  const files = await Promise.all(bodies);
  const bytes = files.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
  const on = 'the form "Add device" over the device list, empty cache';
  report({
    what: 'JavaScript that the first dialog adds, brotli',
    on: `${on}, ${files.length} files`,
    ours: `${count(bytes / 1000)} kB`,
    goal: '≤ 130 kB',
  });
}

export const benchmark: Benchmark = { name: 'first-dialog', title: 'The first dialog', run };

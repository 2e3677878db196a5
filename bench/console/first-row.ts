import { brotliCompressSync } from 'node:zlib';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { firstRowTime, makeConsoleWorld, type ConsoleWorld } from './console-world.ts';

const RUNS = 7;
const DEVICES = 60;
const SLOW_DOWN = 4;

async function measureOnce(world: ConsoleWorld, slowDown: number): Promise<number> {
  const context = await world.coldContext();
  const page = await context.newPage();
  if (slowDown > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const time = await firstRowTime(page, `${world.url}/management/devices`);
  await context.close();
  return time;
}

async function measureScripts(world: ConsoleWorld): Promise<{ bytes: number; files: number }> {
  const context = await world.coldContext();
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  let isDone = false;
  page.on('response', (response) => {
    if (!isDone && response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await firstRowTime(page, `${world.url}/management/devices`);
  isDone = true;
  const files = await Promise.all(bodies);
  await context.close();
  return { bytes: files.reduce((sum, body) => sum + brotliCompressSync(body).length, 0), files: files.length };
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
  await measureOnce(world, 1);
  const cold: number[] = [];
  const slow: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    cold.push(await measureOnce(world, 1));
    slow.push(await measureOnce(world, SLOW_DOWN));
  }
  const { bytes, files } = await measureScripts(world);
  const on = `device list of ${DEVICES} devices, 50 on the page, empty cache, median of ${RUNS} runs in headless Chromium`;
  report({ what: 'JavaScript up to the first row, brotli', on: `${files} files`, ours: `${count(bytes / 1000)} kB`, goal: '≤ 300 kB' });
  report({ what: 'navigation to first row painted', on, ours: ms(median(cold)), goal: '≤ 500 ms' });
  report({ what: `the same with a processor ${SLOW_DOWN} times slower`, on, ours: ms(median(slow)), goal: '≤ 1,600 ms' });
}

export const benchmark: Benchmark = { name: 'first-row', title: 'From navigation to the first row', run };

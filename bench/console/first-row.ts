import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { servePages } from '../pages-server.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { firstRowTime, makeConsoleWorld, takenOverTime, type ConsoleWorld } from './console-world.ts';

const RUNS = 7;
const DEVICES = 60;
const PACES = [
  { what: 'navigation to first row painted', slowDown: 1, goal: '≤ 500 ms' },
  { what: 'the same with a processor 4 times slower', slowDown: 4, goal: '≤ 1,600 ms' },
];

const simpleRow = (id: number) => ({ id, name: `Device ${id}`, model: 'RUT241', firmware: 'RUT2M_R_00.07.06', company_name: 'Bench' });

/** Until the first row is seen, and until the page answers to the hand; milliseconds. */
async function measureOnce(world: ConsoleWorld, url: string, slowDown: number, isOurs: boolean): Promise<{ seen: number; ready: number }> {
  const context = await world.coldContext();
  const page = await context.newPage();
  if (slowDown > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const seen = await firstRowTime(page, url);
  const ready = isOurs ? await takenOverTime(page) : seen;
  await context.close();
  return { seen, ready };
}

async function measureScripts(world: ConsoleWorld, url: string): Promise<{ bytes: number; files: number }> {
  const context = await world.coldContext();
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  let isDone = false;
  page.on('response', (response) => {
    if (!isDone && response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await firstRowTime(page, url);
  // A drawn page shows rows before any script has run; what the console needs for them counts all the same.
  await takenOverTime(page);
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
  await using smallest = await servePages({
    folder: fileURLToPath(new URL('pages', import.meta.url)),
    pages: ['refine-antd'],
    answers: { '/devices.json': { data: Array.from({ length: 50 }, (_, index) => simpleRow(index + 1)), total: DEVICES } },
  });
  const ourList = `${world.url}/management/devices`;
  await measureOnce(world, ourList, 1, true);
  const { bytes, files } = await measureScripts(world, ourList);
  report({ what: 'JavaScript up to the first row, brotli', on: `${files} files`, ours: `${count(bytes / 1000)} kB`, goal: '≤ 300 kB' });
  const on = `device list of ${DEVICES} devices, 50 on the page, empty cache, median of ${RUNS} runs in headless Chromium`;
  for (const { what, slowDown, goal } of PACES) {
    const ours: number[] = [];
    const ready: number[] = [];
    const bare: number[] = [];
    // In turns, so that whatever else the machine does falls on both alike.
    for (let index = 0; index < RUNS; index += 1) {
      const own = await measureOnce(world, ourList, slowDown, true);
      ours.push(own.seen);
      ready.push(own.ready);
      bare.push((await measureOnce(world, smallest.url('refine-antd'), slowDown, false)).seen);
    }
    const times = (median(bare) / median(ours)).toFixed(1);
    report({
      what,
      on,
      ours: ms(median(ours)),
      goal,
      bare: `smallest list page of Refine and antd ${ms(median(bare))}, ${times} times ours`,
    });
    report({ what: '… until it answers to the hand', on, ours: ms(median(ready)), goal: 'none' });
  }
}

export const benchmark: Benchmark = { name: 'first-row', title: 'From navigation to the first row', run };

import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { servePages } from '../pages-server.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { firstRowTime, firstRowTimes, makeConsoleWorld, type ConsoleWorld } from './console-world.ts';

const RUNS = 7;
const DEVICES = 60;
const PACES = [
  { what: 'navigation to a list that is painted and answers a click', slowDown: 1 },
  { what: 'the same with a processor 4 times slower', slowDown: 4 },
];
const MOST_TIMES_BARE = 1.6;

const simpleRow = (id: number) => ({ id, name: `Device ${id}`, model: 'RUT241', firmware: 'RUT2M_R_00.07.06', company_name: 'Bench' });

interface Times {
  painted: number;
  answers: number;
}

async function measureOnce(world: ConsoleWorld, url: string, slowDown: number): Promise<Times> {
  const context = await world.coldContext();
  const page = await context.newPage();
  if (slowDown > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const times = await firstRowTimes(page, url);
  await context.close();
  return times;
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
  await measureOnce(world, ourList, 1);
  const { bytes, files } = await measureScripts(world, ourList);
  report({ what: 'JavaScript up to the first row, brotli', on: `${files} files`, ours: `${count(bytes / 1000)} kB`, goal: '≤ 430 kB' });
  const on = `device list of ${DEVICES} devices, 50 on the page, empty cache, median of ${RUNS} runs in headless Chromium`;
  for (const { what, slowDown } of PACES) {
    const ours: Times[] = [];
    const bare: Times[] = [];
    // In turns, so that whatever else the machine does falls on both alike.
    for (let index = 0; index < RUNS; index += 1) {
      ours.push(await measureOnce(world, ourList, slowDown));
      bare.push(await measureOnce(world, smallest.url('refine-antd'), slowDown));
    }
    const answers = (times: Times[]) => median(times.map((one) => one.answers));
    const painted = (times: Times[]) => median(times.map((one) => one.painted));
    report({
      what,
      on,
      ours: `${ms(answers(ours))} (painted ${ms(painted(ours))}), ${(answers(ours) / answers(bare)).toFixed(1)} times bare`,
      goal: `≤ ${MOST_TIMES_BARE} times bare`,
      bare: `smallest list page of Refine and antd ${ms(answers(bare))} (painted ${ms(painted(bare))})`,
    });
  }
}

export const benchmark: Benchmark = { name: 'first-row', title: 'From navigation to a list that answers', run };

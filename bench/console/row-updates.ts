import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, ms, percent, type Benchmark, type Line } from '../report.ts';
import { firstRowTime, makeConsoleWorld } from './console-world.ts';

const DEVICES = 50;
const PERIOD_SECONDS = 0.5;
const WATCH_MS = 10_000;

/** 50 rows on screen whose devices report twice a second each: how busy is the page? */
async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  await using _fleet = await startFleet({
    url: world.url,
    code: await world.makeCode(DEVICES),
    devices: DEVICES,
    moods: 'good',
    seed: 'bench',
    periodSeconds: PERIOD_SECONDS,
  });
  const context = await world.coldContext();
  const page = await context.newPage();
  let updates = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string' && payload.includes('DeviceChanged')) updates += payload.split('"id":').length - 1;
    });
  });
  await firstRowTime(page, `${world.url}/management/devices?size=50`);
  await page.waitForTimeout(3000);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0;
  };
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    Object.assign(globalThis, { longTasks: tasks });
  });
  updates = 0;
  const before = await taskSeconds();
  await page.waitForTimeout(WATCH_MS);
  const busy = (await taskSeconds()) - before;
  const longTasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
  await context.close();
  const seconds = WATCH_MS / 1000;
  const on = `${DEVICES} rows, ${count(updates / seconds)} changes a second from the server, ${seconds} s`;
  report({ what: "page's main thread busy", on, ours: percent(busy / seconds), goal: '≤ 10 %' });
  report({ what: 'longest task', on, ours: longTasks.length === 0 ? 'under 50 ms' : ms(Math.max(...longTasks)), goal: '≤ 50 ms' });
}

export const benchmark: Benchmark = { name: 'row-updates', title: 'A list whose rows change', run };

import { startFleet } from '../../agent/fleet/fleet.ts';
import { firstRowTime, makeConsoleWorld } from './console-world.ts';

const DEVICES = 50;
const PERIOD_SECONDS = 0.5;
const WATCH_MS = 10_000;

export interface RowUpdates {
  /** Device reports a second that reached the page's rows. */
  updatesPerSecond: number;
  /** Share of the time in which the page's main thread worked, in percent. */
  busyPercent: number;
  /** Milliseconds; 0 when no task took 50 ms or more. */
  longestTask: number;
}

/** 50 rows on screen whose devices report twice a second each: how busy is the page? */
export async function measureRowUpdates(): Promise<RowUpdates> {
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
  return {
    updatesPerSecond: updates / (WATCH_MS / 1000),
    busyPercent: (busy / (WATCH_MS / 1000)) * 100,
    longestTask: Math.max(0, ...longTasks),
  };
}

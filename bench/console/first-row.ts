import { brotliCompressSync } from 'node:zlib';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { firstRowTime, makeConsoleWorld, type ConsoleWorld } from './console-world.ts';

const RUNS = 7;
const DEVICES = 60;
const SLOW_DOWN = 4;

export interface FirstRow {
  /** Milliseconds, one a run. */
  cold: number[];
  slow: number[];
  /** Bytes of JavaScript loaded until the first row, each file compressed by brotli 11. */
  scriptBytes: number;
  scriptFiles: number;
}

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

/** From navigation to the first painted row of the device list, with an empty cache; and what JavaScript that took. */
export async function measureFirstRow(): Promise<FirstRow> {
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
  for (let run = 0; run < RUNS; run += 1) {
    cold.push(await measureOnce(world, 1));
    slow.push(await measureOnce(world, SLOW_DOWN));
  }
  const { bytes, files } = await measureScripts(world);
  return { cold, slow, scriptBytes: bytes, scriptFiles: files };
}

import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { mib, ms, type Benchmark, type Line } from '../report.ts';
import { makeData } from './data.ts';
import { median } from './measure.ts';
import { startAsInstalled, startBare, type Measured } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const RUNS = 5;
const SETTLE_MS = 3000;

/** Resident memory of a process, asked from outside. */
function rssMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

async function measure(start: () => Promise<Measured>): Promise<{ startMs: number; rssMiB: number }> {
  const starts: number[] = [];
  // The first one fills the cache of compiled code, as the first start after an installation does.
  await (await start())[Symbol.asyncDispose]();
  const memory: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await using server = await start();
    starts.push(server.startMs);
    await wait(SETTLE_MS);
    memory.push(rssMiB(server.pid));
  }
  return { startMs: median(starts), rssMiB: median(memory) };
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const ours = await measure(() => startAsInstalled(data.dataDir));
  const bare = await measure(() => startBare(data.dataDir, []));
  const on = `existing database with 100,000 devices, median of ${RUNS} starts`;
  report({ what: 'cold start to ready', on, ours: ms(ours.startMs), goal: '≤ 1,000 ms', bare: ms(bare.startMs) });
  report({ what: 'idle memory', on: `${on}, 3 s after the start`, ours: mib(ours.rssMiB), goal: '≤ 130 MiB', bare: mib(bare.rssMiB) });
}

export const benchmark: Benchmark = { name: 'start-up', title: 'Start and idle memory', run };

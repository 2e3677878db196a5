import { setTimeout as wait } from 'node:timers/promises';
import { mib, ms, type Benchmark, type Line } from '../report.ts';
import { makeData } from './data.ts';
import { median } from './measure.ts';
import { startBare, startServer, type Measured } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const RUNS = 5;
const SETTLE_MS = 3000;

async function measure(start: () => Promise<Measured>): Promise<{ startMs: number; rssMiB: number }> {
  const starts: number[] = [];
  const memory: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await using server = await start();
    starts.push(server.startMs);
    await wait(SETTLE_MS);
    memory.push((await server.read()).rssMiB);
  }
  return { startMs: median(starts), rssMiB: median(memory) };
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const ours = await measure(() => startServer(data.dataDir));
  const bare = await measure(() => startBare(data.dataDir));
  const on = `existing database with 100,000 devices, median of ${RUNS} starts`;
  report({ what: 'cold start to ready', on, ours: ms(ours.startMs), goal: '≤ 1,000 ms', bare: ms(bare.startMs) });
  report({ what: 'idle memory', on: `${on}, 3 s after the start`, ours: mib(ours.rssMiB), goal: '≤ 130 MiB', bare: mib(bare.rssMiB) });
}

export const benchmark: Benchmark = { name: 'start-up', title: 'Start and idle memory', run };

import { get } from 'node:http';
import { mib, ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { median, timeCalls } from './measure.ts';
import { startBare, startServer, type Measured } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const RUNS = 5;

interface Result {
  time: number;
  /** More than before it, at the highest, in MiB: of the first export since the start, and of one run in the middle. */
  first: number;
  memory: number;
  delay: number;
}

/** Reads an answer to its end and keeps nothing of it, so that the time is the server's. Throws when it is not 200. */
function download(url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
}

async function measure(server: Measured, path: string, headers: Record<string, string>): Promise<Result> {
  const runs: Omit<Result, 'first'>[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = await server.reset();
    const begun = performance.now();
    await download(`${server.url}${path}`, headers);
    const time = performance.now() - begun;
    const after = await server.read();
    runs.push({ time, memory: after.peakRssMiB - before.rssMiB, delay: after.delayMaxMs });
  }
  return {
    time: median(runs.map((run) => run.time)),
    memory: median(runs.map((run) => run.memory)),
    // It pays for what the later ones find in place: a thread, its page cache.
    first: runs[0]?.memory ?? Number.NaN,
    delay: median(runs.map((run) => run.delay)),
  };
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const headers = await signIn(data.dataDir, 'super_admin', data.filled.top);
  let ours: Result;
  {
    await using server = await startServer(data.dataDir);
    await timeCalls(20, () => fetch(`${server.url}/api/devices?limit=100`, { headers }));
    ours = await measure(server, '/api/devices/export/csv', headers);
  }
  await using bare = await startBare(data.dataDir);
  await timeCalls(20, () => fetch(`${bare.url}/health`));
  const yardstick = await measure(bare, '/csv', {});
  report({
    what: 'CSV of all devices',
    on: `100,000 devices, all fields, median of ${RUNS} runs`,
    ours: `${ms(ours.time)}, + ${mib(ours.memory)} (the first + ${mib(ours.first)}); event loop held for ${ms(ours.delay)} at most`,
    goal: '≤ 1,200 ms, + 40 MiB at most',
    bare: `${ms(yardstick.time)}, + ${mib(yardstick.memory)} (the first + ${mib(yardstick.first)})`,
  });
}

export const benchmark: Benchmark = { name: 'csv', title: 'CSV export', run };

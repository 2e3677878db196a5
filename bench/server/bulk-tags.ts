import { ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { median, timeCalls } from './measure.ts';
import { startBare, startServer } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const DEVICES = 10_000;
const RUNS = 5;

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const { top, tag } = data.filled;
  const headers = { ...(await signIn(data.dataDir, 'super_admin', top)), 'content-type': 'application/json' };
  const ids = (run: number): number[] => Array.from({ length: DEVICES }, (_, index) => run * DEVICES + index + 1);
  const times: number[] = [];
  const delays: number[] = [];
  {
    await using server = await startServer(data.dataDir);
    for (let run = 0; run < RUNS; run += 1) {
      await server.reset();
      const body = JSON.stringify({ device_id: ids(run), tag_id: [tag] });
      times.push((await timeCalls(1, () => fetch(`${server.url}/api/devices/tags/assign`, { method: 'PUT', headers, body }))).medianMs);
      delays.push((await server.read()).delayMaxMs);
    }
  }
  const bareTimes: number[] = [];
  await using bare = await startBare(data.dataDir);
  for (let run = RUNS; run < 2 * RUNS - 1; run += 1) {
    const body = JSON.stringify({ device_id: ids(run), tag_id: tag });
    const bareHeaders = { 'content-type': 'application/json' };
    bareTimes.push((await timeCalls(1, () => fetch(`${bare.url}/tags`, { method: 'PUT', headers: bareHeaders, body }))).medianMs);
  }
  report({
    what: 'bulk tagging of 10,000 devices, audited',
    on: `10,000 of 100,000 devices, median of ${RUNS} runs, each on other devices`,
    ours: `${ms(median(times))}; event loop held for ${ms(median(delays))} at most`,
    goal: '≤ 400 ms, event loop ≤ 20 ms',
    bare: ms(median(bareTimes)),
  });
}

export const benchmark: Benchmark = { name: 'bulk-tags', title: 'Bulk tagging', run };

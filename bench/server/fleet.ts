import { setTimeout as wait } from 'node:timers/promises';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { call, type Headers } from './call.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer, type Measured } from './processes.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const WATCH_MS = 60_000;
const POLL_MS = 20;
const RUNS = 3;

interface JobTimes {
  firstMs: number;
  allMs: number;
  counts: Record<string, number>;
}

async function timeJob(server: Measured, headers: Headers): Promise<JobTimes> {
  const begun = performance.now();
  const selection = { query: { status: 'online' }, count: DEVICES };
  const { meta } = await call(server, headers, 'POST', '/devices/actions', { action: 'update_metrics_data', selection });
  let firstMs = Number.NaN;
  for (;;) {
    const { data } = await call(server, headers, 'GET', `/jobs/${String(meta['job_id'])}`);
    const counts = data['counts'] as Record<string, number>;
    const begunTargets = (counts['sent'] ?? 0) + (counts['running'] ?? 0) + (counts['ok'] ?? 0);
    if (Number.isNaN(firstMs) && begunTargets > 0) firstMs = performance.now() - begun;
    if (data['state'] === 'finished') return { firstMs, allMs: performance.now() - begun, counts };
    await wait(POLL_MS);
  }
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: 0 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const { data: code } = await call(server, headers, 'POST', '/devices/enrolment-codes', {
    company_id: top,
    uses: DEVICES,
    expires_in_hours: 1,
  });
  await using fleet = await startFleet({ url: server.url, devices: DEVICES, code: String(code['code']), moods: 'good', connectRate: 500 });
  const { online } = fleet.counts();
  const on = `${count(online)} simulated devices connected`;
  await server.reset();
  await wait(WATCH_MS);
  const calm = await server.read();
  report({
    what: 'devices connected, reporting every 60 s',
    on: `${on}, watched for ${count(WATCH_MS / 1000)} s`,
    ours: `${percent(calm.cpu)} of a core, event-loop delay p99 ${ms(calm.delayP99Ms)}, memory ${mib(calm.rssMiB)}`,
    goal: '< 20 % of a core, p99 < 20 ms, ≤ 500 MiB',
  });
  const jobs: JobTimes[] = [];
  for (let run = 0; run < RUNS; run += 1) jobs.push(await timeJob(server, headers));
  report({
    what: 'job over all of them: until the first is sent · until all have answered',
    on: `${on}, median of ${RUNS} runs; last: ${JSON.stringify(jobs.at(-1)?.counts)}`,
    ours: `${ms(median(jobs.map((job) => job.firstMs)))} · ${ms(median(jobs.map((job) => job.allMs)))}`,
    goal: '≤ 500 ms · ≤ 10,000 ms',
  });
}

export const benchmark: Benchmark = { name: 'fleet', title: 'Connected devices and a job over them', run };

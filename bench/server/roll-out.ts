import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { call, type Headers } from './call.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer, type Measured } from './processes.ts';

const PLANNED = { companies: 1000, devices: 100_000 };
const RUNS = 5;
const FETCHING = 1000;
const FILE_MIB = 16;
const POLL_MS = 200;

async function upload(
  server: Measured,
  headers: Headers,
  { companyId, name, type, content }: { companyId: number; name: string; type: string; content: Buffer<ArrayBuffer> },
) {
  const body = new FormData();
  body.set('type', type);
  body.set('company_id', String(companyId));
  body.set('file', new Blob([content]), name);
  const response = await fetch(`${server.url}/api/files`, { method: 'POST', headers, body });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`POST /files: ${response.status} ${JSON.stringify(answer)}`);
  return (answer as { data: { id: number } }).data.id;
}

/** What an update over every device would do, by model and version. */
async function timePlanning(report: (line: Line) => void): Promise<void> {
  using data = await makeData(PLANNED);
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const image = randomBytes(1024);
  const file_id = await upload(server, headers, { companyId: top, name: 'RUTX_R_00.07.15_WEBUI.bin', type: 'firmware', content: image });
  const selection = { query: {}, count: PLANNED.devices };
  const body = { source: 'file', file_id, keep_settings: true, allow_downgrade: true, back_within: 15, selection, dry_run: true };
  const times: number[] = [];
  const delays: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    await server.reset();
    const begun = performance.now();
    await call(server, headers, 'POST', '/devices/updates/firmware', body);
    if (run > 0) {
      times.push(performance.now() - begun);
      delays.push((await server.read()).delayMaxMs);
    }
  }
  report({
    what: 'plan of a roll-out',
    on: `${count(PLANNED.devices)} devices, median of ${RUNS} runs`,
    ours: `${ms(median(times))}; event loop held for ${ms(median(delays))} at most`,
    goal: '≤ 1,000 ms',
  });
}

/** Many devices get one file at the same time. */
async function timeFetching(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: 0 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const wanted = { company_id: top, uses: FETCHING, expires_in_hours: 1 };
  const { data: code } = await call(server, headers, 'POST', '/devices/enrolment-codes', wanted);
  const content = randomBytes(FILE_MIB * 1024 * 1024);
  const file_id = await upload(server, headers, { companyId: top, name: 'image.bin', type: 'device_task_manager_file', content });
  const group = await call(server, headers, 'POST', '/devices/tasks/groups', {
    company_id: top,
    name: 'Fetch',
    tasks: [{ name: 'fetch', type: 'upload_file', timeout: 300, stop_on_failure: true, data: { file_id, target_path: '/tmp/image.bin' } }],
  });
  await using _fleet = await startFleet({
    url: server.url,
    devices: FETCHING,
    code: String(code['code']),
    moods: 'good',
    connectRate: 500,
  });
  const before = await server.reset();
  const begun = performance.now();
  const selection = { query: { status: 'online' }, count: FETCHING };
  const { meta } = await call(server, headers, 'POST', '/devices/tasks/execute', { group_id: group.data['id'], selection });
  for (;;) {
    const { data: job } = await call(server, headers, 'GET', `/jobs/${String(meta['job_id'])}`);
    if (job['state'] === 'finished') {
      const after = await server.read();
      const seconds = (performance.now() - begun) / 1000;
      report({
        what: `${FILE_MIB} MiB to each of ${count(FETCHING)} devices at once`,
        on: `simulated devices on the same machine; ${JSON.stringify(job['counts'])}`,
        ours: `${count(seconds)} s, ${count((FETCHING * FILE_MIB) / seconds)} MiB/s, ${percent(after.cpu)} of a core; memory at most ${mib(after.peakRssMiB)} (before ${mib(before.rssMiB)})`,
        goal: 'memory + ≤ 100 MiB',
      });
      return;
    }
    await wait(POLL_MS);
  }
}

export const benchmark: Benchmark = {
  name: 'roll-out',
  title: 'Roll-outs',
  async run(report) {
    await timePlanning(report);
    await timeFetching(report);
  },
};

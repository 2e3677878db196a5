import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, mib, percent, type Benchmark, type Line } from '../report.ts';
import { call, upload, type Headers } from './call.ts';
import { makeData, signIn } from './data.ts';
import { startServer, type Measured } from './processes.ts';

const FETCHING = 1000;
const FILE_MIB = 16;
const POLL_MS = 200;

/** Why downloads failed, each reason with how often. */
async function reasonsOf(server: Measured, headers: Headers, jobId: string): Promise<string> {
  const { data } = await call(server, headers, 'GET', `/jobs/${jobId}/targets?state=failed,timed-out&limit=100`);
  const messages = (data as unknown as { state: string; message: string | null }[]).map(({ state, message }) => message ?? state);
  return [...Map.groupBy(messages, (message) => message)].map(([message, all]) => `; ${all.length} × ${message}`).join('');
}

/** Many devices get one file at the same time. */
async function timeDownloads(report: (line: Line) => void): Promise<void> {
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
        on: `simulated devices on the same machine; ${JSON.stringify(job['counts'])}${await reasonsOf(server, headers, String(meta['job_id']))}`,
        ours: `${count(seconds)} s, ${count((FETCHING * FILE_MIB) / seconds)} MiB/s, ${percent(after.cpu)} of a core; memory at most ${mib(after.peakRssMiB)} (before ${mib(before.rssMiB)})`,
        goal: 'none fails, memory + ≤ 100 MiB',
      });
      return;
    }
    await wait(POLL_MS);
  }
}

export const benchmark: Benchmark = {
  name: 'downloads',
  title: 'Downloads',
  run: timeDownloads,
};

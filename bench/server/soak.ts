import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { count, mib, type Benchmark, type Line } from '../report.ts';
import { call, type Headers } from './call.ts';
import { openConsole } from './console-socket.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer, type Measured } from './processes.ts';

// Growth needs two looks in the second half.
const MINUTES = Math.max(4, Number(process.env['BENCH_SOAK_MINUTES'] ?? 30));
const DEVICES = 1000;
const CONSOLES = 50;
const MINUTE_MS = 60_000;
const BYTES_PER_MIB = 1024 * 1024;
const BASELINE = new URL('../soak-baseline.json', import.meta.url);

/** What is looked at once a minute. */
interface Sample {
  rssMiB: number;
  /** Open files, sockets and pipes of the process. */
  handles: number;
  walMiB: number;
}

/** Of a whole run; the file of the last release has the same. */
interface Result {
  minutes: number;
  /** Growth of the memory over the second half, by the line that fits best. */
  rssMiBPerHour: number;
  rssMiB: number;
  handles: number;
  walMiB: number;
}

function look(server: Measured, dataDir: string): Promise<Sample> {
  const wal = statSync(join(dataDir, 'canopy.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  const handles = readdirSync(`/proc/${server.pid}/fd`).length;
  return server.read().then(({ rssMiB }) => ({ rssMiB, handles, walMiB: wal / BYTES_PER_MIB }));
}

/** The slope of the line that fits best through values taken at equal distances. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
}

async function useForAMinute(server: Measured, headers: Headers): Promise<void> {
  const until = performance.now() + MINUTE_MS;
  const read = async (path: string): Promise<void> => {
    const response = await fetch(`${server.url}/api${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  const selection = { query: { status: 'online' }, count: DEVICES };
  await call(server, headers, 'POST', '/devices/actions', { action: 'update_metrics_data', selection });
  await read('/devices/export/csv');
  while (performance.now() < until) {
    await read('/devices?limit=50&sort=-updated_at');
    await read('/devices?limit=50&q=sim');
    await read('/history?limit=50');
    await wait(1000);
  }
}

function summarise(samples: readonly Sample[]): Result {
  const half = samples.slice(Math.floor(samples.length / 2));
  return {
    minutes: samples.length,
    rssMiBPerHour: Math.round(slope(half.map(({ rssMiB }) => rssMiB)) * 60),
    rssMiB: Math.round(median(half.map(({ rssMiB }) => rssMiB))),
    handles: Math.max(...half.map(({ handles }) => handles)),
    walMiB: Math.round(Math.max(...half.map(({ walMiB }) => walMiB))),
  };
}

const summary = ({ minutes, rssMiB, rssMiBPerHour, handles, walMiB }: Result): string =>
  `${count(minutes)} minutes: memory ${mib(rssMiB)}, ${rssMiBPerHour >= 0 ? '+ ' : ''}${mib(rssMiBPerHour)} an hour; ${count(handles)} handles, WAL ${mib(walMiB)}`;

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
  await using _fleet = await startFleet({ url: server.url, devices: DEVICES, code: String(code['code']), connectRate: 200 });
  const samples: Sample[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    // A session's access ends after some minutes, and people come and go.
    const visitor = await signIn(data.dataDir, 'super_admin', top);
    const consoles = Array.from({ length: CONSOLES }, () =>
      openConsole(server.url, visitor, [`companies.${top}.devices`], () => undefined),
    );
    await useForAMinute(server, visitor);
    samples.push(await look(server, data.dataDir));
    for (const socket of await Promise.all(consoles)) socket.destroy();
  }
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Result;
  const result = summarise(samples);
  report({
    what: 'expected load for a long time',
    on: `${count(DEVICES)} simulated devices of all moods, ${CONSOLES} consoles, lists every second, a job and an export a minute`,
    ours: `${summary(result)}\n          ${JSON.stringify(result)}`,
    goal: `no growth; the last release: ${summary(baseline)}`,
  });
}

export const benchmark: Benchmark = { name: 'soak', title: 'A long run', run };

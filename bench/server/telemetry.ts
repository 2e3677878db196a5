import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { call } from './call.ts';
import { makeData, signIn } from './data.ts';
import { fillReadings, YEAR_METRICS } from './fill-readings.ts';
import { startServer } from './processes.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const WARM_MS = 70_000;
const WATCH_MS = 60_000;
const YEAR_DEVICES = 20;
const MIB = 1024 * 1024;

/** Every device reports and measures once a minute. */
async function timeReports(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: 0 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir, { TELEMETRY_MB_PER_DAY: '999999' });
  const wanted = { company_id: top, uses: DEVICES, expires_in_hours: 1 };
  const { data: code } = await call(server, headers, 'POST', '/devices/enrolment-codes', wanted);
  await using fleet = await startFleet({
    url: server.url,
    devices: DEVICES,
    code: String(code['code']),
    moods: 'good',
    connectRate: 500,
    periodSeconds: 60,
    measureSeconds: 55,
  });
  const { online } = fleet.counts();
  await wait(WARM_MS);
  await server.reset();
  await wait(WATCH_MS);
  const busy = await server.read();
  report({
    what: 'reports and measurements of all devices, each minute',
    on: `${count(online)} simulated devices connected, watched for ${WATCH_MS / 1000} s`,
    ours: `${percent(busy.cpu)} of a core, event-loop delay p99 ${ms(busy.delayP99Ms)}, at most ${ms(busy.delayMaxMs)}, memory ${mib(busy.rssMiB)}`,
    goal: '< 25 % of a core, no delay over 20 ms',
  });
}

/** What the readings of a device for a year take, with the default retention. */
async function measureSize(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: YEAR_DEVICES });
  await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
  const bytes = async (): Promise<number> => {
    const { rows } = await sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(
      database.db,
    );
    return rows[0]?.bytes ?? 0;
  };
  const before = await bytes();
  const ids = Array.from({ length: YEAR_DEVICES }, (_none, index) => index + 1);
  await fillReadings(database.db, ids);
  const after = await bytes();
  report({
    what: 'database of one device for a year',
    on: `${YEAR_METRICS.length} numbers every 5 minutes: 7 days of readings, 90 days of hours, a year of days`,
    ours: mib((after - before) / YEAR_DEVICES / MIB),
    goal: 'stated',
  });
}

export const benchmark: Benchmark = {
  name: 'telemetry',
  title: 'Telemetry',
  async run(report) {
    await measureSize(report);
    await timeReports(report);
  },
};

import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { loadConfig } from '../../server/config.ts';
import type { Db } from '../../server/db/schema.ts';
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../server/kernel/clock.ts';
import { cleanTables } from '../../server/kernel/db/clean.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { createLog } from '../../server/kernel/log.ts';
import { storeReadings } from '../../server/domain/devices/store-readings.ts';
import { count, mib, ms, type Benchmark, type Line } from '../report.ts';
import { call } from './call.ts';
import { makeData, signIn } from './data.ts';
import { startServer } from './processes.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const OLD_ROWS = 200_000;
const ROWS_PER_INSERT = 500;
const WATCH_MS = MINUTE;
/** For the size of two years: all of it at once would take hours. */
const YEAR = { devices: 10, every: 12 * HOUR, metrics: 5, cleanedDays: 5 };
const MIB = 1024 * 1024;

async function addOldRows(db: Db): Promise<void> {
  const at = Date.now() - 8 * DAY;
  for (let start = 0; start < OLD_ROWS; start += ROWS_PER_INSERT) {
    const rows = Array.from({ length: ROWS_PER_INSERT }, (_none, index) => ({
      device_id: 1,
      metric: 'old',
      at: at - start - index,
      value: 1,
    }));
    await db.insertInto('device_samples').values(rows).execute();
  }
}

async function timeCleaning(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: 1 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
  await addOldRows(database.db);
  await using server = await startServer(data.dataDir, { TELEMETRY_MB_PER_DAY: '999999' });
  const startedAt = performance.now();
  const { data: code } = await call(server, headers, 'POST', '/devices/enrolment-codes', {
    company_id: top,
    uses: DEVICES,
    expires_in_hours: 1,
  });
  const fleet = {
    url: server.url,
    devices: DEVICES,
    code: String(code['code']),
    moods: 'good',
    connectRate: 500,
    periodSeconds: 60,
  } as const;
  await using running = await startFleet(fleet);
  const { online } = running.counts();
  await wait(Math.max(0, MINUTE - 2 * SECOND - (performance.now() - startedAt)));
  await server.reset();
  const oldRows = async (): Promise<number> => {
    const row = await database.reads
      .selectFrom('device_samples')
      .select(sql<number>`count(*)`.as('n'))
      .where('metric', '=', 'old')
      .executeTakeFirst();
    return Number(row?.n);
  };
  const watchedFrom = performance.now();
  let left = await oldRows();
  while (left > 0 && performance.now() - watchedFrom < WATCH_MS + 2 * SECOND) {
    await wait(SECOND);
    left = await oldRows();
  }
  const busy = await server.read();
  report({
    what: `${count(OLD_ROWS)} old rows are deleted`,
    on: `${count(online)} simulated devices that report once a minute`,
    ours: `${count(left)} left ${ms(performance.now() - watchedFrom)} after; event-loop delay p99 ${ms(busy.delayP99Ms)}, at most ${ms(busy.delayMaxMs)}`,
    goal: 'none left after a minute, no delay over 50 ms',
  });
}

/** The bytes in use of a database that has written for this many days, cleaned every few of them. */
async function measureYears(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: YEAR.devices });
  await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
  const config = { ...loadConfig({ DATA_DIR: data.dataDir, TELEMETRY_DAYS_YEARS: '1' }) };
  const bytesInUse = async (): Promise<number> => {
    const { rows } = await sql<{ bytes: number }>`select (page_count - freelist_count) * page_size as bytes
      from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(database.db);
    return rows[0]?.bytes ?? 0;
  };
  const begin = Date.now();
  let now = begin;
  const clock = { ...systemClock(() => undefined), now: () => now };
  const log = createLog(config.logLevel);
  const sizes: number[] = [];
  for (let day = 1; day <= 2 * 365 + 30; day += 1) {
    const readings = Array.from({ length: DAY / YEAR.every }, (_none, part) => now + part * YEAR.every).flatMap((at) =>
      Array.from({ length: YEAR.devices * YEAR.metrics }, (_none, index) => ({
        ...{ device_id: 1 + (index % YEAR.devices), metric: `m${Math.floor(index / YEAR.devices)}`, at, value: index },
      })),
    );
    await database.db.transaction().execute((trx) => storeReadings(trx, readings));
    now = begin + day * DAY;
    if (day % YEAR.cleanedDays === 0) await cleanTables({ db: database.db, reads: database.reads, database, config, clock, log });
    if (day === 365 + 30 || day === 2 * 365 + 30) sizes.push(await bytesInUse());
  }
  const [first = 0, second = 0] = sizes;
  report({
    what: 'database after a simulated year and after two',
    on: `${YEAR.devices} devices, ${YEAR.metrics} numbers every ${YEAR.every / HOUR} hours, days kept for a year; scaled down from 1,000 devices`,
    ours: `${mib(first / MIB)} and ${mib(second / MIB)}`,
    goal: 'equal',
  });
}

export const benchmark: Benchmark = {
  name: 'retention',
  title: 'Retention',
  async run(report) {
    await measureYears(report);
    await timeCleaning(report);
  },
};

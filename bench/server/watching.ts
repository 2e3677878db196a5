import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { startFleet, type Fleet } from '../../agent/fleet/fleet.ts';
import { DAY, HOUR } from '../../server/kernel/clock.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, ms, percent, type Benchmark, type Line } from '../report.ts';
import { call, type Headers } from './call.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer, type Measured } from './processes.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const RULES = 100;
const DAYS = 30;
const RUNS = 3;
const WARM_MS = 70_000;
const WATCH_MS = 60_000;
const STORM_MS = 30_000;
const POLL_MS = 100;
const ASKED = 60;
const LOOK_MS = 10;

const automation = (name: string, expression: object[], more: object = {}) => ({
  ...{ name, applies_to: 'company', cooldown_duration: 0 },
  conditions_body: [{ type: 'if', expression, actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }] }],
  ...more,
});
const weak = { parameter: 'signal', operator: '<', value: '-100' };

/** A month of signal for each device: the average of each hour and the days, with a dip in every tenth day. */
async function fillMonth(dataDir: string): Promise<void> {
  await using database = openDatabase({ url: undefined, dataDir });
  const now = Date.now();
  const today = now - (now % DAY);
  const value = sql`case when (d.id + m.n / 24) % 10 = 0 and m.n % 24 between 8 and 11 then -106 else -80 - (d.id + m.n) % 7 end`;
  const fill = (hours: number) => sql`with recursive m (n) as (select 1 union all select n + 1 from m where n < ${hours})`;
  await sql`${fill(DAYS * 24)} insert into device_hours (device_id, metric, at, readings, lowest, highest, total, last)
    select d.id, 'signal', ${today} - m.n * ${HOUR}, 12, ${value}, ${value}, 12 * ${value}, ${value} from devices as d cross join m`.execute(
    database.db,
  );
  await sql`insert into device_days (device_id, metric, at, readings, lowest, highest, total, last)
    select device_id, metric, at - at % ${DAY}, sum(readings), min(lowest), max(highest), sum(total), max(last) from device_hours group by 1, 2, 3`.execute(
    database.db,
  );
}

/** A rule over a month of every device, and a report of the same. */
async function timeMonth(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: DEVICES });
  const { top } = data.filled;
  await fillMonth(data.dataDir);
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const { data: rule } = await call(
    server,
    headers,
    'POST',
    '/automations',
    automation('Weak', [weak], { company_id: top, enabled: false }),
  );
  const times: number[] = [];
  const delays: number[] = [];
  let found = 0;
  for (let run = 0; run < RUNS; run += 1) {
    await server.reset();
    const begun = performance.now();
    const { data: result } = await call(server, headers, 'POST', '/automations/back-test', { automation_id: rule['id'] });
    times.push(performance.now() - begun);
    delays.push((await server.read()).delayMaxMs);
    found = Number(result['count']);
  }
  report({
    what: 'back-test of a rule',
    on: `${count(DEVICES)} devices, ${DAYS} days by the hour, ${count(found)} times found, median of ${RUNS} runs`,
    ours: `${ms(median(times))}; event loop held for ${ms(median(delays))} at most`,
    goal: '≤ 5,000 ms',
  });
  await timeReport(server, headers, top, report);
}

async function timeReport(server: Measured, headers: Headers, companyId: number, report: (line: Line) => void): Promise<void> {
  const wish = { type: 'single', period: 'month', applied_by: 'company', parameters: ['availability', 'data_usage', 'signal', 'firmware'] };
  const { data: template } = await call(server, headers, 'POST', '/reports', { ...wish, name: 'Month', company_id: companyId });
  await server.reset();
  const begun = performance.now();
  const { meta } = await call(server, headers, 'POST', `/reports/${String(template['id'])}/generate`, {});
  for (;;) {
    const { data: job } = await call(server, headers, 'GET', `/jobs/${String(meta['job_id'])}`);
    if (job['state'] === 'finished') break;
    await wait(POLL_MS);
  }
  report({
    what: 'report',
    on: `${count(DEVICES)} devices, a month`,
    ours: `${ms(performance.now() - begun)}; event loop held for ${ms((await server.read()).delayMaxMs)} at most`,
    goal: '≤ 5,000 ms',
  });
}

/** How long it takes, one device after the other, from a value that a rule waits for to the alert that it raises. */
async function timeActions(server: Measured, headers: Headers, fleet: Fleet): Promise<number[]> {
  const raised = async (): Promise<number> => Number((await call(server, headers, 'GET', '/alerts?limit=1&state=open')).meta['total']);
  const times: number[] = [];
  for (const device of fleet.devices.slice(0, ASKED)) {
    const before = await raised();
    const begun = performance.now();
    device.say({ wanted: 1 });
    while ((await raised()) <= before && performance.now() - begun < WATCH_MS) await wait(LOOK_MS);
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b);
}

/** Every device reports once a minute under a hundred rules; then all of them are gone at once. */
async function timeRules(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 11, devices: 0 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir, { TELEMETRY_MB_PER_DAY: '999999' });
  const { data: code } = await call(server, headers, 'POST', '/devices/enrolment-codes', {
    company_id: top,
    uses: DEVICES,
    expires_in_hours: 1,
  });
  for (let rule = 1; rule < RULES - 1; rule += 1)
    await call(server, headers, 'POST', '/automations', {
      ...automation(`Rule ${rule}`, [
        { parameter: 'signal', operator: '<', value: String(-110 - rule), joins_with: '&&' },
        { parameter: 'temperature', operator: '>', value: '70' },
      ]),
      company_id: top,
    });
  const offline = automation('Offline', [{ parameter: 'status', operator: '==', value: 'offline' }], { company_id: top });
  await call(server, headers, 'POST', '/automations', offline);
  await call(server, headers, 'POST', '/automations', automation('Asked', [{ parameter: 'wanted', operator: '>', value: '0' }], { company_id: top })); // prettier-ignore
  const fleet = await startFleet({
    ...{ url: server.url, devices: DEVICES, code: String(code['code']), moods: 'good', connectRate: 500 },
    ...{ periodSeconds: 60, measureSeconds: 55 },
  });
  const { online } = fleet.counts();
  await wait(WARM_MS);
  await server.reset();
  await wait(WATCH_MS);
  const busy = await server.read();
  report({
    what: 'reports of all devices, each minute, under rules',
    on: `${count(online)} simulated devices, ${RULES} rules on each, watched for ${WATCH_MS / 1000} s`,
    ours: `${percent(busy.cpu)} of a core, event-loop delay p99 ${ms(busy.delayP99Ms)}, at most ${ms(busy.delayMaxMs)} (${ms(busy.heldMaxMs)} without the time that others had the processor)`,
    goal: '< 30 % of a core',
  });
  const times = await timeActions(server, headers, fleet);
  report({
    what: 'from a report to the action of a rule',
    on: `${count(times.length)} reports, one after the other, among those of ${count(online)} devices`,
    ours: `p50 ${ms(times[Math.floor(times.length / 2)] ?? 0)}, p99 ${ms(times.at(-1) ?? 0)}`,
    goal: 'p99 ≤ 1,000 ms',
  });
  await server.reset();
  const begun = performance.now();
  await fleet[Symbol.asyncDispose]();
  let raised = 0;
  let allAt = 0;
  while (performance.now() - begun < STORM_MS || (raised < online + times.length && performance.now() - begun < 4 * STORM_MS)) {
    await wait(1000);
    const { meta } = await call(server, headers, 'GET', '/alerts?limit=1&state=open');
    raised = Number(meta['total']);
    if (raised >= online + times.length && allAt === 0) allAt = performance.now() - begun;
  }
  const storm = await server.read();
  report({
    what: 'storm: all devices offline at once',
    on: `${count(online)} devices, ${count(raised)} alerts raised, all of them after ${ms(allAt)}`,
    ours: `event-loop delay p99 ${ms(storm.delayP99Ms)}, at most ${ms(storm.delayMaxMs)}, without the time that others had the processor ${ms(storm.heldMaxMs)}, work of its own ${ms(storm.busyMaxMs)}`,
    goal: 'no delay over 50 ms',
  });
}

export const benchmark: Benchmark = {
  name: 'watching',
  title: 'Automations, alerts and reports',
  async run(report) {
    await timeMonth(report);
    await timeRules(report);
  },
};

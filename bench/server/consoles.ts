import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { openConsole } from './console-socket.ts';
import { makeData, signIn, type BenchData } from './data.ts';
import { median } from './measure.ts';
import { startMeasured, startServer, type Measured } from './processes.ts';

const CONSOLES = Number(process.env['BENCH_CONSOLES'] ?? 5000);
/** What one console follows. */
const CHANNELS = 10;
/** Customers whose consoles follow nothing of each other's. */
const CUSTOMERS = 20;
const SIZE = { companies: 401, devices: 1000 };
// The server sends one packet per channel and quarter of a second at most: changed less often, none waits for its batch.
const PERIODS_MS = [2480, 1240, 620];
const ROUNDS = 8;
const RUNS = 3;
const DRAIN_MS = 10_000;
const OPEN_AT_ONCE = 50;

/** Begins the name that a change gives; the time it was made follows. */
const MARK = '"name":"t ';

// Connections that rest are closed here, before a server does: a change that meets its closing would be lost.
const agent = new Agent({ keepAlive: true, timeout: 1000 });

/** Sends a change and keeps nothing of the answer: what this process had to sweep would be measured as delay. Throws when it is refused. */
function put(url: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'PUT', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`PUT ${url}: ${answer.statusCode}`));
      answer.resume().once('end', resolve).once('error', reject);
    })
      .once('error', reject)
      .end(body);
  });
}

interface Device {
  id: number;
  company_id: number;
  path: string;
}

/** One device of each of as many companies. */
async function findDevices(dataDir: string, companies: number): Promise<Device[]> {
  await using database = openDatabase({ url: undefined, dataDir });
  // @NOTE Awaited here: the database is closed on the way out.
  return await database.db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(({ fn }) => [fn.min('devices.id').as('id'), 'devices.company_id', 'companies.path'])
    .where('companies.level', '=', 3)
    .groupBy('devices.company_id')
    .limit(companies)
    .execute();
}

/** A server under this load. */
interface Subject {
  server: Measured;
  /** Where its consoles connect. */
  url: string;
  /** What they follow: `CHANNELS` for each customer. */
  channels: readonly string[];
  /** Changes something of that channel; the body says its new name. */
  change(channel: number, body: string): Promise<unknown>;
}

/** How long changes took to arrive at one pace. */
interface Reading {
  perSecond: number;
  p50: number;
  p99: number;
  cpu: number;
  rssMiB: number;
  /** Share of what did not arrive in time. */
  lost: number;
}

/** Opens the consoles, makes one change of each channel in turn at each pace, and says how long the changes took to arrive. */
async function measure(subject: Subject, people: readonly Record<string, string>[]): Promise<Reading[]> {
  const { channels } = subject;
  const expected = ROUNDS * CHANNELS * CONSOLES;
  const delays = { all: new Float64Array(expected), arrived: 0 };
  const onChange = (bytes: Buffer, start: number): void => {
    const mark = bytes.indexOf(MARK, start, 'latin1');
    if (mark === -1) return;
    const at = mark + MARK.length;
    delays.all[delays.arrived] = performance.now() - Number.parseFloat(bytes.toString('latin1', at, at + 16));
    delays.arrived += 1;
  };
  const sockets = [];
  for (let opened = 0; opened < CONSOLES; opened += OPEN_AT_ONCE) {
    const first = ((opened / OPEN_AT_ONCE) * CHANNELS) % channels.length;
    const followed = channels.slice(first, first + CHANNELS);
    const batch = Array.from({ length: Math.min(OPEN_AT_ONCE, CONSOLES - opened) }, () =>
      openConsole(subject.url, people[(opened / OPEN_AT_ONCE) % people.length] ?? {}, followed, onChange),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  const readings: Reading[] = [];
  for (const period of PERIODS_MS) {
    delays.arrived = 0;
    await subject.server.reset();
    const begun = performance.now();
    const changes: Promise<unknown>[] = [];
    for (let step = 0; step < ROUNDS * channels.length; step += 1) {
      const change = subject.change(step % channels.length, JSON.stringify({ name: `t ${performance.now()}` }));
      // A refusal is reported once all are sent.
      change.catch(() => undefined);
      changes.push(change);
      await wait(Math.max(0, begun + ((step + 1) * period) / channels.length - performance.now()));
    }
    const seconds = (performance.now() - begun) / 1000;
    const { cpu, rssMiB } = await subject.server.read();
    await Promise.all(changes);
    for (const until = performance.now() + DRAIN_MS; delays.arrived < expected && performance.now() < until;) await wait(period);
    const { arrived } = delays;
    const sorted = delays.all.slice(0, arrived).toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(arrived * share)] ?? Number.NaN;
    readings.push({ perSecond: expected / seconds, p50: at(0.5), p99: at(0.99), cpu, rssMiB, lost: 1 - arrived / expected });
  }
  for (const socket of sockets) socket.destroy();
  return readings;
}

/** The median of several runs at each pace. */
function describe(runs: readonly Reading[][]): string {
  const lines = PERIODS_MS.map((_, pace) => {
    const middle = (field: keyof Reading): number => median(runs.flatMap((run) => run[pace]?.[field] ?? []));
    const late = middle('lost') > 0 ? `, ${percent(middle('lost'))} not in time` : '';
    const delay = `p50 ${ms(middle('p50'))}, p99 ${ms(middle('p99'))}`;
    return `${count(middle('perSecond'))}/s: ${delay}, ${percent(middle('cpu'))} of a core, ${mib(middle('rssMiB'))}${late}`;
  });
  return lines.join('\n        ');
}

/** Measures both in turn, so that a slow minute of the machine meets both. */
async function compare(ours: () => Promise<Reading[]>, bare: () => Promise<Reading[]>): Promise<{ ours: string; bare: string }> {
  const runs: { ours: Reading[]; bare: Reading[] }[] = [];
  while (runs.length < RUNS) runs.push({ ours: await ours(), bare: await bare() });
  return { ours: describe(runs.map((run) => run.ours)), bare: describe(runs.map((run) => run.bare)) };
}

async function measureBare(customers: number): Promise<Reading[]> {
  await using server = await startMeasured('bench/server/bare-live.ts', {});
  const channels = Array.from({ length: customers * CHANNELS }, (_, index) => `channel-${index}`);
  const change = (channel: number, body: string) => put(`${server.url}/${channels[channel]}`, body);
  return await measure({ server, url: server.url, channels, change }, [{}]);
}

/** What so many customers follow, and people who look at it. */
async function makeCustomers(data: BenchData, customers: number) {
  const people = [];
  while (people.length < CONSOLES / OPEN_AT_ONCE) people.push(await signIn(data.dataDir, 'super_admin', data.filled.top));
  const devices = await findDevices(data.dataDir, customers * CHANNELS);
  return { people, devices, channels: devices.map((device) => `companies.${device.company_id}.devices`) };
}

/** The live channel by itself: what is published was not written before. */
async function measureChannel(): Promise<Reading[]> {
  using data = await makeData(SIZE);
  const { people, devices, channels } = await makeCustomers(data, CUSTOMERS);
  await using server = await startMeasured('bench/server/live-source.ts', { DATA_DIR: data.dataDir, PORT: '0', MQTT_PORT: '0' });
  const url = await (await fetch(server.url)).text();
  const change = (channel: number, body: string) => {
    const device = devices[channel];
    return put(`${server.url}${device?.path}${device?.id}`, body);
  };
  return await measure({ server, url, channels, change }, people);
}

/** From the call of the API: who may, what was before, and the history are part of it. */
async function measureCalls(): Promise<Reading[]> {
  using data = await makeData(SIZE);
  const { people, devices, channels } = await makeCustomers(data, 1);
  await using server = await startServer(data.dataDir);
  const headers = { ...people[0], 'content-type': 'application/json' };
  const change = (channel: number, body: string) => put(`${server.url}/api/devices/${devices[channel]?.id}`, body, headers);
  return await measure({ server, url: server.url, channels, change }, people);
}

async function run(report: (line: Line) => void): Promise<void> {
  const on = `${count(CONSOLES)} consoles, deliveries a second, median of ${RUNS} runs`;
  report({
    what: `${CUSTOMERS} customers' consoles that follow their devices: from publishing a change to the console, at three paces`,
    on,
    goal: 'p99 ≤ 15 ms at 80,000 deliveries a second',
    ...(await compare(measureChannel, () => measureBare(CUSTOMERS))),
  });
  report({
    what: 'consoles that all follow the same devices: from the call that changes one to the last console, at three paces',
    on,
    goal: 'no slower than the bare one',
    ...(await compare(measureCalls, () => measureBare(1))),
  });
}

export const benchmark: Benchmark = { name: 'consoles', title: 'Live updates', run };

import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { openConsole } from './console-socket.ts';
import { makeData, signIn } from './data.ts';
import { startMeasured, startServer, type Measured } from './processes.ts';

const CONSOLES = Number(process.env['BENCH_CONSOLES'] ?? 5000);
const CHANNELS = 10;
// The server sends one packet per channel and quarter of a second at most: changed less often, none waits for its batch.
const PERIODS_MS = [2480, 1240, 620];
const ROUNDS = 8;
const DRAIN_MS = 10_000;
const OPEN_AT_ONCE = 50;

async function findDevices(dataDir: string): Promise<{ id: number; company_id: number }[]> {
  await using database = openDatabase({ url: undefined, dataDir });
  // @NOTE Awaited here: the database is closed on the way out.
  return await database.db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(({ fn }) => [fn.min('devices.id').as('id'), 'devices.company_id'])
    .where('companies.level', '=', 3)
    .groupBy('devices.company_id')
    .limit(CHANNELS)
    .execute();
}

/** A server under this load: where a change is sent, and what its consoles follow. */
interface Subject {
  server: Measured;
  channels: readonly string[];
  change(channel: number, body: string): Promise<unknown>;
}

/** Opens the consoles, changes one device of each channel in turn at each pace, and tells how long the changes took to arrive. */
async function measure(subject: Subject, people: readonly Record<string, string>[]): Promise<string[]> {
  let delays: number[] = [];
  const onEvent = (packet: Buffer): void => {
    const at = packet.indexOf('"name":"t ');
    if (at !== -1) delays.push(performance.now() - Number.parseFloat(packet.toString('latin1', at + 10, at + 30)));
  };
  const sockets = [];
  for (let opened = 0; opened < CONSOLES; opened += OPEN_AT_ONCE) {
    const batch = Array.from({ length: Math.min(OPEN_AT_ONCE, CONSOLES - opened) }, () =>
      openConsole(subject.server.url, people[(opened / OPEN_AT_ONCE) % people.length] ?? {}, subject.channels, onEvent),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  const readings: string[] = [];
  for (const period of PERIODS_MS) {
    delays = [];
    await subject.server.reset();
    const begun = performance.now();
    const changes: Promise<unknown>[] = [];
    for (let step = 0; step < ROUNDS * CHANNELS; step += 1) {
      changes.push(subject.change(step % CHANNELS, JSON.stringify({ name: `t ${performance.now()}` })));
      await wait(Math.max(0, begun + ((step + 1) * period) / CHANNELS - performance.now()));
    }
    const seconds = (performance.now() - begun) / 1000;
    const { cpu, rssMiB } = await subject.server.read();
    await Promise.all(changes);
    const expected = ROUNDS * CHANNELS * CONSOLES;
    for (const until = performance.now() + DRAIN_MS; delays.length < expected && performance.now() < until;) await wait(period);
    delays.sort((a, b) => a - b);
    const at = (share: number): number => delays[Math.floor(delays.length * share)] ?? Number.NaN;
    const lost = delays.length < expected ? `, ${percent(1 - delays.length / expected)} not in time` : '';
    readings.push(
      `${count(expected / seconds)}/s: p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}, ${percent(cpu)} of a core, ${mib(rssMiB)}${lost}`,
    );
  }
  for (const socket of sockets) socket.destroy();
  return readings;
}

async function measureBare(): Promise<string[]> {
  await using server = await startMeasured('bench/server/bare-live.ts', {});
  const channels = Array.from({ length: CHANNELS }, (_, index) => `channel-${index}`);
  const change = (channel: number, body: string) => fetch(`${server.url}/${channels[channel]}`, { method: 'PUT', body });
  return await measure({ server, channels, change }, [{}]);
}

async function measureOurs(): Promise<string[]> {
  using data = await makeData({ companies: 101, devices: 1000 });
  const headers = await signIn(data.dataDir, 'super_admin', data.filled.top);
  const people = [headers];
  while (people.length < CONSOLES / OPEN_AT_ONCE) people.push(await signIn(data.dataDir, 'super_admin', data.filled.top));
  const devices = await findDevices(data.dataDir);
  await using server = await startServer(data.dataDir);
  const channels = devices.map((device) => `companies.${device.company_id}.devices`);
  const change = (channel: number, body: string) =>
    fetch(`${server.url}/api/devices/${devices[channel]?.id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
  return await measure({ server, channels, change }, people);
}

async function run(report: (line: Line) => void): Promise<void> {
  report({
    what: 'consoles that follow devices: from the call that changes one to the console, at three paces',
    on: `${count(CONSOLES)} consoles, deliveries a second`,
    ours: (await measureOurs()).join('\n        '),
    goal: 'p99 ≤ 15 ms at 80,000 deliveries a second',
    bare: (await measureBare()).join('\n        '),
  });
}

export const benchmark: Benchmark = { name: 'consoles', title: 'Live updates', run };

import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, mib, ms, percent, type Benchmark, type Line } from '../report.ts';
import { openConsole } from './console-socket.ts';
import { makeData, signIn } from './data.ts';
import { startServer } from './processes.ts';

const CONSOLES = Number(process.env['BENCH_CONSOLES'] ?? 5000);
const CHANNELS = 10;
// The server sends one packet per channel and quarter of a second at most: changed less often, none waits for its batch.
const PERIOD_MS = 620;
const ROUNDS = 20;
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

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 101, devices: 1000 });
  const headers = await signIn(data.dataDir, 'super_admin', data.filled.top);
  const devices = await findDevices(data.dataDir);
  await using server = await startServer(data.dataDir);
  const delays: number[] = [];
  const onEvent = (packet: Buffer): void => {
    const at = packet.indexOf('"name":"t ');
    if (at !== -1) delays.push(performance.now() - Number.parseFloat(packet.toString('latin1', at + 10, at + 30)));
  };
  const channels = devices.map((device) => `companies.${device.company_id}.devices`);
  const sockets = [];
  for (let opened = 0; opened < CONSOLES; opened += OPEN_AT_ONCE) {
    const batch = Array.from({ length: Math.min(OPEN_AT_ONCE, CONSOLES - opened) }, () =>
      openConsole(server.url, headers, channels, onEvent),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  await server.reset();
  const begun = performance.now();
  for (let step = 0; step < ROUNDS * CHANNELS; step += 1) {
    const device = devices[step % devices.length];
    const body = JSON.stringify({ name: `t ${performance.now()}` });
    void fetch(`${server.url}/api/devices/${device?.id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    await wait(Math.max(0, begun + ((step + 1) * PERIOD_MS) / CHANNELS - performance.now()));
  }
  await wait(PERIOD_MS);
  const seconds = (performance.now() - begun) / 1000;
  const reading = await server.read();
  for (const socket of sockets) socket.destroy();
  delays.sort((a, b) => a - b);
  const at = (share: number): number => delays[Math.floor(delays.length * share)] ?? Number.NaN;
  report({
    what: 'consoles that follow devices: from the call that changes one to the console',
    on: `${count(CONSOLES)} consoles, ${count(delays.length / seconds)} deliveries a second, of ${count(ROUNDS * CHANNELS * CONSOLES)} ${percent(delays.length / (ROUNDS * CHANNELS * CONSOLES))} counted`,
    ours: `p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}; ${percent(reading.cpu)} of a core, ${mib(reading.rssMiB)}`,
    goal: 'p99 ≤ 15 ms at 80,000 deliveries a second',
  });
}

export const benchmark: Benchmark = { name: 'consoles', title: 'Live updates', run };

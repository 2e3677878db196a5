import { ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer } from './processes.ts';

const SIZE = { companies: 100, devices: 10_000 };
const ON = '10,000 devices of 100 companies, everything seen';
/** The first one is told by itself. */
const ROUNDS = 8;
/** What the widgets of a dashboard ask for, twenty of them. */
const CALLS = [
  ...Array.from({ length: 6 }, () => '/devices/statistics'),
  ...['sent', 'received', 'temperature'].map((name) => `/devices?limit=10&sort=-${name}`),
  '/devices?limit=10&sort=name',
  '/devices?limit=10&sort=-last_connection_at&status=offline',
  '/devices?limit=50&sort=name',
  '/devices/availability?days=30&target=99.5&count=10',
  '/devices/availability?days=7&target=99&count=5',
  '/devices/map?zoom=2',
  '/devices/map?zoom=7&area=58:4,62:12',
  '/alerts?state=open&sort=-created_at&limit=10',
  '/vpn/hubs?limit=1',
  '/vpn/hubs/users?limit=1',
  '/vpn/hubs/users?limit=10&sort=name',
];

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const headers = await signIn(data.dataDir, 'super_admin', data.filled.top);
  await using server = await startServer(data.dataDir);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await Promise.all(
      CALLS.map(async (path) => {
        const answer = await fetch(`${server.url}/api${path}`, { headers });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      }),
    );
    times.push(performance.now() - start);
  }
  const [first = 0, ...rest] = times;
  report({ what: `data of ${CALLS.length} widgets, the first time`, on: ON, ours: ms(first), goal: '≤ 1 s' });
  report({ what: `data of ${CALLS.length} widgets, read again`, on: ON, ours: ms(median(rest)), goal: '≤ 1 s' });
}

export const benchmark: Benchmark = { name: 'dashboard', title: 'Dashboard of the fleet', run };

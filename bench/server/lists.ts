import { count, ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { load, type Load } from './measure.ts';
import { startBare, startServer } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const ON = '100,000 devices in 1,000 companies, page of 50, over HTTP on 2 connections, median of 3 runs';

const show = (load: Load): string => `p50 ${ms(load.p50)}, p99 ${ms(load.p99)}, ${count(load.perSecond)} requests/s`;

interface Case {
  what: string;
  query: string;
  bareQuery: string;
  goal: string;
  who: 'tenth' | 'all';
}

const cases: Case[] = [
  {
    what: 'list with filter, sort and count, a user who sees a tenth',
    query: 'status=online&sort=name',
    bareQuery: 'status=1',
    goal: 'p50 ≤ 4 ms, p99 ≤ 20 ms, ≥ 500 requests/s',
    who: 'tenth',
  },
  {
    what: 'the same page far down, everything seen',
    query: 'status=online&sort=name&offset=50000',
    bareQuery: 'status=1&offset=50000',
    goal: 'p50 ≤ 10 ms',
    who: 'all',
  },
  { what: 'free text, a narrow term, a tenth', query: 'q=ferry-12&sort=name', bareQuery: 'q=ferry-12', goal: 'p50 ≤ 5 ms', who: 'tenth' },
  { what: 'free text, a broad term, a tenth', query: 'q=ferry&sort=name', bareQuery: 'q=ferry', goal: 'p50 ≤ 5 ms', who: 'tenth' },
  {
    what: 'free text, a narrow term, everything seen',
    query: 'q=ferry-12&sort=name',
    bareQuery: 'q=ferry-12',
    goal: 'p50 ≤ 5 ms',
    who: 'all',
  },
  {
    what: 'free text, a serial number, everything seen',
    query: 'q=1100054321&sort=name',
    bareQuery: 'q=1100054321',
    goal: 'p50 ≤ 5 ms',
    who: 'all',
  },
  {
    what: 'sorted by a column without an index of its own, a tenth',
    query: 'status=online&sort=-signal',
    bareQuery: 'status=1',
    goal: 'p50 ≤ 10 ms',
    who: 'tenth',
  },
];

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const { top, tenth } = data.filled;
  const headers = { tenth: await signIn(data.dataDir, 'admin', tenth), all: await signIn(data.dataDir, 'super_admin', top) };
  const paths = { tenth: `/${top}/${tenth}/`, all: `/${top}/` };
  const measured = new Map<Case, { ours?: Load; bare?: Load }>(cases.map((entry) => [entry, {}]));
  {
    await using server = await startServer(data.dataDir);
    for (const [entry, result] of measured)
      result.ours = await load(`${server.url}/api/devices?limit=50&${entry.query}`, headers[entry.who]);
  }
  await using bare = await startBare(data.dataDir);
  for (const [entry, result] of measured) {
    result.bare = await load(`${bare.url}/devices?path=${encodeURIComponent(paths[entry.who])}&${entry.bareQuery}`, {});
    if (result.ours) report({ what: entry.what, on: ON, ours: show(result.ours), goal: entry.goal, bare: show(result.bare) });
  }
}

export const benchmark: Benchmark = { name: 'lists', title: 'Lists of devices', run };

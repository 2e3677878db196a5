import { sql } from 'kysely';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { fillPlaces } from './fill-places.ts';
import { timeCalls } from './measure.ts';
import { startServer } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const ON = '100,000 devices with a position, of 1,000 companies, everything seen';
const CALLS = 11;
async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  {
    await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
    await fillPlaces(database.db);
    await sql`analyze`.execute(database.db);
  }
  const headers = await signIn(data.dataDir, 'super_admin', data.filled.top);
  await using server = await startServer(data.dataDir);
  const get = (query: string) => () => fetch(`${server.url}/api/devices/map?${query}`, { headers });
  const first = await timeCalls(1, get('zoom=2'));
  report({ what: 'map of the world, the first answer', on: ON, ours: ms(first.medianMs), goal: '≤ 1 s' });
  const cases = [
    ['map of the world', 'zoom=2'],
    ['a region of it', 'zoom=7&area=58:4,62:12'],
    ['a town of it', 'zoom=12&area=59.8:10.4,60:10.9'],
    ['the world with a filter', 'zoom=2&status=offline'],
  ] as const;
  for (const [what, query] of cases) report({ what, on: ON, ours: ms((await timeCalls(CALLS, get(query))).medianMs), goal: '≤ 1 s' });
}

export const benchmark: Benchmark = { name: 'map', title: 'Map of the fleet', run };

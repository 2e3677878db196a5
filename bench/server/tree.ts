import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { fillPeople } from './fill-people.ts';
import { load } from './measure.ts';
import { startServer } from './processes.ts';

const SIZE = { companies: 10_000, devices: 10_000 };
const USERS = 50_000;
const ON = '10,000 companies, 50,000 users, 10,000 devices, over HTTP on 1 connection, median of 3 runs';
const GOAL = 'p50 ≤ 10 ms';

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const { top, tenth } = data.filled;
  {
    await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
    await fillPeople(database.db, USERS, Date.now());
  }
  const all = await signIn(data.dataDir, 'super_admin', top);
  const branch = await signIn(data.dataDir, 'admin', tenth);
  await using server = await startServer(data.dataDir);
  const cases: [what: string, path: string, headers: Record<string, string>][] = [
    ['tree: the topmost companies', '/companies/tree', all],
    ['tree: below the top', `/companies/tree?parent_id=${top}`, all],
    ['tree: a branch, a page of 100', `/companies/tree?parent_id=${tenth}`, all],
    ['tree: a branch, by its own administrator', '/companies/tree', branch],
    ['tree: a search', '/companies/tree?q=site%20777', all],
    ['company search', '/companies?limit=50&q=site%20777', all],
    ['company search by an administrator of a tenth', '/companies?limit=50&q=site%20777', branch],
    ['user search, a narrow term', '/users?limit=50&q=person-4321', all],
    ['user search, a narrow term, by an administrator of a tenth', '/users?limit=50&q=person-43', branch],
    ['user search, a name of a tenth of them', '/users?limit=50&q=ingrid&sort=username', all],
    ['permission check: a call that the role permits', '/user', branch],
  ];
  for (const [what, path, headers] of cases) {
    const { p50, p99, perSecond } = await load(`${server.url}/api${path}`, headers, 1);
    report({ what, on: ON, ours: `p50 ${ms(p50)}, p99 ${ms(p99)}, ${count(perSecond)} requests/s`, goal: GOAL });
  }
}

export const benchmark: Benchmark = { name: 'tree', title: 'A tree of 10,000 companies with 50,000 users', run };

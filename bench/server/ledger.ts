import { openDatabase } from '../../server/kernel/db/database.ts';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { fillLedger } from './fill-ledger.ts';
import { load } from './measure.ts';
import { startServer } from './processes.ts';

const SIZE = { companies: 10_000, devices: 10_000 };
const ROWS = 1_000_000;
const ON = '1,000,000 ledger rows, 10,000 companies, over HTTP on 1 connection, median of 3 runs';
const GOAL = 'p50 ≤ 10 ms';

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  const { top, tenth } = data.filled;
  {
    await using database = openDatabase({ url: undefined, dataDir: data.dataDir });
    await fillLedger(database.db, ROWS, Date.now());
  }
  const all = await signIn(data.dataDir, 'super_admin', top);
  const branch = await signIn(data.dataDir, 'admin', tenth);
  await using server = await startServer(data.dataDir);
  const begun = performance.now();
  const { data: check } = await (await fetch(`${server.url}/api/credits/check`, { headers: all })).json();
  if (check?.balanced !== true) throw new Error(`the ledger does not balance: ${JSON.stringify(check)}`);
  report({ what: 'the whole ledger added up', on: ON, ours: ms(performance.now() - begun), goal: 'beside the event loop' });
  const cases: [what: string, path: string, headers: Record<string, string>][] = [
    ['balance of one company', `/credits?company_id=${tenth}`, all],
    ['balance of everything', '/credits/summary', all],
    ['balance of a tenth, by its administrator', '/credits/summary', branch],
    ['balances, a page of 50', '/credits?limit=50', all],
    ['who holds what: a page of 50', '/credits/holdings?limit=50', all],
    ['who holds what: the regions', `/credits/holdings?parent_id=${top}`, all],
    ['history, first page', '/credits/history?limit=50', all],
    ['history, at offset 500,000', '/credits/history?limit=50&offset=500000', all],
    ['history of one company', `/credits/history?limit=50&company_id=${tenth}`, all],
    ['history, first page, by an administrator of a tenth', '/credits/history?limit=50', branch],
    ['moves, first page', '/credits/move/history?limit=50', all],
  ];
  for (const [what, path, headers] of cases) {
    const { p50, p99, perSecond } = await load(`${server.url}/api${path}`, headers, 1);
    report({ what, on: ON, ours: `p50 ${ms(p50)}, p99 ${ms(p99)}, ${count(perSecond)} requests/s`, goal: GOAL });
  }
}

export const benchmark: Benchmark = { name: 'ledger', title: 'A ledger of 1,000,000 rows', run };

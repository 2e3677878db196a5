import { sql } from 'kysely';
import { pointOf } from '../../schemas/kit/resources/mercator.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { timeCalls } from './measure.ts';
import { startServer } from './processes.ts';

const SIZE = { companies: 1000, devices: 100_000 };
const ON = '100,000 devices with a position, of 1,000 companies, everything seen';
const CALLS = 11;
const ROWS_PER_INSERT = 500;
/** Steps that spread devices over the land of the north without any two at one place. */
const LATITUDE = { from: 35, span: 30, step: 0.618_034 };
const LONGITUDE = { from: -10, span: 50, step: 0.754_877 };

const spread = (index: number, { from, span, step }: typeof LATITUDE): number => from + ((index * step) % 1) * span;

async function fillPlaces(dataDir: string): Promise<void> {
  await using database = openDatabase({ url: undefined, dataDir });
  const devices = await database.db.selectFrom('devices').select('id').execute();
  for (let start = 0; start < devices.length; start += ROWS_PER_INSERT) {
    const values = devices.slice(start, start + ROWS_PER_INSERT).map(({ id }) => {
      const [latitude, longitude] = [spread(id, LATITUDE), spread(id, LONGITUDE)];
      return { device_id: id, latitude, longitude, ...pointOf(latitude, longitude), source: 'gps' as const, at: 0 };
    });
    await database.db.insertInto('device_places').values(values).execute();
  }
  await sql`analyze`.execute(database.db);
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData(SIZE);
  await fillPlaces(data.dataDir);
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

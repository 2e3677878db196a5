import { count, ms, type Benchmark, type Line } from '../report.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer } from './processes.ts';

const ROWS = 10_000;
const RUNS = 5;

const pair = (number: number): string => number.toString(16).padStart(2, '0').toUpperCase();

/** A table of devices that nobody knows; each hundredth has a fault. */
function sheet(): string {
  const lines = Array.from({ length: ROWS }, (_none, index) => {
    const mac = index % 100 === 99 ? '00:1E' : `00:1E:43:${pair(index >> 16)}:${pair((index >> 8) & 255)}:${pair(index & 255)}`;
    return `7${String(index).padStart(9, '0')},${mac},Quay ${index}`;
  });
  return ['serial,mac,name', ...lines].join('\n');
}

async function run(report: (line: Line) => void): Promise<void> {
  using data = await makeData({ companies: 1000, devices: 100_000 });
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const times: number[] = [];
  const delays: number[] = [];
  for (let turn = 0; turn <= RUNS; turn += 1) {
    const body = new FormData();
    for (const [name, text] of Object.entries({ company_id: String(top), source: 'file', device_series: 'rut' })) body.set(name, text);
    body.set('file', new Blob([sheet()], { type: 'text/csv' }), 'devices.csv');
    await server.reset();
    const begun = performance.now();
    const response = await fetch(`${server.url}/api/devices/import/preview`, { method: 'POST', headers, body });
    const answer = (await response.json()) as { data?: { good: number[] } };
    if (!response.ok || !answer.data)
      throw new Error(`POST /devices/import/preview: ${response.status} ${JSON.stringify(answer).slice(0, 400)}`);
    if (answer.data.good.length !== ROWS - ROWS / 100) throw new Error(`${answer.data.good.length} rows are good`);
    if (turn === 0) continue;
    times.push(performance.now() - begun);
    delays.push((await server.read()).delayMaxMs);
  }
  report({
    what: `preview of an import of ${count(ROWS)} devices`,
    on: `beside ${count(100_000)} devices, a fault in each hundredth row, median of ${RUNS} runs`,
    ours: `${ms(median(times))}; event loop held for ${ms(median(delays))} at most`,
    goal: '≤ 3,000 ms',
  });
}

export const benchmark: Benchmark = { name: 'import', title: 'Import of devices', run };

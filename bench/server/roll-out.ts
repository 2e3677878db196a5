import { randomBytes } from 'node:crypto';
import { count, ms, type Benchmark, type Line } from '../report.ts';
import { call, upload } from './call.ts';
import { makeData, signIn } from './data.ts';
import { median } from './measure.ts';
import { startServer } from './processes.ts';

const PLANNED = { companies: 1000, devices: 100_000 };
const RUNS = 5;

/** What an update over every device would do, by model and version. */
async function timePlanning(report: (line: Line) => void): Promise<void> {
  using data = await makeData(PLANNED);
  const { top } = data.filled;
  const headers = await signIn(data.dataDir, 'super_admin', top);
  await using server = await startServer(data.dataDir);
  const image = randomBytes(1024);
  const file_id = await upload(server, headers, { companyId: top, name: 'RUTX_R_00.07.15_WEBUI.bin', type: 'firmware', content: image });
  const selection = { query: {}, count: PLANNED.devices };
  const body = { source: 'file', file_id, keep_settings: true, allow_downgrade: true, back_within: 15, selection, dry_run: true };
  const times: number[] = [];
  const delays: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    await server.reset();
    const begun = performance.now();
    await call(server, headers, 'POST', '/devices/updates/firmware', body);
    if (run > 0) {
      times.push(performance.now() - begun);
      delays.push((await server.read()).delayMaxMs);
    }
  }
  report({
    what: 'plan of a roll-out',
    on: `${count(PLANNED.devices)} devices, median of ${RUNS} runs`,
    ours: `${ms(median(times))}; event loop held for ${ms(median(delays))} at most`,
    goal: '≤ 1,000 ms',
  });
}

export const benchmark: Benchmark = {
  name: 'roll-out',
  title: 'Roll-outs',
  run: timePlanning,
};

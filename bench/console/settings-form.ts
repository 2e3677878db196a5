import { startFleet } from '../../agent/fleet/fleet.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { makeConsoleWorld } from './console-world.ts';

const RUNS = 5;
const SECTIONS = 150;
const OPTIONS = 40;

/** A description of settings of about 2 MB: one section that the device has, among many. */
function apiDocument(): string {
  const text =
    'What this option is for, in as many words as the documents of vendors have for each of theirs, with its default and its limits. ';
  const properties = Object.fromEntries(
    Array.from({ length: OPTIONS }, (_, index) => [
      index === 0 ? 'ipaddr' : `option_${index}`,
      { type: 'string', title: `Option ${index}`, description: text.repeat(2), pattern: '^[a-z0-9.]*$', maxLength: 64 },
    ]),
  );
  const section = (type: string) => ({
    type: 'array',
    title: type,
    'x-uci': { config: 'network', type },
    items: { type: 'object', properties },
  });
  const names = ['interface', ...Array.from({ length: SECTIONS - 1 }, (_, index) => `kind_${index}`)];
  return JSON.stringify({ title: 'Bench', type: 'object', properties: Object.fromEntries(names.map((name) => [name, section(name)])) });
}

async function run(report: (line: Line) => void): Promise<void> {
  await using world = await makeConsoleWorld();
  await using _fleet = await startFleet({ url: world.url, code: await world.makeCode(1), devices: 1, moods: 'good', seed: 'bench' });
  const content = apiDocument();
  await world.api.upload('/devices/configurator/specifications', { system: 'rutos' }, { name: 'rutos.json', content });
  {
    await using database = openDatabase({ url: undefined, dataDir: world.dataDir });
    await database.db.updateTable('devices').set({ model: 'RUTX50' }).execute();
  }
  await world.api.call('POST', '/devices/configurator/read', { device_id: [1] });
  await using context = await world.coldContext();
  const page = await context.newPage();
  const times: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    await page.goto(`${world.url}/device-configuration`);
    await page.getByRole('row').nth(1).getByRole('checkbox').check();
    const begun = performance.now();
    await page.getByRole('button', { name: 'Continue with 1 device' }).click();
    await page.getByRole('button', { name: 'lan', exact: true }).click();
    await page.getByLabel('Option 1', { exact: true }).waitFor();
    times.push(performance.now() - begun);
  }
  report({
    what: 'from the choice of a device to the form of its first section',
    on: `description of ${(content.length / 1e6).toFixed(1)} MB, ${SECTIONS} sections of ${OPTIONS} options; median of ${RUNS}`,
    ours: ms(median(times)),
    goal: '≤ 500 ms',
  });
}

export const benchmark: Benchmark = { name: 'settings-form', title: 'Settings of a device as forms', run };

import { cpus } from 'node:os';
import { printLine, type Benchmark } from './report.ts';

/** Each benchmark by name, loaded when it is its turn. */
const benchmarks: Record<string, () => Promise<{ benchmark: Benchmark }>> = {
  lists: () => import('./server/lists.ts'),
  tree: () => import('./server/tree.ts'),
  ledger: () => import('./server/ledger.ts'),
  map: () => import('./server/map.ts'),
  dashboard: () => import('./server/dashboard.ts'),
  configuration: () => import('./server/configuration.ts'),
  'bulk-tags': () => import('./server/bulk-tags.ts'),
  csv: () => import('./server/csv.ts'),
  'start-up': () => import('./server/start-up.ts'),
  fleet: () => import('./server/fleet.ts'),
  telemetry: () => import('./server/telemetry.ts'),
  retention: () => import('./server/retention.ts'),
  watching: () => import('./server/watching.ts'),
  'roll-out': () => import('./server/roll-out.ts'),
  downloads: () => import('./server/downloads.ts'),
  remote: () => import('./server/remote.ts'),
  'remote-ways': () => import('./server/remote-ways.ts'),
  'remote-many': () => import('./server/remote-many.ts'),
  'quick-connect': () => import('./server/quick-connect.ts'),
  terminal: () => import('./console/terminal.ts'),
  import: () => import('./server/import.ts'),
  consoles: () => import('./server/consoles.ts'),
  'first-row': () => import('./console/first-row.ts'),
  'first-dialog': () => import('./console/first-dialog.ts'),
  charts: () => import('./console/charts.ts'),
  'map-page': () => import('./console/map-page.ts'),
  'settings-form': () => import('./console/settings-form.ts'),
  work: () => import('./console/work.ts'),
  'row-updates': () => import('./console/row-updates.ts'),
  forms: () => import('./forms/forms.ts'),
  soak: () => import('./server/soak.ts'),
};
/** Run only when they are named. */
const LONG = new Set(['soak']);

const chosen = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = chosen.find((name) => !(name in benchmarks));
if (unknown !== undefined || process.argv.includes('--help')) {
  if (unknown !== undefined) console.error(`No benchmark named "${unknown}".`);
  console.log(`npm run bench [-- name…]\nBenchmarks: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(unknown === undefined ? 0 : 1);
}

console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`);
for (const [name, load] of Object.entries(benchmarks)) {
  if (chosen.length === 0 ? LONG.has(name) : !chosen.includes(name)) continue;
  const { benchmark } = await load();
  console.log(`\n${benchmark.title}`);
  try {
    await benchmark.run(printLine);
  } catch (error) {
    console.log(`  could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}
process.exit(0);

import { availableParallelism, loadavg } from 'node:os';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** What a run came to. A file that could not be loaded, or an error outside of all tests, is a failure of its own. */
function countResults(modules: readonly TestModule[], errorsOutside: number): { passed: number; failed: number; skipped: number } {
  const counts = { passed: 0, failed: errorsOutside, skipped: 0 };
  for (const file of modules) {
    const states = [...file.children.allTests()].map((test) => test.result().state);
    for (const state of states) counts[state === 'pending' ? 'failed' : state] += 1;
    if (file.state() === 'failed' && !states.includes('failed')) counts.failed += 1;
  }
  return counts;
}

const SHOWN_FILES = 20;
/** A file that takes longer on a quiet machine keeps its worker while the other has run out of files. */
const MAX_FILE_SECONDS = 60;
/** With its workers, browsers and databases a run makes a load of two for each processor; beside other work files take longer without a fault of theirs. */
const QUIET_LOAD_PER_PROCESSOR = 3;

interface TimedFile {
  name: string;
  seconds: number;
}

function findSlowestFiles(modules: readonly TestModule[]): TimedFile[] {
  return modules
    .map((file) => ({
      name: `${file.project.name} ${file.relativeModuleId}`,
      seconds: Math.round((file.diagnostic().collectDuration + file.diagnostic().duration) / 1000),
    }))
    .toSorted((first, second) => second.seconds - first.seconds)
    .slice(0, SHOWN_FILES);
}

/** Ends a run with its slowest files and one line of figures, and fails it when a test was skipped, or none ran. */
export default class StrictReporter implements Reporter {
  private isPartial = false;

  onInit(vitest: Vitest): void {
    this.isPartial = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const { passed, failed, skipped } = countResults(modules, errors.length);
    const slowestFiles = findSlowestFiles(modules);
    for (const { name, seconds } of slowestFiles) console.log(`${String(seconds).padStart(5)} s ${name}`);
    // Of the last five minutes: the first ones build the console.
    const load = loadavg()[1] ?? 0;
    const isQuiet = load < QUIET_LOAD_PER_PROCESSOR * availableParallelism();
    const slowFiles = slowestFiles.filter(({ seconds }) => seconds > MAX_FILE_SECONDS);
    if (slowFiles.length > 0)
      console.error(
        `${slowFiles.length} files took more than ${MAX_FILE_SECONDS} s (${isQuiet ? 'quiet' : 'busy'} machine, load ${load.toFixed(1)})`,
      );
    // Chosen by name, the others are skipped on purpose.
    const isSkipped = skipped > 0 && !this.isPartial;
    if (isSkipped) console.error(`${skipped} skipped: every test has to run`);
    if (isSkipped || failed > 0 || passed === 0) process.exitCode = 1;
    console.log(`${passed} passed, ${failed} failed`);
  }
}

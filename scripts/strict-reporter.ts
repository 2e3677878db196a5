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

/** Ends a run with one line of figures, and fails it when a test was skipped, or none ran. */
export default class StrictReporter implements Reporter {
  private isPartial = false;

  onInit(vitest: Vitest): void {
    this.isPartial = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const { passed, failed, skipped } = countResults(modules, errors.length);
    // Chosen by name, the others are skipped on purpose.
    const isSkipped = skipped > 0 && !this.isPartial;
    if (isSkipped) console.error(`${skipped} skipped: every test has to run`);
    if (isSkipped || failed > 0 || passed === 0) process.exitCode = 1;
    console.log(`${passed} passed, ${failed} failed`);
  }
}

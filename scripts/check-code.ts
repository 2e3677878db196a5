import { spawnSync } from 'node:child_process';

const STEPS = ['types', 'lint', 'format:check', 'gen:check', 'gen:answers:check', 'schemas:lint', 'loose-ends', 'i18n:check'];

// One that fails hides none of the others.
const failed = STEPS.filter((step) => spawnSync('npm', ['run', '-s', step], { stdio: 'inherit' }).status !== 0);
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

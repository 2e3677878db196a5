import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadContract, schemasFolder } from './load.ts';
import { printContract } from './print-types.ts';
import { printRuleWords } from './rule-words.ts';

const generated: readonly [string, string][] = [
  ['contract.ts', printContract(loadContract())],
  ['rule-words.json', printRuleWords()],
];

function readPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The lines that differ, as `- old` and `+ new` with their numbers, at most twenty. */
function describeDifference(present: string, wanted: string): string[] {
  const old = present.split('\n');
  const fresh = wanted.split('\n');
  const start = fresh.findIndex((line, index) => line !== old[index]);
  const from = start < 0 ? fresh.length : start;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - from && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(from, old.length - tail).map((line, index) => `${from + index + 1} - ${line}`);
  const added = fresh.slice(from, fresh.length - tail).map((line, index) => `${from + index + 1} + ${line}`);
  return [...removed.slice(0, 20), ...added.slice(0, 20)];
}

for (const [name, wanted] of generated) {
  const target = join(schemasFolder, '_generated', name);
  if (process.argv.includes('--check')) {
    const present = readPresent(target);
    if (present !== wanted) {
      console.error(
        `schemas/_generated/${name} is out of date. Run \`npm run gen\` and commit it.\n${describeDifference(present, wanted).join('\n')}`,
      );
      process.exitCode = 1;
    }
  } else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, wanted);
    console.log(`schemas/_generated/${name} is written.`);
  }
}

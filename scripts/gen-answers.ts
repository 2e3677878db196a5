import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemasFolder } from '../schemas/kit/codegen/load.ts';
import { deriveAnswers } from './answers/derive-answers.ts';

const target = join(schemasFolder, '_generated', 'answers.json');
const { answers, problems } = deriveAnswers();
const text = `${JSON.stringify(answers, undefined, 1)}\n`;

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('schemas/_generated/answers.json is out of date. Run `npm run gen:answers` and commit it.\n');
  process.exitCode = 1;
}

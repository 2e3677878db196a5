import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLanguageCode, newLanguageFile, readLanguageFile } from '../schemas/kit/codegen/language-file.ts';
import { readShippedTexts } from '../schemas/kit/codegen/load-texts.ts';

const USAGE = `Makes and checks language files (i18next JSON v4, read by Weblate and Crowdin).

  npm run i18n -- new <language> [folder]     a file with every key and empty texts, to translate: <folder>/<language>.json
  npm run i18n -- check <file>                how complete it is, and which of its texts are not used and why
  npm run i18n -- export <language or file>   all texts of a language that ships, or of a file with what it still lacks, to the standard output

A language is named as browsers name it: de, pt-BR. Put the file into LOCALES_DIR (DATA_DIR/locales unless set). Exit code 1 when something is wrong.`;

const english = readShippedTexts('en') ?? new Map<string, string>();

function fail(message: string): number {
  console.error(message);
  return 1;
}

function makeNew(code: string, folder = '.'): number {
  const path = join(folder, `${code}.json`);
  if (!isLanguageCode(code)) return fail(`"${code}" is not the name of a language, such as de or pt-BR.`);
  if (existsSync(path)) return fail(`${path} is there already.`);
  writeFileSync(path, newLanguageFile(code, english, readShippedTexts(code)));
  console.log(`${path} is written: ${english.size} texts to translate. Check it with: npm run i18n -- check ${path}`);
  return 0;
}

/** `…/de.json` → `de`. */
function codeOf(path: string): string | undefined {
  const code = basename(path, '.json');
  return path.endsWith('.json') && isLanguageCode(code) ? code : undefined;
}

function check(path: string): number {
  const code = codeOf(path);
  if (!code || !existsSync(path)) return fail(`${path} is not the file of a language, such as de.json.`);
  const { texts, findings, percent } = readLanguageFile(readFileSync(path, 'utf8'), code, english);
  for (const { key, message } of findings) console.error(`${path}: ${key === '' ? 'the file' : `"${key}"`} ${message}`);
  console.log(`${path}: ${Object.keys(texts).length} texts, ${percent} % of the console; ${findings.length} not used.`);
  return findings.length === 0 ? 0 : 1;
}

function exportTexts(name: string): number {
  const shipped = readShippedTexts(name);
  if (shipped) {
    process.stdout.write(newLanguageFile(name, english, shipped));
    return 0;
  }
  const code = codeOf(name);
  if (!code || !existsSync(name)) return fail(`"${name}" is neither a language that ships nor the file of one.`);
  const { texts } = readLanguageFile(readFileSync(name, 'utf8'), code, english);
  process.stdout.write(newLanguageFile(code, english, new Map(Object.entries(texts))));
  return 0;
}

const [command, name, folder] = process.argv.slice(2);
const commands = new Map([
  ['new', makeNew],
  ['check', check],
  ['export', exportTexts],
]);
const run = commands.get(command ?? '');
if (run && name) process.exitCode = run(name, folder);
else if (command === undefined || command === '--help') console.log(USAGE);
else process.exitCode = fail(USAGE);

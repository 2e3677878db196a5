import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { loadMeta, schemasFolder } from '../codegen/load.ts';
import { formatProblem, kindOf, lintFiles } from './lint.ts';
import type { LintFile } from './lint.ts';
import { sarifOf } from './sarif.ts';

const USAGE = `Checks the files of the contract.

  npm run schemas:lint                    the contract itself
  npm run schemas:lint -- my/forms/       form files in another folder, against this contract
  npm run schemas:lint -- --json          problems as JSON, for tools
  npm run schemas:lint -- --sarif         problems as SARIF 2.1.0, for code hosts and editors

Exit code 1 when something is wrong.`;

function filesBelow(folder: string): LintFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        kindOf(path.split(sep).join('/')) !== undefined && !path.includes(`${sep}meta${sep}`) && !path.includes(`${sep}node_modules${sep}`),
    )
    .sort()
    .map((path) => ({ path: relative(process.cwd(), path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}

function flatKeys(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [prefix + key] : flatKeys(inner, `${prefix}${key}.`),
  );
}

/** Keys of the English texts, or `undefined` when there are none to compare with. */
function readTexts(): Set<string> | undefined {
  const folder = resolve(schemasFolder, '../src/locales/en');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Set(files.flatMap((name) => flatKeys(JSON.parse(readFileSync(join(folder, name), 'utf8')))));
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
} else {
  const folders = args.filter((arg) => !arg.startsWith('--')).map((folder) => resolve(folder));
  const missing = folders.filter((folder) => !existsSync(folder));
  for (const folder of missing) console.error(`There is no folder ${folder}.`);
  const files = [schemasFolder, ...folders.filter((folder) => !missing.includes(folder))].flatMap(filesBelow);
  const problems = lintFiles(files, { meta: loadMeta(), texts: readTexts() });
  if (args.includes('--json')) console.log(JSON.stringify(problems, null, 2));
  else if (args.includes('--sarif')) console.log(JSON.stringify(sarifOf(problems), null, 2));
  else {
    for (const problem of problems) console.error(formatProblem(problem));
    console.log(
      problems.length === 0
        ? `${files.length} contract files are right.`
        : `${problems.length} problems in ${files.length} contract files.`,
    );
  }
  if (problems.length > 0 || missing.length > 0) process.exitCode = 1;
}

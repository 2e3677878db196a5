import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { findFormFiles } from '../schemas/kit/load.ts';
import { newForm } from '../schemas/kit/new-form.ts';
import { inspectForm, type Inspection } from '../server/features/forms/inspect.ts';
import { isFormIdShape } from '../server/features/forms/folder.ts';
import { readSurroundings } from '../server/features/forms/surroundings.ts';
import { proveForm } from './forms/prove-form.ts';

const USAGE = `Makes and checks form files.

  npm run forms -- new <room>/<name>.form.json     a new file to start from
  npm run forms -- lint <file or folder> [--json]  what is wrong in it: file:line:column code message
  npm run forms -- test <file or folder>           lint, then the examples, each required field, and whether console and server agree

The folder of a file is its room. Exit code 1 when something is wrong.`;

/** `…/ops/set-apn.form.json` → `ops/set-apn`. */
function idOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path).replace(/\.form\.json$/, '')}`;
}

function filesAt(path: string): string[] {
  return statSync(path).isDirectory() ? findFormFiles(path) : [path];
}

function makeNew(path: string): number {
  const id = idOf(resolve(path));
  if (!path.endsWith('.form.json') || !isFormIdShape(id)) {
    console.error(`Name it <room>/<name>.form.json in small letters, digits and hyphens, not ${path}.`);
    return 1;
  }
  if (existsSync(path)) {
    console.error(`${path} is there already.`);
    return 1;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, newForm(id));
  console.log(`${path} is written. Check it with: npm run forms -- lint ${path}`);
  return 0;
}

interface Judged {
  path: string;
  inspection: Inspection;
}

function judge(path: string): Judged[] {
  const around = readSurroundings();
  return filesAt(path).map((file) => ({ path: file, inspection: inspectForm(idOf(resolve(file)), readFileSync(file, 'utf8'), around) }));
}

function lint(path: string, isJson: boolean): number {
  const judged = judge(path);
  const findings = judged.flatMap(({ path: file, inspection }) => inspection.findings.map((finding) => ({ path: file, ...finding })));
  if (isJson) console.log(JSON.stringify(findings, null, 2));
  else {
    for (const { path: file, line, column, code, message } of findings) console.error(`${file}:${line}:${column} ${code} ${message}`);
    console.log(
      findings.length === 0 ? `${judged.length} form files are right.` : `${findings.length} findings in ${judged.length} form files.`,
    );
  }
  return findings.length === 0 ? 0 : 1;
}

async function test(path: string): Promise<number> {
  let failed = lint(path, false);
  for (const { path: file, inspection } of judge(path)) {
    if (!inspection.isUsable) continue;
    for (const { name, faults } of await proveForm(inspection.form, inspection.code)) {
      console.log(`${faults.length === 0 ? '✓' : '✗'} ${file}: ${name}`);
      for (const fault of faults) console.error(`    ${fault}`);
      if (faults.length > 0) failed = 1;
    }
  }
  return failed;
}

const args = process.argv.slice(2);
const [command, path] = args.filter((arg) => !arg.startsWith('--'));
if (args.includes('--help') || command === undefined || path === undefined) {
  console.log(USAGE);
  process.exitCode = args.includes('--help') ? 0 : 1;
} else if (command === 'new') {
  process.exitCode = makeNew(path);
} else if (!existsSync(path)) {
  console.error(`There is no ${path}.`);
  process.exitCode = 1;
} else if (command === 'lint') {
  process.exitCode = lint(path, args.includes('--json'));
} else if (command === 'test') {
  process.exitCode = await test(path);
} else {
  console.error(`There is no command "${command}".\n\n${USAGE}`);
  process.exitCode = 1;
}

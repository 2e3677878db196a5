import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { findFormFiles } from '../schemas/kit/codegen/load.ts';
import { qualityOf } from '../schemas/kit/lint/form-quality.ts';
import { NEW_FORM_KINDS, newForm, type NewFormKind } from '../schemas/kit/form/new-form.ts';
import { printFormTypes } from '../schemas/kit/codegen/print-types.ts';
import { sarifOf } from '../schemas/kit/lint/sarif.ts';
import { inspectForm, type Finding, type Inspection } from '../server/features/forms/inspect.ts';
import { isFormIdShape } from '../server/features/forms/folder.ts';
import { readFormContext } from '../server/features/forms/form-context.ts';
import { explainForm } from './forms/explain-form.ts';
import { importSchema, placeInImport } from './forms/import-schema.ts';
import { proveGolden, readGolden } from './forms/golden-cases.ts';
import { proveForm } from './forms/prove-form.ts';

const USAGE = `Makes and checks form files.

  npm run forms -- new <room>/<name>.form.json     a new file to start from: a device job; --api for a call of the API, --webhook for a program elsewhere
  npm run forms -- import <schema.json> [<uiSchema.json>] [--data <data.json>]
                                                   a form file of a JSON schema, beside it: see docs/forms/any-schema.md
  npm run forms -- lint <file or folder>            what is wrong in it: file:line:column code message; --json and --sarif (2.1.0) for programs
  npm run forms -- test <file or folder>           lint, then the examples, each required field, whether console and server agree, and how good it is;
                                                   the cases of <name>.golden.json beside it too
  npm run forms -- explain <file or folder>        what it is for, who may use it, its fields and rules, and what it sends, in words
  npm run forms -- types <file or folder>          TypeScript types of what the forms take, for programs that call them

The folder of a file is its room. Exit code 1 when something is wrong.`;

/** `…/ops/set-apn.form.json` → `ops/set-apn`. */
function idOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path).replace(/\.form\.json$/, '')}`;
}

function filesAt(path: string): string[] {
  return statSync(path).isDirectory() ? findFormFiles(path) : [path];
}

function makeNew(path: string, kind?: NewFormKind): number {
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
  writeFileSync(path, newForm(id, kind));
  console.log(`${path} is written. Check it with: npm run forms -- lint ${path}`);
  return 0;
}

interface Judged {
  path: string;
  inspection: Inspection;
}

function judge(path: string): Judged[] {
  const around = readFormContext();
  return filesAt(path).map((file) => ({ path: file, inspection: inspectForm(idOf(resolve(file)), readFileSync(file, 'utf8'), around) }));
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

type Output = 'words' | 'json' | 'sarif';

function lint(path: string, output: Output, place?: (finding: Finding) => { path: string } & Finding): number {
  const judged = judge(path);
  const findings = judged.flatMap(({ path: file, inspection }) =>
    inspection.findings.map((finding) => place?.(finding) ?? { path: file, ...finding }),
  );
  if (output === 'json') console.log(JSON.stringify(findings, null, 2));
  else if (output === 'sarif') console.log(JSON.stringify(sarifOf(findings), null, 2));
  else {
    for (const { path: file, line, column, code, message } of findings) console.error(`${file}:${line}:${column} ${code} ${message}`);
    console.log(
      findings.length === 0
        ? `${count(judged.length, 'form file')} ${judged.length === 1 ? 'is' : 'are'} right.`
        : `${count(findings.length, 'finding')} in ${count(judged.length, 'form file')}.`,
    );
  }
  return findings.length === 0 ? 0 : 1;
}

async function test(path: string): Promise<number> {
  let failed = lint(path, 'words');
  for (const { path: file, inspection } of judge(path)) {
    if (!inspection.isUsable) continue;
    const { level, next, missing } = qualityOf(inspection.form);
    console.log(`${file}: ${level}${next === null ? '' : `; for ${next}: ${missing.join(', ')}`} (docs/forms/quality.md)`);
    const proofs = [...(await proveForm(inspection.form, inspection.code)), ...proveGolden(inspection.form, readGolden(file))];
    for (const { name, faults } of proofs) {
      console.log(`${faults.length === 0 ? '✓' : '✗'} ${file}: ${name}`);
      for (const fault of faults) console.error(`    ${fault}`);
      if (faults.length > 0) failed = 1;
    }
  }
  return failed;
}

function explain(path: string): number {
  const judged = judge(path);
  for (const { inspection } of judged) if (inspection.isUsable) console.log(`${explainForm(inspection.form)}\n`);
  return judged.every(({ inspection }) => inspection.isUsable) ? 0 : lint(path, 'words');
}

function types(path: string): number {
  const judged = judge(path);
  const forms = judged.flatMap(({ inspection }) => (inspection.isUsable ? [inspection.form] : []));
  if (forms.length < judged.length) return lint(path, 'words');
  console.log(printFormTypes(forms));
  return 0;
}

function runImport(schema: string, uiSchema: string | undefined, data: string | undefined): number {
  let path: string;
  try {
    path = importSchema({ schema, uiSchema, data });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
  console.log(`${path} is written. It goes to the webhook "elsewhere": say under "submit" and "permission" where it should, and for whom.`);
  const text = readFileSync(path, 'utf8');
  const place = (finding: Finding): { path: string } & Finding => ({
    ...finding,
    path,
    ...placeInImport({ schema, uiSchema, data }, text, finding),
  });
  return lint(path, 'words', place);
}

const args = process.argv.slice(2);
const dataAt = args.indexOf('--data');
const data = dataAt === -1 ? undefined : args.splice(dataAt, 2)[1];
const [command, path, second] = args.filter((arg) => !arg.startsWith('--'));
if (args.includes('--help') || command === undefined || path === undefined) {
  console.log(USAGE);
  process.exitCode = args.includes('--help') ? 0 : 1;
} else if (command === 'new') {
  process.exitCode = makeNew(
    path,
    NEW_FORM_KINDS.find((kind) => args.includes(`--${kind}`)),
  );
} else if (!existsSync(path)) {
  console.error(`There is no ${path}.`);
  process.exitCode = 1;
} else if (command === 'import') {
  process.exitCode = runImport(path, second, data);
} else if (command === 'lint') {
  process.exitCode = lint(path, args.includes('--sarif') ? 'sarif' : args.includes('--json') ? 'json' : 'words');
} else if (command === 'types') {
  process.exitCode = types(path);
} else if (command === 'explain') {
  process.exitCode = explain(path);
} else if (command === 'test') {
  process.exitCode = await test(path);
} else {
  console.error(`There is no command "${command}".\n\n${USAGE}`);
  process.exitCode = 1;
}

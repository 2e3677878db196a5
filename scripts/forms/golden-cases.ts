import { existsSync, readFileSync } from 'node:fs';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import type { FormFile, JsonValue } from '../../schemas/kit/form/types.ts';
import { commandOf } from '../../server/features/forms/command.ts';
import { SAMPLE_DEVICE } from '../../server/features/forms/inspect.ts';
import { bodyOf, type Proof } from './prove-form.ts';

/** One case of `<name>.golden.json` beside `<name>.form.json`: what is sent, and what has to come of it. */
export interface GoldenCase {
  /** What it shows. */
  name: string;
  data: Record<string, JsonValue>;
  /** The fields that the server refuses, by path; it takes the data by default. */
  refused?: string[];
  /** The command that a device job makes of it for the sample device. */
  command?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

function isCase(value: unknown): value is GoldenCase {
  if (!isObject(value) || typeof value['name'] !== 'string' || !isObject(value['data'])) return false;
  const { refused, command } = value;
  return (refused === undefined || isTexts(refused)) && (command === undefined || typeof command === 'string');
}

/** The golden cases of a form file; none without a file of them. Throws for a file that is no list of cases. */
export function readGolden(formFile: string): GoldenCase[] {
  const path = formFile.replace(/\.form\.json$/, '.golden.json');
  if (!existsSync(path)) return [];
  const cases: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(cases) || !cases.every(isCase)) throw new Error(`${path} is no list of { "name", "data", "refused", "command" }.`);
  return cases;
}

/** Proves of a form that its golden cases still come out as they are written down. */
export function proveGolden(form: FormFile, cases: readonly GoldenCase[]): Proof[] {
  const check = compileForm(form);
  return cases.map(({ name, data, refused = [], command }) => {
    const found = [...new Set(check(bodyOf(form, data)).map(({ source }) => source ?? ''))].toSorted();
    const wanted = refused.toSorted();
    const faults =
      found.join() === wanted.join() ? [] : [`refused: ${found.join(', ') || 'nothing'}; expected: ${wanted.join(', ') || 'nothing'}`];
    if (command !== undefined && faults.length === 0) {
      const made = commandOf(form.submit.job ?? { steps: [] }, data, SAMPLE_DEVICE);
      if (made !== command) faults.push(`the command is ${made}; expected: ${command}`);
    }
    return { name: `golden: ${name}`, faults };
  });
}

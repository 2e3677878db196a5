import type { JsonValue } from '../form/types.ts';
import { evaluateExpression } from '../form/expression.ts';

/** What becomes of a value that a monitoring template collects. */
export const VARIABLE_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export interface Variable {
  id: string;
  /** `$.lines[0][1]`, `$.fields.MemFree`, `$.data[@.primary=true].rsrp` */
  filter: string;
  type: VariableType;
  default?: string;
  transform?: { evaluator: 'arithmetic'; eval_var: string; expression: string };
  enum?: readonly string[];
}

/** What a message needs beside what sources print. */
const ENVELOPE_BYTES = 120;
/** What a source prints before it was asked once. */
const GUESSED_BYTES = 400;
const DAY_SECONDS = 86_400;

/** The bytes of one answer: of the last one, else a guess. */
export const answerBytes = (sources: number, lastBytes: number | null): number => lastBytes ?? ENVELOPE_BYTES + sources * GUESSED_BYTES;

/** The bytes that a device sends each day: by what it answered last, else a guess. `period` in seconds. */
export function dailyBytes({
  sources,
  period,
  lastBytes,
}: {
  sources: readonly unknown[];
  period: number;
  lastBytes: number | null;
}): number {
  return Math.round((DAY_SECONDS / period) * answerBytes(sources.length, lastBytes));
}

const MOST_LINES = 200;
const MOST_STEPS = 20;
// `MemFree:  1024 kB`, `NAME="OpenWrt"`
const FIELD = /^\s*([A-Za-z0-9_.() -]{1,64}?)\s*[:=]\s*(.*)$/;
// `.name`, `["a name"]`, `[3]`, `[*]`, `[@.primary=true]`, `[?(@.name=="wan")]`
const STEP = /^(?:\.([A-Za-z0-9_-]+)|\["([^"]*)"\]|\[(\d{1,6})\]|\[(\*)\]|\[(?:\?\()?@\.([A-Za-z0-9_-]+)==?"?([^"\])]*)"?\)?\])/;

type Step =
  { kind: 'name'; name: string } | { kind: 'index'; index: number } | { kind: 'all' } | { kind: 'where'; name: string; value: string };

function stepOf([, name, quoted, index, all, key, value]: RegExpExecArray): Step {
  if (all !== undefined) return { kind: 'all' };
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  if (key !== undefined) return { kind: 'where', name: key, value: value ?? '' };
  return { kind: 'name', name: name ?? quoted ?? '' };
}

/** The steps of a path; undefined for a text that is none. */
function stepsOf(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: Step[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match || steps.length >= MOST_STEPS) return undefined;
    steps.push(stepOf(match));
    rest = rest.slice(match[0].length);
  }
  return steps;
}

/** Whether a text is a path that `readVariable` follows. */
export const isPath = (path: string): boolean => stepsOf(path) !== undefined;

const isRecord = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
const wordOf = (value: JsonValue | undefined): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function follow(values: JsonValue[], step: Step): JsonValue[] {
  return values.flatMap((value): JsonValue[] => {
    if (step.kind === 'name') {
      const member = memberOf(value, step.name);
      return member === undefined ? [] : [member];
    }
    if (!Array.isArray(value)) return [];
    if (step.kind === 'all') return value;
    if (step.kind === 'where') return value.filter((item) => wordOf(memberOf(item, step.name)) === step.value);
    const item = value[step.index];
    return item === undefined ? [] : [item];
  });
}

/**
 * What a source of a device printed, as a value that paths lead into. JSON is itself; other text is `{ text, lines: [[word, …], …], fields: { name: value } }`
 * with at most 200 lines.
 */
export function readSource(text: string): JsonValue {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // Text that only begins like JSON.
    }
  }
  const lines = text.split('\n').slice(0, MOST_LINES).map((line) => line.trim()).filter(Boolean); // prettier-ignore
  const fields = lines.flatMap((line): [string, string][] => {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    return name === undefined || name === '__proto__' ? [] : [[name, value.replace(/^"(.*)"$/, '$1')]];
  });
  return { text: text.trim(), lines: lines.map((line) => line.split(/\s+/)), fields: Object.fromEntries(fields) };
}

/** The value at a path of `readSource`; undefined where there is nothing. A path that meets several values gives the first. */
export function valueAtPath(root: JsonValue, path: string): JsonValue | undefined {
  let steps = stepsOf(path) ?? [];
  const [first] = steps;
  // Filters of documented templates begin at the answer of an HTTP call.
  if (first?.kind === 'name' && first.name === 'http_body' && memberOf(root, 'http_body') === undefined) steps = steps.slice(1);
  return steps.reduce<JsonValue[]>(follow, [root])[0];
}

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // `12`, `-3.5e2`, `123456 kB`
  const digits =
    typeof value === 'string' ? /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?:\s*[A-Za-z%°/]{1,8})?\s*$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 'up']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no', 'off', 'down']);

function converted(value: JsonValue, type: VariableType): JsonValue | undefined {
  if (type === 'string') return wordOf(value);
  if (type === 'array') return Array.isArray(value) ? value : undefined;
  if (type === 'object') return isRecord(value) ? value : undefined;
  if (type === 'boolean') {
    const word = wordOf(value).toLowerCase();
    return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined;
  }
  const number = numberOf(value);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  return type === 'integer' ? Math.round(number) : number;
}

/** The value of a variable, or why there is none. */
export type Reading = { value: JsonValue } | { fault: string };

const faultOf = (url: string, { id, filter }: Variable, why: string): Reading => ({
  fault: `Variable retrieval failed: url [${url}], id [${id}], filter [${filter}], ${why}`,
});

/** The value of a variable in what a source printed; its default where there is nothing at its path. */
export function readVariable(url: string, root: JsonValue, variable: Variable): Reading {
  const found = valueAtPath(root, variable.filter) ?? variable.default;
  if (found === undefined) return faultOf(url, variable, 'nothing there');
  let value = found;
  if (variable.transform) {
    const number = numberOf(found);
    const result =
      number === undefined ? undefined : evaluateExpression(variable.transform.expression, { [variable.transform.eval_var]: number });
    if (result === undefined || !Number.isFinite(result))
      return faultOf(url, variable, `the transform gives no number for [${wordOf(found).slice(0, 100)}]`);
    value = result;
  }
  const typed = converted(value, variable.type);
  if (typed === undefined)
    return faultOf(
      url,
      variable,
      `type mismatch: can not convert actual value [${wordOf(value).slice(0, 100)}] to expected [${variable.type}] type`,
    );
  if (variable.enum && variable.enum.length > 0 && !variable.enum.includes(wordOf(typed)))
    return faultOf(url, variable, `[${wordOf(typed).slice(0, 100)}] is none of its values`);
  return { value: typed };
}

/** Every variable of a source that a device was asked for; `code` is the exit code of what it ran. */
export function readVariables(
  url: string,
  variables: readonly Variable[],
  answer: { code: number; output: string },
): { values: Record<string, JsonValue>; faults: string[] } {
  const values: Record<string, JsonValue> = {};
  const faults: string[] = [];
  if (answer.code !== 0) {
    const why = answer.output.trim().split('\n')[0]?.slice(0, 200) || `exit code ${answer.code}`;
    return {
      values,
      faults: variables.map(({ id, filter }) => `Variable retrieval failed: url [${url}], id [${id}], filter [${filter}], ${why}`),
    };
  }
  const root = readSource(answer.output);
  for (const variable of variables) {
    const reading = readVariable(url, root, variable);
    if ('fault' in reading) faults.push(reading.fault);
    else values[variable.id] = reading.value;
  }
  return { values, faults };
}

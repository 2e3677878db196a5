import { sourceUrl } from '../../../schemas/kit/devices/api-sources.ts';
import { readSource, type VariableType } from '../../../schemas/kit/devices/collected.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** A place in what a device answered, with the path by which a variable reads it. */
export interface AnswerNode {
  name: string;
  path: string;
  /** Of a single value: as people read it. */
  text: string | undefined;
  type: VariableType | undefined;
  children: AnswerNode[];
}

const MOST_CHILDREN = 100;
const MOST_DEPTH = 12;
const PLAIN_NAME = /^[A-Za-z0-9_-]+$/;

function typeOf(value: JsonValue): VariableType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? 'number' : 'string';
}

function nodeOf(name: string, path: string, value: JsonValue, depth: number): AnswerNode {
  if (typeof value !== 'object' || value === null)
    return { name, path, text: value === null ? 'null' : String(value), type: value === null ? undefined : typeOf(value), children: [] };
  if (depth >= MOST_DEPTH) return { name, path, text: '…', type: undefined, children: [] };
  const children = Array.isArray(value)
    ? value.slice(0, MOST_CHILDREN).map((item, index) => nodeOf(`[${index}]`, `${path}[${index}]`, item, depth + 1))
    : Object.entries(value)
        // A name with a quote in it cannot be written in a path.
        .filter(([key]) => !key.includes('"'))
        .slice(0, MOST_CHILDREN)
        .map(([key, item]) => nodeOf(key, PLAIN_NAME.test(key) ? `${path}.${key}` : `${path}["${key}"]`, item, depth + 1));
  return { name, path, text: undefined, type: undefined, children };
}

/** What a device answered as a tree; every leaf with the path that leads there. */
export const answerTree = (output: string): AnswerNode => nodeOf('$', '$', readSource(output), 0);

/** A name for a variable that reads a path, unlike those that are there: `$.fields["Mem Free"]` gives `mem_free`. */
export function variableIdFor(path: string, taken: ReadonlySet<string>): string {
  const last = (path.match(/[A-Za-z0-9_ -]+/g) ?? []).findLast((part) => !/^\d+$/.test(part)) ?? 'value';
  const words = last.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, ''); // prettier-ignore
  const base = words.slice(0, 32) || 'value';
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}_${count}`;
    if (!taken.has(id)) return id;
  }
}

/** A source with its variables, as the forms of templates have it; one that is being entered may lack either. */
export interface SourceEntry {
  url?: string;
  variables?: readonly { id?: string; filter?: string }[];
}

const isAbout = ({ url: own }: SourceEntry, url: string): boolean => own !== undefined && sourceUrl(own) === sourceUrl(url);

/** Whether one of the sources has a variable that reads a path of an address. */
export const hasVariable = (entries: readonly SourceEntry[], url: string, filter: string): boolean =>
  entries.some((entry) => isAbout(entry, url) && (entry.variables ?? []).some((one) => one.filter === filter));

/** The sources with one more variable: of the address where it is among them, else of a new one. */
export function withVariable(
  entries: readonly SourceEntry[],
  url: string,
  { path, type = 'string' }: { path: string; type?: VariableType | undefined },
): SourceEntry[] {
  const taken = new Set(entries.flatMap(({ variables = [] }) => variables.map((one) => one.id ?? '')));
  const variable = { id: variableIdFor(path, taken), filter: path, type };
  return entries.some((entry) => isAbout(entry, url))
    ? entries.map((entry) => (isAbout(entry, url) ? { ...entry, variables: [...(entry.variables ?? []), variable] } : entry))
    : [...entries, { url, variables: [variable] }];
}

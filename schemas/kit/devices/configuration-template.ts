import type { ConfigSection } from './configuration.ts';
import { isEntryList } from './entry-lists.ts';
import type { JsonValue } from '../form/types.ts';

/** One call of a template, as the public API has it: `{id}` in the path is the section that `search_elements` finds. */
export interface TemplateCall {
  path: string;
  method: 'put' | 'post' | 'delete';
  content_type?: string;
  query_parameters?: { key: string; value: string }[];
  search_elements?: { search_key: string; path: string; elements: { key: string; value: string }[] }[];
  request_data?: { data?: Record<string, JsonValue> };
}

/** Why a template cannot be worked out for a device; `names` says which variable, or which ones lead to each other. */
export interface TemplateFault {
  fault: 'MISSING' | 'AMBIGUOUS' | 'CIRCLE' | 'UNFIT' | 'SECRET' | 'NOT_READ' | 'GONE';
  names: string;
}

/** A name in a text: `{{vlan}}`, `{{device.name}}`. */
const PLACEHOLDER = /\{\{\s*([a-z][a-z0-9_.]{0,63})\s*\}\}/g;
export const VARIABLE_NAME = '^[a-z][a-z0-9_]{0,63}$';
const LONGEST = 4096;

export const hasVariable = (value: JsonValue | undefined): boolean => typeof value === 'string' && value.search(PLACEHOLDER) !== -1;

/** The variables that a text names. */
export const namesIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** What a variable is for a device: its text; undefined when nobody has set it, null when two of its tags set it differently. */
export type Lookup = (name: string) => string | undefined | null;

/** The same variables for options that may show and for secret ones: `open` throws Unfilled for a secret variable. */
export interface Lookups {
  open: Lookup;
  all: Lookup;
}

/** Thrown by `fillText`. */
export class Unfilled extends Error {
  readonly fault: TemplateFault;
  constructor(fault: TemplateFault['fault'], names: string) {
    super(`${fault} ${names}`);
    this.fault = { fault, names };
  }
}

// Values that name each other several times would be worked out repeatedly.
const worked = new WeakMap<Lookup, Map<string, string>>();

function valueOf(name: string, lookup: Lookup, within: readonly string[]): string {
  const known = worked.get(lookup) ?? new Map<string, string>();
  worked.set(lookup, known);
  const value = lookup(name);
  if (value === undefined) throw new Unfilled('MISSING', name);
  if (value === null) throw new Unfilled('AMBIGUOUS', name);
  const filled = known.get(name) ?? fillText(value, lookup, [...within, name]);
  known.set(name, filled);
  return filled;
}

/** A text with its variables put in, and those that they name in turn. Throws Unfilled. */
export function fillText(text: string, lookup: Lookup, within: readonly string[] = []): string {
  const filled = text.replaceAll(PLACEHOLDER, (_all, name: string) => {
    if (within.includes(name)) throw new Unfilled('CIRCLE', [...within.slice(within.indexOf(name)), name].join(' → '));
    return valueOf(name, lookup, within);
  });
  if (filled.length > LONGEST) throw new Unfilled('UNFIT', within[0] ?? '');
  return filled;
}

/** The chain of names that leads from one of them back to itself; undefined when none does. */
export function circleIn(values: ReadonlyMap<string, string>): string | undefined {
  const lookup: Lookup = (one) => values.get(one) ?? '';
  for (const name of values.keys())
    try {
      fillText(`{{${name}}}`, lookup);
    } catch (error) {
      if (error instanceof Unfilled && error.fault.fault === 'CIRCLE') return error.fault.names;
    }
  return undefined;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** What was typed as the kind of value that an option has; null for nothing. A list of objects is typed as JSON. */
export function typedValue(section: ConfigSection, option: string, text: string): JsonValue {
  const type = section.schema.properties[option]?.type;
  const clean = text.trim();
  if (clean === '') return null;
  if (isEntryList(section, option)) return parsed(clean);
  if (type === 'array') return clean.split(/\s*,\s*/).filter((part) => part !== '');
  if (type === 'boolean') return ['1', 'true', 'yes', 'on'].includes(clean.toLowerCase());
  const number = Number(clean);
  return (type === 'integer' || type === 'number') && !Number.isNaN(number) ? number : clean;
}

/** The value of an option with its variables put in. Throws Unfilled. */
export function fillValue(section: ConfigSection, option: string, value: JsonValue, lookup: Lookup): JsonValue {
  if (isEntryList(section, option) && typeof value === 'object') return parsed(fillText(JSON.stringify(value), lookup));
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? fillText(one, lookup) : one));
  return typeof value === 'string' && hasVariable(value) ? typedValue(section, option, fillText(value, lookup)) : value;
}

const placeOf = ({ path, search_elements, query_parameters }: TemplateCall): string =>
  JSON.stringify([path, search_elements ?? [], query_parameters ?? []]);

/** The calls of a template after those of the one that it builds on; where both set an option, its own counts. */
export function mergeCalls(base: readonly TemplateCall[], own: readonly TemplateCall[]): TemplateCall[] {
  const merged = new Map<string, TemplateCall>();
  for (const call of [...base, ...own]) {
    const known = merged.get(placeOf(call));
    const data = { ...(known?.method === 'delete' ? {} : known?.request_data?.data), ...call.request_data?.data };
    merged.set(placeOf(call), call.method === 'delete' ? call : { ...call, request_data: { data } });
  }
  return [...merged.values()];
}

import { FORBIDDEN_NAMES } from './form-fields.ts';
import { englishText } from './messages.ts';
import type { ErrorItem } from './types.ts';

/** Levels of lists and objects that data may have: twelve of a recursive type, each in a list, and what encloses them. */
export const MAX_DATA_DEPTH = 32;

/** Members by which compiled validators compare objects: one of somebody else's would be called. */
const CALLED: ReadonlySet<string> = new Set(['valueOf', 'toString']);

/** Whether a member of data may have this name. */
export function isUsableName(name: string): boolean {
  return !CALLED.has(name) && !FORBIDDEN_NAMES.has(name);
}

function item(code: string, key: string, params: Record<string, string | number>, source?: string): ErrorItem {
  return { code, message: englishText(key, params), ...(source === undefined ? {} : { source }), params: { ...params, key } };
}

function faultIn(data: unknown, path: readonly string[]): ErrorItem | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (path.length === MAX_DATA_DEPTH) return item('INVALID_FIELD', 'validation.tooDeep', { count: MAX_DATA_DEPTH });
  const called = Object.keys(data).find((name) => CALLED.has(name));
  if (called !== undefined) return item('UNKNOWN_FIELD', 'validation.unknown', { field: called }, [...path, called].join('.'));
  for (const [name, inner] of Object.entries(data)) {
    const fault = faultIn(inner, [...path, name]);
    if (fault) return fault;
  }
  return undefined;
}

/** Why data is not even compared with a schema: nobody enters such a thing, and judging it could take long or go wrong. One fault at most. */
export function dataFaults(data: unknown): ErrorItem[] {
  const fault = faultIn(data, []);
  return fault ? [fault] : [];
}

import { typesOf } from './schema-parts.ts';
import type { JsonSchema, JsonValue } from './types.ts';

/** Formats that an empty text has. */
const LOOSE_FORMATS: ReadonlySet<string | undefined> = new Set([undefined, 'name', 'line', 'password']);

function takesEmptyText({ minLength = 0, pattern, format }: JsonSchema): boolean {
  return minLength === 0 && pattern === undefined && LOOSE_FORMATS.has(format);
}

/**
 * What stands for "empty" in a field of this schema: an empty text or list where it takes one, else null where it takes that; `undefined` where the schema
 * has nothing for it, so that an emptied field is left out. Pure.
 */
export function emptyOf(schema: JsonSchema): JsonValue | undefined {
  if (schema.const !== undefined) return undefined;
  const choices = schema.enum;
  if (choices) return ['', null].find((empty) => choices.includes(empty));
  const types = typesOf(schema);
  if (types.includes('string') && takesEmptyText(schema)) return '';
  if (types.includes('array') && !schema.minItems) return [];
  return types.includes('null') ? null : undefined;
}

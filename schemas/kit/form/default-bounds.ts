import { BOUNDED_FORMATS } from './formats.ts';
import { innerSchemas, typesOf, withInner } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** What a text, a list and an object may hold where a form's schema does not say. The whole of a body is bounded too (1 MiB). */
export const DEFAULT_BOUNDS = { maxLength: 100_000, maxItems: 1000, maxProperties: 1000 } as const;
/** A file inside a text is larger than what people write. */
export const DEFAULT_DATA_URL_LENGTH = 1_000_000;

/** The bounds that a schema lacks for its own type; what it forbids or lists needs none. */
export function missingBounds(schema: JsonSchema): Partial<Record<keyof typeof DEFAULT_BOUNDS, number>> {
  if (schema.enum || schema.const !== undefined) return {};
  const types = typesOf(schema);
  const { format = '', additionalProperties, patternProperties } = schema;
  const longest = format === 'data-url' ? DEFAULT_DATA_URL_LENGTH : DEFAULT_BOUNDS.maxLength;
  const isOpen = additionalProperties !== false || patternProperties !== undefined;
  return {
    ...(types.includes('string') && schema.maxLength === undefined && !BOUNDED_FORMATS.has(format) ? { maxLength: longest } : {}),
    ...(types.includes('array') && schema.maxItems === undefined ? { maxItems: DEFAULT_BOUNDS.maxItems } : {}),
    ...(types.includes('object') && schema.maxProperties === undefined && isOpen ? { maxProperties: DEFAULT_BOUNDS.maxProperties } : {}),
  };
}

/** Below these a bound would turn the meaning round: what is not accepted would grow. */
const TURNED = new Set(['not', 'if']);

/** The schema with `DEFAULT_BOUNDS` where it has none. The same object when it has all. Pure. */
export function withDefaultBounds(schema: JsonSchema): JsonSchema {
  const missing = missingBounds(schema);
  const bounded = Object.keys(missing).length > 0 ? { ...schema, ...missing } : schema;
  return innerSchemas(schema)
    .filter(({ keyword }) => !TURNED.has(keyword))
    .reduce((whole, { schema: inner, at }) => {
      const next = withDefaultBounds(inner);
      return next === inner ? whole : withInner(whole, at, next);
    }, bounded);
}

import { targetOf } from './refs.ts';
import { itemOf, typesOf } from './schema-parts.ts';
import type { JsonSchema, JsonValue } from './types.ts';

const TEXTS: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  uri: 'https://example.com',
  'data-url': 'data:text/plain;base64,QQ==',
  color: '#0958d9',
  ipv4: '192.168.1.1',
};

function textFor({ format = '', minLength = 1 }: JsonSchema): string {
  return TEXTS[format] ?? 'x'.repeat(Math.max(1, minLength));
}

function numberFor({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? Math.min(0, maximum ?? 0) : exclusiveMinimum + multipleOf);
  return Math.ceil(least / multipleOf) * multipleOf;
}

/** A list with as many items as there must be. */
function filled(items: readonly JsonValue[], schema: JsonSchema, root: JsonSchema, depth: number): JsonValue[] {
  const item = itemOf(schema);
  const missing = Math.max(0, (schema.minItems ?? 0) - items.length);
  return [...items, ...Array.from({ length: missing }, () => (item ? exampleOf(item, root, depth + 1) : null))];
}

/**
 * A value that a schema probably accepts, with as little in it as may be: defaults, first choices, what is required. Code that needs a valid one
 * checks it. Pure.
 */
export function exampleOf(schema: JsonSchema, root: JsonSchema = schema, depth = 0): JsonValue {
  if (Array.isArray(schema.default)) return filled(schema.default, schema, root, depth);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const target = schema.$ref === undefined ? undefined : targetOf(schema.$ref, root);
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  const inner = [target, first, ...(schema.allOf ?? [])].filter((part) => part !== undefined);
  if (inner.length > 0 && depth < 12) {
    const { oneOf: _one, anyOf: _any, allOf: _all, $ref: _ref, ...rest } = schema;
    const whole = inner.reduce<JsonSchema>(
      (sum, part) => ({
        ...sum,
        ...part,
        properties: { ...sum.properties, ...part.properties },
        required: [...(sum.required ?? []), ...(part.required ?? [])],
      }),
      rest,
    );
    return exampleOf(whole, root, depth + 1);
  }
  const [type] = typesOf(schema);
  if (type === 'string') return textFor(schema);
  if (type === 'integer' || type === 'number') return numberFor(schema);
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (type === 'array') return filled([], schema, root, depth);
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, root, depth + 1)]));
}

import type { JsonSchema } from './types.ts';

/** Where something is in a file: names of members and positions in lists. */
export type JsonPath = (string | number)[];

const MAPS = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const;
const SINGLES = ['items', 'additionalItems', 'additionalProperties', 'propertyNames', 'contains', 'if', 'then', 'else', 'not'] as const;
/** The values of these say more about a value that is described elsewhere. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'dependencies',
  'dependentSchemas',
  'propertyNames',
  'contains',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
]);

/** Whether a value is a schema that is an object, as opposed to a boolean or a list. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema directly inside another, by the keyword above it. */
export interface InnerSchema {
  schema: JsonSchema;
  keyword: string;
  /** From the outer schema. */
  at: JsonPath;
}

/** The schemas directly inside a schema. */
export function innerSchemas(schema: JsonSchema): InnerSchema[] {
  return [
    ...MAPS.flatMap((keyword) =>
      Object.entries(schema[keyword] ?? {}).flatMap(([name, inner]) =>
        isSchema(inner) ? [{ schema: inner, keyword, at: [keyword, name] }] : [],
      ),
    ),
    ...LISTS.flatMap((keyword) => {
      const list = schema[keyword];
      return Array.isArray(list)
        ? list.flatMap((inner, index) => (isSchema(inner) ? [{ schema: inner, keyword, at: [keyword, index] }] : []))
        : [];
    }),
    ...SINGLES.flatMap((keyword) => {
      const inner = schema[keyword];
      return isSchema(inner) ? [{ schema: inner, keyword, at: [keyword] }] : [];
    }),
  ];
}

/** The schema with another one in place of that directly inside it, `at` as in `InnerSchema`. Pure. */
export function withInner(schema: JsonSchema, at: readonly (string | number)[], inner: JsonSchema): JsonSchema {
  const [name = '', ...rest] = at;
  const value: unknown = Reflect.get(schema, name);
  const next: unknown = rest.length === 0 ? inner : placed(value, rest[0] ?? '', inner);
  return { ...schema, [name]: next };
}

function placed(parts: unknown, name: string | number, inner: JsonSchema): unknown {
  if (Array.isArray(parts)) return parts.map((part: unknown, index) => (index === name ? inner : part));
  return { ...Object(parts), [name]: inner };
}

/** A schema anywhere inside another, itself included. `isCondition`: below a keyword that only adds to what is described elsewhere. */
export interface SchemaPart {
  schema: JsonSchema;
  at: JsonPath;
  isCondition: boolean;
}

/** A schema and every schema inside it, as written: references are not followed. */
export function* partsOf(schema: JsonSchema, at: JsonPath = [], isCondition = false): Generator<SchemaPart> {
  yield { schema, at, isCondition };
  for (const inner of innerSchemas(schema))
    yield* partsOf(inner.schema, [...at, ...inner.at], isCondition || CONDITIONS.has(inner.keyword));
}

/** The types that a schema names; none when it leaves the type open. */
export function typesOf({ type }: Pick<JsonSchema, 'type'>): string[] {
  return type === undefined ? [] : [type].flat();
}

/** The schema of the items of a list that has one for all of them. */
export function itemOf({ items }: Pick<JsonSchema, 'items'>): JsonSchema | undefined {
  return isSchema(items) ? items : undefined;
}

import { allFormats } from './all-formats.ts';
import { editDistance } from '../lint/nearest.ts';
import { innerSchemas, withInner } from './schema-parts.ts';
import type { JsonSchema, SchemaType } from './types.ts';

/** The keywords that mean something here, in every draft. */
const KEYWORDS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$ref',
  '$comment',
  'definitions',
  '$defs',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
  'examples',
  'readOnly',
  'writeOnly',
  'patternProperties',
  'propertyNames',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
  'additionalItems',
  'contains',
  'enumNames',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'contentEncoding',
  'contentMediaType',
  'discriminator',
]);

/** Keywords of the drafts after 7 that would change the verdict: there they are refused by name, before they are another program's own words. */
export const LATER_KEYWORDS: ReadonlySet<string> = new Set([
  'unevaluatedProperties',
  'unevaluatedItems',
  'minContains',
  'maxContains',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$anchor',
]);

/** What a schema that was written for other programs may have, beside what this one knows. */
interface ForeignSchema {
  id?: unknown;
  nullable?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: unknown;
  exclusiveMaximum?: unknown;
}

/** Bounds as draft 4 has them: `exclusiveMinimum: true` says that `minimum` itself is out. */
function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ForeignSchema): object {
  const isLow = exclusiveMinimum === true;
  const isHigh = exclusiveMaximum === true;
  return {
    minimum: isLow ? undefined : minimum,
    maximum: isHigh ? undefined : maximum,
    exclusiveMinimum: isLow ? minimum : exclusiveMinimum === false ? undefined : exclusiveMinimum,
    exclusiveMaximum: isHigh ? maximum : exclusiveMaximum === false ? undefined : exclusiveMaximum,
  };
}

/** Keywords that change no verdict. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  'title',
  'description',
  'examples',
  'enumNames',
  'contentEncoding',
  'contentMediaType',
]);
const RULES = [...KEYWORDS].filter((keyword) => !ANNOTATIONS.has(keyword));

/** Whether one letter of a rule is wrong: such a mistake must not take the rule away unseen, so it stays for the linter to name. */
function isMistyped(name: string): boolean {
  return name.length > 4 && RULES.some((keyword) => editDistance(name, keyword) === 1);
}

function readOne(schema: JsonSchema, isDraft4: boolean, isLater: boolean): JsonSchema {
  const { id, nullable } = schema as ForeignSchema;
  const { $schema = '', format, type } = schema;
  const read: Record<string, unknown> = {
    ...schema,
    ...boundsOf(schema),
    ...(isDraft4 && typeof id === 'string' ? { $id: id } : {}),
    // As OpenAPI says it, and Ajv takes it.
    ...(nullable === true && type !== undefined ? { type: [...new Set<SchemaType>([type, 'null'].flat() as SchemaType[])] } : {}),
    $schema: $schema.includes('json-schema.org/draft-04/') ? undefined : schema.$schema,
    format: format !== undefined && Object.hasOwn(allFormats, format) ? format : undefined,
  };
  const known = Object.entries(read).filter(
    ([name, value]) => value !== undefined && (KEYWORDS.has(name) || (isLater && LATER_KEYWORDS.has(name)) || isMistyped(name)),
  );
  return Object.fromEntries(known) as JsonSchema;
}

/**
 * A schema that was written for other programs as this one reads it: unknown keywords and formats are left out, as JSON Schema says, and what draft 4 and
 * OpenAPI say in words of their own is said in those of draft 7. Pure.
 */
export function readableSchema(schema: JsonSchema): JsonSchema {
  const { $schema = '' } = schema;
  const isDraft4 = $schema.includes('json-schema.org/draft-04/');
  const isLater = /draft\/20\d\d-\d\d/.test($schema);
  const read = (part: JsonSchema): JsonSchema =>
    innerSchemas(part).reduce((outer, { schema: inner, at }) => withInner(outer, at, read(inner)), readOne(part, isDraft4, isLater));
  return read(schema);
}

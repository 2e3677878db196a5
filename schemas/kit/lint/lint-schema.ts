import { allFormats } from '../form/all-formats.ts';
import { compileFormBody } from '../form/compile-body.ts';
import { BOUNDED_FORMATS } from '../form/formats.ts';
import type { LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { endlessRefs, targetOf } from '../form/refs.ts';
import { compilePattern, storedPattern } from '../patterns/compile-pattern.ts';
import { PatternFault } from '../patterns/pattern-fault.ts';
import { isSchema, itemOf, partsOf, typesOf, type JsonPath, type SchemaPart } from '../form/schema-parts.ts';
import type { JsonSchema } from '../form/types.ts';

export const MAX_FIELDS = 300;
/** Schemas that describe whole devices name more, most of them in branches that are seldom drawn. */
export const MAX_ADDED_FIELDS = 3000;

/** The names that members have in the contract; added forms are not held to it. */
// One name of the public console that is not in snake case.
const CONTRACT_NAME = /^(?:isImpersonating|[a-z][a-z0-9_-]{0,63})$/;

function checkPattern(source: LintSource, pattern: string, at: JsonPath, key?: 'key'): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    source.report(at, 'bad-pattern', error.message, key);
  }
}

function checkBounds(source: LintSource, schema: JsonSchema, at: JsonPath): void {
  // What a reference leads to is a part of the file, and is checked there.
  if (schema.enum || schema.const !== undefined || schema.$ref !== undefined) return;
  const types = typesOf(schema);
  if (types.length === 0) source.report(at, 'unbounded', 'Say the `type`: without one anything is accepted.');
  if (types.includes('string') && schema.maxLength === undefined && !BOUNDED_FORMATS.has(schema.format ?? '')) {
    source.report(at, 'unbounded', 'A text needs a `maxLength`: the server keeps no text without a bound.');
  }
  if (types.includes('array') && (schema.maxItems === undefined || !itemOf(schema)))
    source.report(at, 'unbounded', 'A list needs `items` and `maxItems`.');
  if (types.includes('object')) {
    const open = schema.additionalProperties === undefined || schema.additionalProperties === true;
    if (open)
      source.report(at, 'open-object', 'Say `"additionalProperties": false`, or what other members must be: unknown members are refused.');
    if (typeof schema.additionalProperties === 'object' && schema.maxProperties === undefined)
      source.report(at, 'unbounded', 'Free members need a `maxProperties`.');
  }
}

function checkDefault(source: LintSource, schema: JsonSchema, at: JsonPath): void {
  if (schema.default === undefined) return;
  const { default: value, ...rule } = schema;
  try {
    const [first] = compileFormBody(rule)(value);
    if (first) source.report([...at, 'default'], 'bad-default', `The default breaks the field's own rule: ${first.message}`);
  } catch {
    // It refers to another schema, or is wrong itself, which is reported where the whole of it is compiled.
  }
}

function checkRef(source: LintSource, ref: string, resources: readonly JsonSchema[], at: JsonPath): void {
  const [address = ''] = ref.split('#');
  const isNamed = address !== '' && resources.some(({ $id }) => $id !== undefined && ($id === address || $id.endsWith(address)));
  if (isNamed || (address === '' && resources.some((resource) => targetOf(ref, resource)))) return;
  source.report(
    at,
    'reference',
    address === ''
      ? `"${ref}" leads to no schema of this file.`
      : `"${ref}" leads out of this file: put the schema under "definitions" here and refer to it as "#/definitions/…".`,
  );
}

const RANGES = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function checkPart(source: LintSource, { schema, at }: SchemaPart, resources: readonly JsonSchema[]): void {
  for (const [low, high] of RANGES) {
    if ((schema[low] ?? -Infinity) > (schema[high] ?? Infinity))
      source.report([...at, low], 'impossible', `${low} is greater than ${high}: nothing fits.`);
  }
  if (schema.$ref !== undefined) checkRef(source, schema.$ref, resources, [...at, '$ref']);
  if (schema.format !== undefined && !Object.hasOwn(allFormats, schema.format)) {
    source.report(
      [...at, 'format'],
      'unknown-format',
      `No format named "${schema.format}".${didYouMean(schema.format, Object.keys(allFormats))}`,
    );
  }
  if (schema.pattern !== undefined) checkPattern(source, schema.pattern, [...at, 'pattern']);
  for (const name of Object.keys(schema.patternProperties ?? {})) checkPattern(source, name, [...at, 'patternProperties', name], 'key');
}

/** What only the files of the contract are held to: names, bounds, and that `required` names properties. */
function checkContractPart(source: LintSource, { schema, at, isCondition }: SchemaPart, isInput: boolean): void {
  const names = Object.keys(schema.properties ?? {});
  for (const name of names.filter((one) => !CONTRACT_NAME.test(one)))
    source.report([...at, 'properties', name], 'bad-name', `"${name}" is not a name that can stand here: ${CONTRACT_NAME.source}.`, 'key');
  (schema.required ?? []).forEach((name, index) => {
    if (!isCondition && !names.includes(name))
      source.report([...at, 'required', index], 'unknown-field', `"${name}" is required but is no property.${didYouMean(name, names)}`);
  });
  if (isInput && !isCondition) checkBounds(source, schema, at);
}

/** The names that a schema may give members to, in conditions and choices too. */
function namesIn(schema: JsonSchema, root: JsonSchema, seen = new Set<JsonSchema>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const {
    $ref,
    allOf = [],
    anyOf = [],
    oneOf = [],
    if: condition,
    then,
    else: otherwise,
    dependencies = {},
    dependentSchemas = {},
  } = schema;
  const target = $ref === undefined ? undefined : targetOf($ref, root);
  const parts = [
    target,
    condition,
    then,
    otherwise,
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...Object.values(dependencies),
    ...Object.values(dependentSchemas),
  ];
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap((part) => (isSchema(part) ? namesIn(part, root, seen) : []))];
}

/** A member that is required and that nobody can enter: nothing could be sent. */
function checkAddedPart(source: LintSource, { schema, at, isCondition }: SchemaPart, root: JsonSchema): void {
  const { properties, patternProperties = {}, additionalProperties = false, required = [] } = schema;
  if (isCondition || !properties || additionalProperties !== false) return;
  const names = namesIn(schema, root);
  required.forEach((name, index) => {
    if (names.includes(name) || Object.keys(patternProperties).some((pattern) => storedPattern(pattern).test(name))) return;
    source.report([...at, 'required', index], 'unknown-field', `"${name}" is required but is no property.${didYouMean(name, names)}`);
  });
}

/**
 * Checks what a meta-schema cannot: names, bounds, references, patterns and defaults of a schema. `isInput`: it is enforced on what people send.
 * `isAdded`: of an added form, whose bounds the server completes and whose names are its own.
 */
export function checkSchema(source: LintSource, schema: JsonSchema, at: JsonPath, isInput: boolean, isAdded = false): void {
  let fields = 0;
  const parts = [...partsOf(schema, at)];
  const resources = [schema, ...parts.flatMap((part) => (part.schema.$id === undefined ? [] : [part.schema]))];
  const endless = endlessRefs(schema);
  for (const part of parts) {
    if (endless.has(part.schema))
      source.report([...part.at, '$ref'], 'reference', `"${part.schema.$ref}" leads to itself: judging a value would never end.`);
    if (!part.isCondition) fields += Object.keys(part.schema.properties ?? {}).length;
    if (isAdded) checkAddedPart(source, part, schema);
    else checkContractPart(source, part, isInput);
    checkPart(source, part, resources);
    // What rjsf fills a form with need not be right before somebody has gone on with it.
    if (!isAdded) checkDefault(source, part.schema, part.at);
  }
  const most = isAdded ? MAX_ADDED_FIELDS : MAX_FIELDS;
  if (fields > most) source.report([...at, 'properties'], 'too-many-fields', `The schema has ${fields} fields; the limit is ${most}.`);
}

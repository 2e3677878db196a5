import { compileBody } from './compile-body.ts';
import { formats } from './formats.ts';
import type { JsonPath, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { findRisk } from './risky-pattern.ts';
import type { JsonSchema } from './types.ts';

export const MAX_FIELDS = 300;

/** Formats whose own rule bounds the length of a text. */
const BOUNDED_FORMATS = new Set(['ipv4', 'color', 'mac', 'timestamp', 'date', 'cidr', 'imei', 'phone', 'file-name']);

function typesOf(schema: JsonSchema): string[] {
  return schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type];
}

/** Calls `visit` for a schema and for every schema inside it. */
function walk(
  schema: JsonSchema,
  at: JsonPath,
  visit: (schema: JsonSchema, at: JsonPath, isCondition: boolean) => void,
  isCondition = false,
): void {
  visit(schema, at, isCondition);
  for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, [...at, 'properties', name], visit, isCondition);
  if (schema.items) walk(schema.items, [...at, 'items'], visit, isCondition);
  if (typeof schema.additionalProperties === 'object')
    walk(schema.additionalProperties, [...at, 'additionalProperties'], visit, isCondition);
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    schema[key]?.forEach((part, index) => walk(part, [...at, key, index], visit, true));
  }
  for (const key of ['if', 'then', 'else', 'not'] as const) {
    const part = schema[key];
    if (part) walk(part, [...at, key], visit, true);
  }
}

function checkPattern(source: LintSource, pattern: string, maxLength: number | undefined, at: JsonPath): void {
  try {
    RegExp(pattern, 'u');
  } catch (error) {
    source.report(at, 'bad-pattern', `This is no regular expression: ${error instanceof Error ? error.message : String(error)}.`);
    return;
  }
  const risk = findRisk(pattern, maxLength);
  if (risk) source.report(at, 'risky-pattern', `A hostile text could keep this regular expression busy for very long: ${risk}.`);
}

function checkBounds(source: LintSource, schema: JsonSchema, at: JsonPath): void {
  if (schema.enum || schema.const !== undefined) return;
  const types = typesOf(schema);
  if (types.length === 0) source.report(at, 'unbounded', 'Say the `type`: without one anything is accepted.');
  if (types.includes('string') && schema.maxLength === undefined && !BOUNDED_FORMATS.has(schema.format ?? '')) {
    source.report(at, 'unbounded', 'A text needs a `maxLength`: the server keeps no text without a bound.');
  }
  if (types.includes('array') && (schema.maxItems === undefined || !schema.items))
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
    const [first] = compileBody(rule)(value);
    if (first) source.report([...at, 'default'], 'bad-default', `The default breaks the field's own rule: ${first.message}`);
  } catch {
    // The schema itself is wrong, which is reported where the whole of it is compiled.
  }
}

/** Checks what a meta-schema cannot: names, bounds, patterns and defaults of a schema. `isInput`: it is enforced on what people send. */
export function checkSchema(source: LintSource, schema: JsonSchema, at: JsonPath, isInput: boolean): void {
  let fields = 0;
  walk(schema, at, (part, place, isCondition) => {
    const names = Object.keys(part.properties ?? {});
    if (!isCondition) fields += names.length;
    (part.required ?? []).forEach((name, index) => {
      if (!isCondition && !names.includes(name))
        source.report(
          [...place, 'required', index],
          'unknown-field',
          `"${name}" is required but is no property.${didYouMean(name, names)}`,
        );
    });
    for (const [low, high] of [
      ['minLength', 'maxLength'],
      ['minimum', 'maximum'],
      ['minItems', 'maxItems'],
      ['minProperties', 'maxProperties'],
    ] as const) {
      if ((part[low] ?? -Infinity) > (part[high] ?? Infinity))
        source.report([...place, low], 'impossible', `${low} is greater than ${high}: nothing fits.`);
    }
    if (part.format !== undefined && !Object.hasOwn(formats, part.format)) {
      source.report(
        [...place, 'format'],
        'unknown-format',
        `No format named "${part.format}".${didYouMean(part.format, Object.keys(formats))}`,
      );
    }
    if (part.pattern !== undefined) checkPattern(source, part.pattern, part.maxLength, [...place, 'pattern']);
    if (isInput && !isCondition) checkBounds(source, part, place);
    checkDefault(source, part, place);
  });
  if (fields > MAX_FIELDS)
    source.report([...at, 'properties'], 'too-many-fields', `The schema has ${fields} fields; the limit is ${MAX_FIELDS}.`);
}

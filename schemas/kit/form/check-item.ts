import { isExactNumber, isMultipleOf } from './decimals.ts';
import { formats } from './formats.ts';
import { matchesPattern } from '../patterns/load-patterns.ts';
import { itemsFromErrors } from './validation-items.ts';
import type { ErrorItem, JsonPrimitive, JsonSchema } from './types.ts';
import type { RawError } from './validation-items.ts';

function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
}

function isOfType(value: JsonPrimitive, types: readonly string[]): boolean {
  if (types.length === 0) return true;
  if (typeof value === 'number') return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.includes(value === null ? 'null' : typeof value);
}

function lengthOf(text: string): number {
  return [...text].length;
}

function faultsOfText(schema: JsonSchema, value: string): RawError[] {
  const { minLength, maxLength, pattern, format } = schema;
  const faults: [boolean, string, Record<string, unknown>][] = [
    [minLength !== undefined && lengthOf(value) < minLength, 'minLength', { limit: minLength }],
    [maxLength !== undefined && lengthOf(value) > maxLength, 'maxLength', { limit: maxLength }],
    [pattern !== undefined && !matchesPattern(pattern, value), 'pattern', { pattern }],
    [
      format !== undefined &&
        Object.hasOwn(formats, format) &&
        !Object.entries(formats).some(([name, rule]) => name === format && rule.test(value)),
      'format',
      { format },
    ],
  ];
  return faults.filter(([isWrong]) => isWrong).map(([, keyword, params]) => rawError(keyword, params));
}

function faultsOfNumber({ minimum, maximum, multipleOf }: JsonSchema, value: number): RawError[] {
  const faults: [boolean, string, Record<string, unknown>][] = [
    [minimum !== undefined && value < minimum, 'minimum', { limit: minimum }],
    [maximum !== undefined && value > maximum, 'maximum', { limit: maximum }],
    [multipleOf !== undefined && !isMultipleOf(value, multipleOf), 'multipleOf', { multipleOf }],
  ];
  return faults.filter(([isWrong]) => isWrong).map(([, keyword, params]) => rawError(keyword, params));
}

function rawError(keyword: string, params: Record<string, unknown>): RawError {
  return { keyword, instancePath: '', schemaPath: '', params };
}

/**
 * Checks one text or number against the schema of a list's items before it is added, with the messages that the compiled rules would give
 * (`itemsFromErrors`). It knows the keywords of single values only; the form's own rules judge the whole again. None when the value is right.
 */
export function checkItem(schema: JsonSchema, value: JsonPrimitive): ErrorItem[] {
  const types = typesOf(schema);
  const faults = !isOfType(value, types)
    ? [rawError('type', { type: types })]
    : [
        ...(typeof value === 'string' ? faultsOfText(schema, value) : []),
        ...(typeof value === 'number' ? faultsOfNumber(schema, value) : []),
        ...(schema.enum && !schema.enum.includes(value) ? [rawError('enum', {})] : []),
      ];
  return itemsFromErrors(faults, schema, value);
}

/** A typed text as a value of this schema: a number where the schema wants one and the text is one that keeps all its digits, else the trimmed text. */
export function valueOfText(schema: JsonSchema, text: string): string | number {
  const trimmed = text.trim();
  const types = typesOf(schema);
  const wantsNumber = types.includes('integer') || types.includes('number');
  // -12 · 12 · 12.5 · .5
  return wantsNumber && /^-?(?:\d+\.?\d*|\.\d+)$/.test(trimmed) && isExactNumber(trimmed) ? Number(trimmed) : trimmed;
}

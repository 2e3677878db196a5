import { insideChoices } from './failed-choices.ts';
import { isExactNumber } from './decimals.ts';
import { explainFormat } from './explain-format.ts';
import { MONITORING_PERIOD } from './formats.ts';
import { englishText } from './messages.ts';
import { targetOf } from './refs.ts';
import { itemOf } from './schema-parts.ts';
import type { ErrorItem, JsonPrimitive, JsonSchema } from './types.ts';

/** The part of an Ajv error object that is read; compiled validators give the same shape in the browser. */
export interface RawError {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
}

/** A hostile body cannot make the answer larger than this. */
const MAX_ITEMS = 100;
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 40;

type Params = Record<string, JsonPrimitive>;
type Message = { key: string; params?: Params };

function partsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The schema of the value at a path, as far as plain `properties`, `items` and definitions lead there. */
function schemaAt(root: JsonSchema, parts: readonly string[]): JsonSchema {
  let schema: JsonSchema = root;
  for (const part of parts) {
    const properties: Record<string, JsonSchema> = schema.properties ?? {};
    const next = Array.isArray(schema.items)
      ? schema.items[Number(part)]
      : (itemOf(schema) ?? (Object.hasOwn(properties, part) ? properties[part] : undefined));
    if (!next) return {};
    schema = next.$ref === undefined ? next : (targetOf(next.$ref, root) ?? next);
  }
  return schema;
}

function lengthMessage({ minLength: min = 0, maxLength: max }: JsonSchema, limit: number): Message {
  if (max === undefined) return { key: 'validation.minLength', params: { count: limit } };
  if (min === max) return { key: 'validation.exactLength', params: { count: max } };
  return min > 1 ? { key: 'validation.length', params: { min, max } } : { key: 'validation.maxLength', params: { count: max } };
}

function rangeMessage({ minimum: min, maximum: max }: JsonSchema, keyword: 'minimum' | 'maximum', limit: number): Message {
  if (min === MONITORING_PERIOD.minimum && max === MONITORING_PERIOD.maximum) return { key: 'validation.period', params: { min, max } };
  // An id's upper bound is a safety limit, not something to show people.
  if (min === undefined || max === undefined || max === Number.MAX_SAFE_INTEGER) return { key: `validation.${keyword}`, params: { limit } };
  return { key: 'validation.range', params: { min, max } };
}

function valueAt(root: unknown, parts: readonly string[]): unknown {
  let value = root;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The first few items of a list that occur more than once: `eth0, wan`. */
function repeatedItems(list: unknown): string {
  if (!Array.isArray(list)) return '';
  const seen = new Set<unknown>();
  const repeated = new Set<string>();
  for (const item of list) {
    if (seen.has(item) && typeof item !== 'object') repeated.add(String(item).slice(0, MAX_NAME_LENGTH));
    seen.add(item);
    if (repeated.size === MAX_NAMED) break;
  }
  return [...repeated].join(', ');
}

/** A text that is a number with more digits than a number keeps. */
function isLongNumber(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\s*[-\u2212]?\d*[.,]?\d+\s*$/.test(value) &&
    !isExactNumber(value.trim().replace(',', '.').replace('\u2212', '-'))
  );
}

function messageOf(error: RawError, schema: JsonSchema, value: unknown): Message | undefined {
  const { keyword, params } = error;
  const limit = typeof params.limit === 'number' ? params.limit : 0;
  switch (keyword) {
    case 'required':
    case 'dependencies':
    case 'dependentRequired':
      return { key: 'validation.required' };
    case 'minLength':
      return limit === 1 ? { key: 'validation.required' } : lengthMessage(schema, limit);
    case 'maxLength':
      return lengthMessage({ maxLength: limit, ...schema }, limit);
    case 'minimum':
    case 'maximum':
      return rangeMessage(schema, keyword, limit);
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { key: `validation.${keyword}`, params: { limit } };
    case 'multipleOf':
      return { key: 'validation.multipleOf', params: { step: typeof params.multipleOf === 'number' ? params.multipleOf : 1 } };
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { key: `validation.${keyword}`, params: { count: limit } };
    case 'uniqueItems': {
      const items = repeatedItems(value);
      return items === '' ? { key: 'validation.uniqueItems' } : { key: 'validation.duplicates', params: { items } };
    }
    case 'pattern': {
      const [example] = schema.examples ?? [];
      return typeof example === 'string' ? { key: 'validation.patternExample', params: { example } } : { key: 'validation.pattern' };
    }
    case 'enum':
    case 'const':
      return { key: 'validation.enum' };
    case 'format': {
      const format = String(params.format);
      return (typeof value === 'string' ? explainFormat(format, value) : undefined) ?? { key: `validation.format.${format}` };
    }
    case 'type': {
      const types = Array.isArray(params.type) ? params.type : [params.type];
      if (isLongNumber(value) && types.some((type) => type === 'integer' || type === 'number')) return { key: 'validation.inexact' };
      return { key: `validation.type.${String(types[0])}` };
    }
    case 'items':
    case 'additionalItems':
      return { key: 'validation.maxItems', params: { count: limit } };
    case 'propertyNames':
      return { key: 'validation.memberName', params: { field: String(params.propertyName).slice(0, 100) } };
    case 'not':
    case 'false schema':
      return { key: 'validation.hidden' };
    case 'additionalProperties':
      return { key: 'validation.unknown', params: { field: String(params.additionalProperty).slice(0, 100) } };
    case 'oneOf':
      return { key: params.passingSchemas ? 'validation.choice.several' : 'validation.choice' };
    case 'anyOf':
    case 'contains':
      return { key: 'validation.choice' };
    default:
      return undefined;
  }
}

const MISSING: ReadonlySet<string> = new Set(['required', 'dependencies', 'dependentRequired']);

function memberOf(error: RawError): string[] {
  if (MISSING.has(error.keyword)) return [String(error.params.missingProperty)];
  if (error.keyword === 'additionalProperties') return [String(error.params.additionalProperty).slice(0, 100)];
  return [];
}

/**
 * Turns validator errors into error items with the path as `source` (dots), a text that says what to do and its translation in `params`
 * (`key` and the values in the text, `keyword` for programs). One item per field and message, at most a hundred; a field that is
 * missing or of a wrong type says only that. `data` is what was checked: with it, repeated items are named and a fault inside an address is described.
 * Used by the server and, with the compiled validators, by the console, so both say the same.
 */
export function itemsFromErrors(errors: readonly RawError[] | null | undefined, schema: JsonSchema, data?: unknown): ErrorItem[] {
  const isInsideChoice = insideChoices(errors ?? [], schema);
  const items = new Map<string, ErrorItem>();
  const decided = new Map<string, string>();
  for (const error of errors ?? []) {
    if (items.size >= MAX_ITEMS) break;
    if (isInsideChoice(error)) continue;
    const parts = partsOf(error.instancePath);
    const message = messageOf(error, schemaAt(schema, parts), valueAt(data, parts));
    if (!message) continue;
    const source = [...parts, ...memberOf(error)].join('.');
    if (message.key === 'validation.required' || error.keyword === 'type') decided.set(source, message.key);
    items.set(`${source} ${message.key}`, {
      code: error.keyword === 'additionalProperties' ? 'UNKNOWN_FIELD' : 'INVALID_FIELD',
      message: englishText(message.key, message.params),
      ...(source === '' ? {} : { source }),
      params: { ...message.params, key: message.key, keyword: error.keyword },
    });
  }
  // Whatever a schema refuses is refused, also where no text says why.
  if (items.size === 0 && errors?.length) {
    const key = 'validation.choice';
    return [{ code: 'INVALID_FIELD', message: englishText(key), params: { key } }];
  }
  return [...items.values()].filter(({ source = '', params }) => !decided.has(source) || params?.key === decided.get(source));
}

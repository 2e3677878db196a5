import { parse } from 'jsonc-parser';
import { inexactNumberAt } from './decimals.ts';
import { fieldsOf, valueAt } from './form-fields.ts';
import { applyMask, maskExample } from './mask.ts';
import { englishText } from './messages.ts';
import { widgetOf } from './widget-of.ts';
import type { ParseError } from 'jsonc-parser';
import type { Explanation } from './explain-format.ts';
import type { FormField } from './form-fields.ts';
import type { ErrorItem, FormFile, JsonValue } from './types.ts';

/*
 * Faults of an entry that a JSON Schema cannot express: how a text was typed, and how two times compare. Each answers the key and values
 * of its message, or `undefined` when nothing is wrong.
 */

// What somebody typed is repeated in the message only as far as it helps.
const SHOWN = 20;

/** A text that does not fit its mask, or stops before its end; an empty one is none of the mask's business. */
export function maskFault(mask: string, text: string): Explanation | undefined {
  if (text === '') return undefined;
  const { rest, isComplete } = applyMask(mask, text);
  const example = maskExample(mask);
  if (rest !== '') return { key: 'validation.mask.rest', params: { rest: rest.slice(0, SHOWN), example } };
  return isComplete ? undefined : { key: 'validation.mask.incomplete', params: { example } };
}

/** A time range whose end is not after its start. Both are wire timestamps, which sort as text. */
export function timeRangeFault(value: JsonValue): Explanation | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { from, to } = value;
  const isWrong = typeof from === 'string' && typeof to === 'string' && from !== '' && to !== '' && to <= from;
  return isWrong ? { key: 'validation.timeRange.order', params: {} } : undefined;
}

/** A text that is no JSON, or where `isRead` has numbers that would lose digits when it is read, with the line and column (from 1) of the first fault. */
export function jsonFault(text: string, isRead = false): Explanation | undefined {
  if (text.trim() === '') return undefined;
  if (!isJson(text)) return { key: 'validation.json.at', params: placeOf(text, faultOffset(text)) };
  const at = isRead ? inexactNumberAt(text) : undefined;
  return at === undefined ? undefined : { key: 'validation.json.inexact', params: placeOf(text, at) };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function faultOffset(text: string): number {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Nested so deeply that the parser's stack ends; the fault is somewhere behind the brackets.
    return text.length;
  }
  return errors[0]?.offset ?? text.length;
}

function faultOf({ schema, ui }: FormField, value: JsonValue): Explanation | undefined {
  const widget = widgetOf(schema, ui);
  const mask = ui['ui:mask'];
  if (widget === 'text' && mask !== undefined && typeof value === 'string') return maskFault(mask, value);
  if (widget === 'json' && typeof value === 'string') return jsonFault(value, schema.type !== 'string');
  return widget === 'time-range' ? timeRangeFault(value) : undefined;
}

/** An item that says such a fault at a field. */
export function faultItem(source: string, { key, params }: Explanation): ErrorItem {
  return { code: 'INVALID_FIELD', message: englishText(key, params), source, params: { ...params, key } };
}

/** The faults of a form's entries before what its schema says; a field with one of them says nothing else. */
export function withEntryFaults(form: FormFile, data: unknown, items: ErrorItem[]): ErrorItem[] {
  const faults = [...fieldsOf(form).values()].flatMap((field): ErrorItem[] => {
    const value = field.isGroup ? undefined : valueAt(data, field.path);
    const fault = value === undefined ? undefined : faultOf(field, value);
    return fault ? [faultItem(field.path, fault)] : [];
  });
  return sayFirst(faults, items);
}

/** Both lists, without what the second says at or inside the fields of the first. */
export function sayFirst(faults: ErrorItem[], items: ErrorItem[]): ErrorItem[] {
  const decided = faults.map(({ source }) => source ?? '');
  return [...faults, ...items.filter(({ source = '' }) => !decided.some((path) => source === path || source.startsWith(`${path}.`)))];
}

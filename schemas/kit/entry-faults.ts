import { parse } from 'jsonc-parser';
import { applyMask, maskExample } from './mask.ts';
import type { ParseError } from 'jsonc-parser';
import type { Explanation } from './explain-format.ts';
import type { JsonValue } from './types.ts';

/*
 * Faults of an entry that a JSON Schema cannot tell: how a text was typed, and how two times stand to each other. Each answers the key and values
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

/** A text that is no JSON, with the line and column (from 1) of its first fault. */
export function jsonFault(text: string): Explanation | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return undefined;
  const lines = text.slice(0, first.offset).split('\n');
  return { key: 'validation.json.at', params: { line: lines.length, column: (lines.at(-1) ?? '').length + 1 } };
}

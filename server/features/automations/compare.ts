import { MOST_CHARACTERS_MATCHED } from '../../../schemas/kit/form/rule-parameters.ts';
import { storedPattern } from '../../../schemas/kit/patterns/compile-pattern.ts';
import { isInside } from './areas.ts';
import type { Condition, Value } from './types.ts';

/** NaN for a text that is no number. */
export const numberOf = (text: string | undefined): number => (text === undefined || text.trim() === '' ? Number.NaN : Number(text));

// `-100..-80`, `22:00-06:00`
const NUMBER_RANGE = /^\s*(-?[\d.]+)\s*(?:-|\.\.)\s*(-?[\d.]+)\s*$/;

/** The bounds of `-100..-80`; NaN where it is none. */
export function readRange(text: string): [number, number] {
  const [, from, to] = NUMBER_RANGE.exec(text) ?? [];
  return [numberOf(from), numberOf(to)];
}

/** Whether a number is within `-100..-80`, or a time of day within `22:00-06:00`, over midnight too. */
export function isBetween(value: Value, expected: string): boolean {
  if (typeof value === 'number') {
    const [from, to] = readRange(expected);
    return value >= from && value <= to;
  }
  const [from = '', to = ''] = expected.split('-').map((part) => part.trim());
  return from <= to ? value >= from && value < to : value >= from || value < to;
}

/** Whether a regular expression is found in the beginning of a text; upper and lower case differ. */
function isMatch(text: string, source: string): boolean {
  return storedPattern(source).test(text.slice(0, MOST_CHARACTERS_MATCHED));
}

/** Whether a value meets a comparison that needs nothing else. */
export function meets(value: Value, condition: Condition): boolean {
  const { operator, value: expected = '' } = condition;
  const wanted = typeof value === 'number' ? numberOf(expected) : expected;
  switch (operator) {
    case 'is':
    case '==':
      return typeof value === 'number' ? value === wanted : value.toLowerCase() === expected.toLowerCase();
    case '!=':
      return typeof value === 'number' ? value !== wanted : value.toLowerCase() !== expected.toLowerCase();
    case '>':
      return value > wanted;
    case '>=':
      return value >= wanted;
    case '<':
      return value < wanted;
    case '<=':
      return value <= wanted;
    case 'contains':
      return String(value).toLowerCase().includes(expected.toLowerCase());
    case 'matches':
      return isMatch(String(value), expected);
    case 'in':
      return expected.split(',').some((part) => part.trim().toLowerCase() === String(value).toLowerCase());
    case 'between':
      return isBetween(value, expected);
    case 'inside':
      return isInside(String(value), expected);
    case 'outside':
      return !isInside(String(value), expected);
    default:
      return false;
  }
}

/** Whether one of the lines of a text meets a comparison; an empty text meets none. */
export const lineMeets = (text: string, condition: Condition): boolean =>
  text !== '' && text.split('\n').some((line) => meets(line, condition));

/** What a condition says, as a key. */
export const keyOf = ({ parameter, operator, value = '' }: Condition): string => `${parameter} ${operator} ${value}`;

/** Whether a value differs from the one that was kept, which it then takes the place of. The first value is only kept. */
export function hasChanged(condition: Condition, value: Value, references: Record<string, Value>): boolean {
  const key = keyOf(condition);
  const before = references[key];
  const least = condition.operator === 'changed_by' ? numberOf(condition.value) : 0;
  const isOther =
    before !== undefined && (condition.operator === 'changed' ? before !== value : Math.abs(Number(value) - Number(before)) >= least);
  if (before === undefined || isOther) references[key] = value;
  return isOther;
}

/** Everything that a device says is hostile: each value is checked by itself, and a wrong one is dropped without the rest. */

// Terminal escapes such as `ESC [31m` and `ESC ]0;title BEL`
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// Control characters, and the marks that turn the direction of text around
const UNSAFE_IN_LINE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
// The same, but tab and line feed may stay
const UNSAFE_IN_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** One line of text, at most `max` characters, without control characters; undefined for anything but a text. */
export function lineOf(value: unknown, max = 128): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .slice(0, max * 4)
    .toWellFormed()
    .replace(ANSI, '')
    .replace(UNSAFE_IN_LINE, '')
    .trim()
    .slice(0, max)
    .toWellFormed();
}

/** Text of several lines, at most `max` characters. */
export function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.slice(0, max).toWellFormed().replace(ANSI, '').replaceAll('\r\n', '\n').replace(UNSAFE_IN_TEXT, '');
}

/** A number within bounds, both included. */
export function numberOf(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && value >= min && value <= max ? value : undefined;
}

/** A number within bounds, rounded to a whole one. */
export function integerOf(value: unknown, min: number, max: number): number | undefined {
  const number = numberOf(value, min, max);
  return number === undefined ? undefined : Math.round(number);
}

export function oneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((name) => name === value);
}

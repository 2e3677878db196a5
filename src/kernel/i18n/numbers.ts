import { isShipped } from './languages.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** A number as a language writes it: 1,204 · 1 204. */
export function formatNumber(value: number, language: string): string {
  // The shipped languages write these alike, and making the first formatter takes longer than drawing a row.
  if (Number.isInteger(value) && value >= 0 && value < 1000 && isShipped(language)) return String(value);
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(value);
}

import { isExactNumber } from '../../../schemas/kit/form/decimals.ts';

/** A number, or the text as it is while it is none, or `undefined` when blank. */
export type NumberOrText = number | string | undefined;

/**
 * Reads a typed number: `19,99` and `19.99` → 19.99 · `1 204` → 1204 · blank → undefined · anything else → the text itself, and so is a number
 * that would lose digits.
 * Comma and point are both decimal marks in every language, so that nothing is read as a thousand times what was meant.
 */
export function parseNumber(text: string): NumberOrText {
  const compact = text.replace(/[\s\u00A0\u202F]/g, '').replace('\u2212', '-');
  if (compact === '') return undefined;
  // -12 · 12 · 12.5 · 12, (still typing) · .5
  return /^-?(?:\d+[.,]?\d*|[.,]\d+)$/.test(compact) && isExactNumber(compact.replace(',', '.')) ? Number(compact.replace(',', '.')) : text;
}

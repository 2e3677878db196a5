import { plainDigits } from '../../../schemas/kit/form/decimals.ts';
import { currentLanguage } from '../../kernel/i18n/index.ts';

const marks = new Map<string, { minus: string; decimal: string }>();

function marksOf(language: string): { minus: string; decimal: string } {
  const known = marks.get(language);
  if (known) return known;
  const parts = new Intl.NumberFormat(language).formatToParts(-1.5);
  const markOf = (type: string, usual: string): string => parts.find((part) => part.type === type)?.value ?? usual;
  const found = { minus: markOf('minusSign', '-'), decimal: markOf('decimal', '.') };
  marks.set(language, found);
  return found;
}

/** A number for a text to type in: all its digits, the language's decimal mark, no grouping. */
export function formatPlain(value: number, language: string = currentLanguage()): string {
  // All four languages write these alike, and making the first formatter takes as long as drawing a small form.
  if (Number.isSafeInteger(value) && value >= 0) return String(value);
  const { minus, decimal } = marksOf(language);
  return plainDigits(value).replace('-', minus).replace('.', decimal);
}

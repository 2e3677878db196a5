import { currentLanguage } from '../../kernel/i18n/index.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** A number for a text to type in: the language's decimal mark, no grouping. */
export function formatPlain(value: number, language: string = currentLanguage()): string {
  // All four languages write these alike, and making the first formatter takes as long as drawing a small form.
  if (Number.isSafeInteger(value) && value >= 0) return String(value);
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 12 })));
  return format.format(value);
}

import { currentLanguage } from '../../kernel/i18n/index.ts';

/** A number for a text to type in: the language's decimal mark, no grouping. */
export function formatPlain(value: number): string {
  return new Intl.NumberFormat(currentLanguage(), { useGrouping: false, maximumFractionDigits: 12 }).format(value);
}

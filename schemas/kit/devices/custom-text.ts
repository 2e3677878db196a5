import type { CustomField, CustomValue } from './custom-fields.ts';

/** What people write for yes and no in the languages of the console, and spreadsheets for either. */
const YES = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'はい', 'так']);
const NO = new Set(['false', 'no', 'n', '0', 'nei', 'いいえ', 'ні']);
// `2.5`, `-2,5`, `1e3`
const NUMBER = /^[+-]?\d{1,18}(?:[.,]\d{1,18})?(?:e[+-]?\d{1,2})?$/i;
// `5.2.2026`; with slashes nobody knows which is the month
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
// `46351`: days since the end of 1899, as spreadsheets keep a date
const SHEET_DAY = /^\d{5}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const SHEET_START = Date.UTC(1899, 11, 30);

function readDate(text: string): string {
  const [, day = '', month = '', year = ''] = DAY_FIRST.exec(text) ?? [];
  if (year) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return SHEET_DAY.test(text) ? new Date(SHEET_START + Number(text) * DAY_MS).toISOString().slice(0, 10) : text;
}

/**
 * The value that a text means for a custom field: `2,5` is a number, `ja` a yes, `25.11.2026` and the day number of a spreadsheet a date, and a choice is
 * found whatever its case. A text that means nothing stays as it is, for the field's rules to refuse. Undefined for an empty one.
 */
export function readCustomText({ type, choices = [] }: Pick<CustomField, 'type' | 'choices'>, text: string): CustomValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const lower = trimmed.toLowerCase();
  if (type === 'number') return NUMBER.test(trimmed) ? Number(trimmed.replace(',', '.')) : trimmed;
  if (type === 'boolean') return YES.has(lower) ? true : NO.has(lower) ? false : trimmed;
  if (type === 'date') return readDate(trimmed);
  return choices.find((choice) => choice === trimmed) ?? choices.find((choice) => choice.toLowerCase() === lower) ?? trimmed;
}

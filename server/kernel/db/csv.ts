import { wireTime } from '../clock.ts';

/** A column of a CSV export: its heading and how its values are written. */
export interface CsvColumn {
  header: string;
  /** `time`: Unix milliseconds, written as on the wire, which the heading says · `flag`: 0 or 1, written false or true. */
  kind: 'text' | 'number' | 'time' | 'flag';
}

export interface CsvOptions {
  /** Starts the file with U+FEFF, by which some spreadsheets know UTF-8. */
  hasByteOrderMark?: boolean;
}

// A formula for a spreadsheet: `=1+1`, `+1`, `-1`, `@SUM(A1)`, their full-width forms, also behind spaces and quotes; a leading tab or line break.
const FORMULA = /^(?:[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * A text as a CSV cell. What a spreadsheet would run as a formula gets an apostrophe in front, and only that: a program that reads the file back
 * takes one apostrophe off cells in which one of `= + - @` follows it.
 */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvCell(value: unknown, kind: CsvColumn['kind']): string {
  if (value === null || value === undefined) return '';
  if (kind === 'text') return csvText(String(value));
  if (kind === 'time') return wireTime(Number(value));
  if (kind === 'flag') return Number(value) === 1 ? 'true' : 'false';
  return String(value);
}

/** The first line. */
export function csvHeader(columns: readonly CsvColumn[], { hasByteOrderMark = false }: CsvOptions = {}): string {
  return `${hasByteOrderMark ? '\uFEFF' : ''}${columns.map(({ header, kind }) => csvText(kind === 'time' ? `${header} (UTC)` : header)).join(',')}\r\n`;
}

/** One record; the values are in the order of the columns. */
export function csvLine(values: readonly unknown[], columns: readonly CsvColumn[]): string {
  const cells: string[] = [];
  for (let index = 0; index < columns.length; index += 1) cells.push(csvCell(values[index], columns[index]?.kind ?? 'text'));
  return `${cells.join(',')}\r\n`;
}

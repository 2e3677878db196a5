import { csvHeader, csvLine, type CsvColumn } from './csv.ts';
import { zoneClock, type ZoneClock } from './export-times.ts';

/** `xlsx`: the text of its only sheet; `packSheet` makes the file around it. */
export const EXPORT_FORMATS = ['csv', 'json', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  /** CSV by default. */
  format?: ExportFormat;
  /** IANA name: times as clocks there show them, each with a column for its offset from UTC. UTC alone without it. */
  timezone?: string | undefined;
  /** Starts CSV with U+FEFF, by which some spreadsheets know UTF-8. */
  hasByteOrderMark?: boolean;
}

/** Writes a table piece by piece; a row's values are in the order of the columns. */
export interface TableWriter {
  head(): string;
  row(values: readonly unknown[]): string;
  foot(): string;
}

/** The writer of a format. */
export function tableWriter(columns: readonly CsvColumn[], options: ExportOptions = {}): TableWriter {
  const { format = 'csv', timezone, hasByteOrderMark = false } = options;
  const clock = timezone === undefined ? undefined : zoneClock(timezone);
  if (format === 'json') return jsonWriter(columns, clock);
  if (format === 'xlsx') return sheetWriter(columns, clock, timezone);
  const written = clock ? withOffsets(columns, timezone) : columns;
  return {
    head: () => csvHeader(written, { hasByteOrderMark }),
    row: clock ? (values) => csvLine(zonedValues(values, columns, clock), written) : (values) => csvLine(values, written),
    foot: () => '',
  };
}

const offsetName = (header: string): string => `${header} (UTC offset)`;

/** Time columns as texts of the zone, each followed by its offset. */
function withOffsets(columns: readonly CsvColumn[], timezone = 'UTC'): CsvColumn[] {
  return columns.flatMap((column) =>
    column.kind === 'time'
      ? [
          { header: `${column.header} (${timezone})`, kind: 'text' as const },
          // No text of a person: it begins with its sign, and a spreadsheet reads nothing dangerous in it.
          { header: offsetName(column.header), kind: 'number' as const },
        ]
      : [column],
  );
}

function zonedValues(values: readonly unknown[], columns: readonly CsvColumn[], clock: ZoneClock): unknown[] {
  return columns.flatMap(({ kind }, index) => {
    const value = values[index];
    if (kind !== 'time') return [value];
    return isNothing(value) ? [null, null] : [clock.write(Number(value)), clock.offset(Number(value))];
  });
}

function jsonWriter(columns: readonly CsvColumn[], zone: ZoneClock | undefined): TableWriter {
  const clock = zone ?? zoneClock(undefined);
  let isFirst = true;
  const entries = (values: readonly unknown[]): [string, unknown][] =>
    columns.flatMap(({ header, kind }, index): [string, unknown][] => {
      const value = values[index];
      if (isNothing(value)) return [[header, null]];
      if (kind === 'flag') return [[header, Number(value) === 1]];
      if (kind === 'number') return [[header, Number(value)]];
      if (kind === 'text') return [[header, String(value)]];
      const at = Number(value);
      // RFC 3339, so that the offset is part of the time.
      return [[header, `${clock.write(at).replace(' ', 'T')}${zone ? clock.offset(at) : 'Z'}`]];
    });
  return {
    head: () => '[',
    row(values) {
      const start = isFirst ? '\n' : ',\n';
      isFirst = false;
      return start + JSON.stringify(Object.fromEntries(entries(values)));
    },
    foot: () => '\n]\n',
  };
}

const SHEET =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
const MAX_ROWS = 1_048_576;
const MAX_CELL = 32_767;
const DAY_MS = 86_400_000;
/** Days between the first of 1900, as spreadsheets count, and the first of 1970. */
const EPOCH_DAYS = 25_569;

/** Texts are written as texts, so nothing in them is ever run; times are real times, with the style of index 1. Throws for more rows than a sheet holds. */
function sheetWriter(columns: readonly CsvColumn[], zone: ZoneClock | undefined, timezone = 'UTC'): TableWriter {
  const clock = zone ?? zoneClock(undefined);
  let rows = 1;
  const cell = (value: unknown, kind: CsvColumn['kind']): string => {
    if (isNothing(value)) return zone && kind === 'time' ? '<c/><c/>' : '<c/>';
    if (kind === 'flag') return `<c t="b"><v>${Number(value) === 1 ? 1 : 0}</v></c>`;
    if (kind === 'number') return Number.isFinite(Number(value)) ? `<c><v>${Number(value)}</v></c>` : textCell(String(value));
    if (kind === 'text') return textCell(String(value));
    const at = Number(value);
    const days = `<c s="1"><v>${(at + clock.offsetMs(at)) / DAY_MS + EPOCH_DAYS}</v></c>`;
    return zone ? days + textCell(clock.offset(at)) : days;
  };
  return {
    head() {
      const names = columns.flatMap(({ header, kind }) =>
        kind === 'time' ? [`${header} (${timezone})`, ...(zone ? [offsetName(header)] : [])] : [header],
      );
      return `${SHEET}<row>${names.map(textCell).join('')}</row>`;
    },
    row(values) {
      rows += 1;
      if (rows > MAX_ROWS) throw new Error('More rows than a sheet can hold');
      return `<row>${columns.map(({ kind }, index) => cell(values[index], kind)).join('')}</row>`;
    },
    foot: () => '</sheetData></worksheet>',
  };
}

// What XML has no way to write: control characters, and halves of characters.
const NOT_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function textCell(text: string): string {
  const safe = text.slice(0, MAX_CELL).replace(NOT_XML, '\uFFFD');
  return `<c t="inlineStr"><is><t xml:space="preserve">${safe.replace(/[&<>\r]/g, (mark) => ESCAPES[mark] ?? mark)}</t></is></c>`;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

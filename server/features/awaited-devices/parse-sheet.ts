import { readFile } from 'node:fs/promises';
import { customNameOf, MOST_CUSTOM_TEXT, type CustomField, type CustomValue } from '../../../schemas/kit/devices/custom-fields.ts';
import { readCustomText } from '../../../schemas/kit/devices/custom-text.ts';
import { sheetColumnOf, type SheetColumn } from '../../../schemas/kit/text/separated-text.ts';
import { FileTooLarge, type Upload } from '../../kernel/http/uploads.ts';
import { NotATable, requireText, separateText } from '../../kernel/read-separated.ts';
import { HeadingsUnknown, SheetTooLong } from './errors.ts';
import { readWorkbook } from './read-workbook.ts';

const MAX_SHEET_BYTES = 10 * 1024 * 1024;
const MAX_LINES = 10_000;
const MAX_CELL = 200;
// One more than a field holds, so that a longer text is refused and not cut.
const MAX_CUSTOM_CELL = MOST_CUSTOM_TEXT + 1;

const ORDER: readonly SheetColumn[] = ['serial', 'mac', 'name', 'device_series', 'imei', 'password_confirmation'];

const isZip = (start: Buffer): boolean => start.length > 3 && start.readUInt32LE(0) === 0x04034b50;
const isOldExcel = (start: Buffer): boolean => start.length > 3 && start.readUInt32BE(0) === 0xd0cf11e0;

/** The custom field that a heading names: `custom.asset`, `asset` or `Asset number`, whatever the case. */
function fieldOf(heading: string, fields: readonly CustomField[]): CustomField | undefined {
  const text = heading.trim().toLowerCase();
  const name = customNameOf(text) ?? text;
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.title.trim().toLowerCase() === text);
}

/** The column of a heading; undefined for one that nothing is known of. */
function columnOf(heading: string, fields: readonly CustomField[]): SheetColumn | CustomField | undefined {
  return customNameOf(heading.trim().toLowerCase()) === undefined
    ? (sheetColumnOf(heading) ?? fieldOf(heading, fields))
    : fieldOf(heading, fields);
}

function readRow(row: readonly string[], columns: readonly (SheetColumn | CustomField | undefined)[]): SheetRow {
  const read: SheetRow = {};
  for (const [place, column] of columns.entries()) {
    const text = row[place]?.trim() ?? '';
    if (typeof column === 'string') {
      if (text) read[column] = text.slice(0, MAX_CELL);
    } else if (column) {
      const value = readCustomText(column, text.slice(0, MAX_CUSTOM_CELL));
      read.custom = { ...read.custom, ...(value === undefined ? {} : { [column.name]: value }) };
    }
  }
  return read;
}

const headingsText = (cells: readonly string[]): string =>
  cells
    .flatMap((cell) => cell.trim() || [])
    .join(', ')
    .slice(0, MAX_CELL);

/** Cells by what the first line calls their columns; without such a line they are serial, MAC, name, series, IMEI, password. */
function namedRows(cells: readonly (readonly string[])[], source: string, fields: readonly CustomField[]): SheetRow[] {
  const [first = [], ...rest] = cells;
  const named = first.map((text) => columnOf(text, fields));
  const hasHeadings = named.includes('serial');
  if (!hasHeadings && rest.length > 0 && !first.some((cell) => /\d/.test(cell)))
    throw new HeadingsUnknown({ headings: headingsText(first) }, { source });
  return (hasHeadings ? rest : cells).map((row) => readRow(row, hasHeadings ? named : ORDER));
}

/** A line by its columns; `custom`: what it says of custom fields, where the sheet has a column of one. */
export type SheetRow = Partial<Record<SheetColumn, string>> & { custom?: Record<string, CustomValue> };

function rowsOf(cells: readonly (readonly string[])[], source: string, fields: readonly CustomField[]): SheetRow[] {
  const rows = namedRows(
    cells.filter((row) => row.some((cell) => cell.trim() !== '')),
    source,
    fields,
  );
  if (rows.length > MAX_LINES) throw new SheetTooLong({ max: MAX_LINES }, { source });
  return rows;
}

/** Lines that somebody typed, pasted or scanned, as a CSV file would have them. Throws SHEET_TOO_LONG, SHEET_HEADINGS_UNKNOWN and TOO_MANY_COLUMNS at `lines`. */
export async function readLines(text: string, fields: readonly CustomField[]): Promise<SheetRow[]> {
  return rowsOf((await separateText(text, MAX_LINES + 2, 'lines')).rows, 'lines', fields);
}

export type SheetFile = Pick<Upload, 'path' | 'size'>;

/**
 * Reads a CSV file (commas, semicolons, tabs or bars) or the first sheet of an Excel workbook (.xlsx) into rows by column, those of custom fields of a company
 * included. Blank lines are left out, and so are columns that nothing is known of.
 * Throws FILE_TOO_LARGE, SHEET_TOO_LONG, SHEET_HEADINGS_UNKNOWN, TOO_MANY_COLUMNS, NOT_UNICODE and NOT_A_TABLE at `file`.
 */
export async function parseSheet({ path, size }: SheetFile, fields: readonly CustomField[]): Promise<SheetRow[]> {
  if (size > MAX_SHEET_BYTES) throw new FileTooLarge({ size: '10 MB' }, { source: 'file' });
  const content = await readFile(path);
  if (isOldExcel(content)) throw new NotATable({}, { source: 'file' });
  if (isZip(content)) return rowsOf(await readWorkbook(content, MAX_LINES + 1), 'file', fields);
  return rowsOf((await separateText(requireText(content), MAX_LINES + 2, 'file')).rows, 'file', fields);
}

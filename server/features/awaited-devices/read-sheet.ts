import { readFile } from 'node:fs/promises';
import { customNameOf, MOST_CUSTOM_TEXT, type CustomField, type CustomValue } from '../../../schemas/kit/devices/custom-fields.ts';
import { readCustomText } from '../../../schemas/kit/devices/custom-text.ts';
import { FileTooLarge, type Upload } from '../../kernel/http/uploads.ts';
import { NotATable, SheetTooLong } from './errors.ts';
import { readWorkbook } from './read-workbook.ts';

const MAX_SHEET_BYTES = 10 * 1024 * 1024;
const MAX_LINES = 10_000;
const MAX_CELL = 200;
// One more than a field holds, so that a longer text is refused and not cut.
const MAX_CUSTOM_CELL = MOST_CUSTOM_TEXT + 1;

export type Column = 'device_series' | 'serial' | 'mac' | 'imei' | 'name' | 'password_confirmation';

/** What people call the columns, in lower case without spaces and punctuation. */
const HEADINGS: Record<string, Column> = {
  series: 'device_series',
  deviceseries: 'device_series',
  serial: 'serial',
  serialnumber: 'serial',
  sn: 'serial',
  mac: 'mac',
  macaddress: 'mac',
  lanmac: 'mac',
  imei: 'imei',
  name: 'name',
  devicename: 'name',
  password: 'password_confirmation',
  passwordconfirmation: 'password_confirmation',
};
const ORDER: readonly Column[] = ['serial', 'mac', 'name', 'device_series', 'imei', 'password_confirmation'];

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
const isZip = (start: Buffer): boolean => start.length > 3 && start.readUInt32LE(0) === 0x04034b50;
const isOldExcel = (start: Buffer): boolean => start.length > 3 && start.readUInt32BE(0) === 0xd0cf11e0;

/** The custom field that a heading names: `custom.asset`, `asset` or `Asset number`, whatever the case. */
function fieldOf(heading: string, fields: readonly CustomField[]): CustomField | undefined {
  const text = heading.trim().toLowerCase();
  const name = customNameOf(text) ?? text;
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.title.trim().toLowerCase() === text);
}

/** The column of a heading; undefined for one that nothing is known of. */
function columnOf(heading: string, fields: readonly CustomField[]): Column | CustomField | undefined {
  return customNameOf(heading.trim().toLowerCase()) === undefined
    ? (HEADINGS[plain(heading)] ?? fieldOf(heading, fields))
    : fieldOf(heading, fields);
}

function readRow(row: readonly string[], columns: readonly (Column | CustomField | undefined)[]): SheetRow {
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

/** Cells by what the first line calls their columns; without such a line they are serial, MAC, name, series, IMEI, password. */
function namedRows(cells: readonly (readonly string[])[], fields: readonly CustomField[]): SheetRow[] {
  const [first = [], ...rest] = cells;
  const named = first.map((text) => columnOf(text, fields));
  const hasHeadings = named.includes('serial');
  return (hasHeadings ? rest : cells).map((row) => readRow(row, hasHeadings ? named : ORDER));
}

/** A line by its columns; `custom`: what it says of custom fields, where the sheet has a column of one. */
export type SheetRow = Partial<Record<Column, string>> & { custom?: Record<string, CustomValue> };

async function cellsOf(text: string): Promise<string[][]> {
  const { default: papaparse } = await import('papaparse');
  return papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimitersToGuess: [',', ';', '\t'], preview: MAX_LINES + 2 }).data;
}

function rowsOf(cells: readonly (readonly string[])[], source: string, fields: readonly CustomField[]): SheetRow[] {
  const rows = namedRows(
    cells.filter((row) => row.some((cell) => cell.trim() !== '')),
    fields,
  );
  if (rows.length > MAX_LINES) throw new SheetTooLong({ max: MAX_LINES }, { source });
  return rows;
}

/** Lines that somebody typed, pasted or scanned, as a CSV file would have them. Throws SHEET_TOO_LONG at `lines`. */
export async function readLines(text: string, fields: readonly CustomField[]): Promise<SheetRow[]> {
  return rowsOf(await cellsOf(text), 'lines', fields);
}

/**
 * Reads a CSV file (commas, semicolons or tabs) or the first sheet of an Excel workbook (.xlsx) into rows by column, those of custom fields of a company
 * included. Blank lines are left out, and so are columns that nothing is known of.
 * Throws FILE_TOO_LARGE, SHEET_TOO_LONG and NOT_A_TABLE at `file`.
 */
export async function readSheet({ path, size }: Pick<Upload, 'path' | 'size'>, fields: readonly CustomField[]): Promise<SheetRow[]> {
  if (size > MAX_SHEET_BYTES) throw new FileTooLarge({ size: '10 MB' }, { source: 'file' });
  const content = await readFile(path);
  if (isOldExcel(content)) throw new NotATable({}, { source: 'file' });
  if (isZip(content)) return rowsOf(await readWorkbook(content, MAX_LINES + 1), 'file', fields);
  const text = content.toString('utf8');
  if (text.includes('\0')) throw new NotATable({}, { source: 'file' });
  return rowsOf(await cellsOf(text), 'file', fields);
}

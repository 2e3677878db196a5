import { readFile } from 'node:fs/promises';
import { FileTooLarge, type Upload } from '../../kernel/http/uploads.ts';
import { NotATable, SheetTooLong } from './errors.ts';
import { readWorkbook } from './read-workbook.ts';

const MAX_SHEET_BYTES = 10 * 1024 * 1024;
const MAX_LINES = 10_000;
const MAX_CELL = 200;

type Column = 'device_series' | 'serial' | 'mac' | 'imei' | 'name' | 'password_confirmation';

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

/** Cells by what the first line calls their columns; without such a line they are serial, MAC, name, series, IMEI, password. */
function namedRows(cells: readonly (readonly string[])[]): SheetRow[] {
  const [first = [], ...rest] = cells;
  const named = first.map((text) => HEADINGS[plain(text)]);
  const hasHeadings = named.includes('serial');
  const columns: readonly (Column | undefined)[] = hasHeadings ? named : ORDER;
  return (hasHeadings ? rest : cells).map((row) =>
    Object.fromEntries(
      columns.flatMap((column, place) => {
        const text = row[place]?.trim().slice(0, MAX_CELL);
        return column !== undefined && text ? [[column, text]] : [];
      }),
    ),
  );
}

export type SheetRow = Partial<Record<Column, string>>;

async function cellsOf(text: string): Promise<string[][]> {
  const { default: papaparse } = await import('papaparse');
  return papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimitersToGuess: [',', ';', '\t'], preview: MAX_LINES + 2 }).data;
}

function rowsOf(cells: readonly (readonly string[])[], source: string): SheetRow[] {
  const rows = namedRows(cells.filter((row) => row.some((cell) => cell.trim() !== '')));
  if (rows.length > MAX_LINES) throw new SheetTooLong({ max: MAX_LINES }, { source });
  return rows;
}

/** Lines that somebody typed, pasted or scanned, as a CSV file would have them. Throws SHEET_TOO_LONG at `lines`. */
export async function readLines(text: string): Promise<SheetRow[]> {
  return rowsOf(await cellsOf(text), 'lines');
}

/**
 * Reads a CSV file (commas, semicolons or tabs) or the first sheet of an Excel workbook (.xlsx) into rows by column. Blank lines are left out.
 * Throws FILE_TOO_LARGE, SHEET_TOO_LONG and NOT_A_TABLE at `file`.
 */
export async function readSheet({ path, size }: Pick<Upload, 'path' | 'size'>): Promise<SheetRow[]> {
  if (size > MAX_SHEET_BYTES) throw new FileTooLarge({ size: '10 MB' }, { source: 'file' });
  const content = await readFile(path);
  if (isOldExcel(content)) throw new NotATable({}, { source: 'file' });
  if (isZip(content)) return rowsOf(await readWorkbook(content, MAX_LINES + 1), 'file');
  const text = content.toString('utf8');
  if (text.includes('\0')) throw new NotATable({}, { source: 'file' });
  return rowsOf(await cellsOf(text), 'file');
}

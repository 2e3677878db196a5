import { readFile } from 'node:fs/promises';
import { decodeText, separatorOf } from '../../schemas/kit/text/separated-text.ts';
import { defineError } from './errors.ts';

export const NotUnicode = defineError('NOT_UNICODE');
export const NotATable = defineError('NOT_A_TABLE');
const TooManyColumns = defineError<{ row: number; max: number }>('TOO_MANY_COLUMNS');

/** The cells of a text, line by line, and what is between them. */
export interface SeparatedCells {
  separator: string;
  rows: string[][];
}

/** No import knows more columns, and each row would cost as much as the longest. */
const MAX_COLUMNS = 200;

/** The cells of one row. Throws TOO_MANY_COLUMNS for one with content beyond the last column that is read. */
function readRow(cells: string[], index: number, source: string): string[] {
  if (cells.slice(MAX_COLUMNS).some((cell) => cell.trim() !== ''))
    throw new TooManyColumns({ row: index + 1, max: MAX_COLUMNS }, { source });
  return cells.slice(0, MAX_COLUMNS);
}

/** The cells of a text with commas, semicolons, tabs or bars between them; at most `maxLines` lines. Throws TOO_MANY_COLUMNS at `source`. */
export async function separateText(text: string, maxLines: number, source: string): Promise<SeparatedCells> {
  const { default: papaparse } = await import('papaparse');
  const separator = separatorOf(text);
  const { data } = papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter: separator, preview: maxLines });
  return { separator, rows: data.map((cells, index) => readRow(cells, index, source)) };
}

/** The text of a file that was sent. Throws NOT_A_TABLE for one that is no text and NOT_UNICODE, which says how to save it, at `file`. */
export function requireText(content: Uint8Array): string {
  const decoded = decodeText(content);
  if ('text' in decoded) return decoded.text;
  throw decoded.fault === 'binary' ? new NotATable({}, { source: 'file' }) : new NotUnicode({}, { source: 'file' });
}

/** The cells of a file that was sent, as `separateText` reads them. Throws NOT_A_TABLE, NOT_UNICODE and TOO_MANY_COLUMNS at `file`. */
export async function readSeparated(path: string, maxLines: number): Promise<SeparatedCells> {
  return separateText(requireText(await readFile(path)), maxLines, 'file');
}

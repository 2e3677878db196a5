import { decodeText, separatorOf, type DecodedText } from '../../../schemas/kit/text/separated-text.ts';

/** One line of a CSV file that is not blank; `line` counts from 1, as editors do. */
export interface CsvLine {
  line: number;
  cells: string[];
}

export type CsvFault = 'not-csv' | 'not-unicode' | 'too-large' | 'unreadable';

/** docs/behaviour.md section 5. */
const MAX_BYTES = 80 * 1024 * 1024;
/** More lines than any list or table of a form may hold. */
export const MAX_CSV_LINES = 20_000;

async function readText(file: File): Promise<DecodedText | { fault: 'unreadable' }> {
  try {
    return decodeText(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { fault: 'unreadable' };
  }
}

/** Spreadsheets end each line with separators of columns that once had something in them. */
function withoutEmptyColumns(lines: readonly CsvLine[]): CsvLine[] {
  const width = lines.reduce((widest, { cells }) => Math.max(widest, cells.findLastIndex((cell) => cell !== '') + 1), 0);
  return lines.map(({ line, cells }) => ({ line, cells: cells.slice(0, width) }));
}

function isCsv(file: File): boolean {
  return /\.csv$/i.test(file.name) || file.type === 'text/csv';
}

/**
 * Reads a CSV file in the browser, line by line, with the separator that it uses (comma, semicolon, tab or bar). Blank lines and empty last columns are skipped,
 * cells are trimmed. Reading stops after `MAX_CSV_LINES`. The parser is fetched when the first file is read.
 */
export async function readCsv(file: File): Promise<{ lines: CsvLine[]; isCut: boolean } | { fault: CsvFault }> {
  if (!isCsv(file)) return { fault: 'not-csv' };
  if (file.size >= MAX_BYTES) return { fault: 'too-large' };
  const decoded = await readText(file);
  if ('fault' in decoded)
    return { fault: decoded.fault === 'binary' ? 'not-csv' : decoded.fault === 'encoding' ? 'not-unicode' : 'unreadable' };
  const { default: papa } = await import('papaparse');
  return new Promise((resolve) => {
    const lines: CsvLine[] = [];
    let line = 1;
    papa.parse<string[]>(decoded.text, {
      skipEmptyLines: false,
      delimiter: separatorOf(decoded.text),
      step: ({ data }, parser) => {
        const cells = data.map((cell) => cell.trim());
        if (cells.some((cell) => cell !== '')) lines.push({ line, cells });
        // A quoted cell may run over several lines.
        line += 1 + data.reduce((breaks, cell) => breaks + (cell.match(/\n/g)?.length ?? 0), 0);
        if (lines.length > MAX_CSV_LINES) parser.abort();
      },
      complete: () => resolve({ lines: withoutEmptyColumns(lines.slice(0, MAX_CSV_LINES)), isCut: lines.length > MAX_CSV_LINES }),
    });
  });
}

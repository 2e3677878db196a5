/** One line of a CSV file that is not blank; `line` counts from 1, as editors do. */
export interface CsvLine {
  line: number;
  cells: string[];
}

export type CsvFault = 'not-csv' | 'too-large' | 'unreadable';

/** docs/behaviour.md section 5. */
const MAX_BYTES = 80 * 1024 * 1024;
/** More lines than any list or table of a form may hold. */
export const MAX_CSV_LINES = 20_000;

function isCsv(file: File): boolean {
  return /\.csv$/i.test(file.name) || file.type === 'text/csv';
}

/**
 * Reads a CSV file in the browser, line by line, with the separator that it uses (comma, semicolon or tab). Blank lines are skipped, cells
 * are trimmed. Reading stops after `MAX_CSV_LINES`. The parser is fetched when the first file is read.
 */
export async function readCsv(file: File): Promise<{ lines: CsvLine[]; isCut: boolean } | { fault: CsvFault }> {
  if (!isCsv(file)) return { fault: 'not-csv' };
  if (file.size >= MAX_BYTES) return { fault: 'too-large' };
  const { default: papa } = await import('papaparse');
  return new Promise((resolve) => {
    const lines: CsvLine[] = [];
    let line = 1;
    let isBinary = false;
    papa.parse<string[]>(file, {
      skipEmptyLines: false,
      step: ({ data }, parser) => {
        const cells = data.map((cell) => cell.trim());
        isBinary ||= cells.some((cell) => cell.includes('\u0000'));
        if (cells.some((cell) => cell !== '')) lines.push({ line, cells });
        // A quoted cell may run over several lines.
        line += 1 + data.reduce((breaks, cell) => breaks + (cell.match(/\n/g)?.length ?? 0), 0);
        if (isBinary || lines.length > MAX_CSV_LINES) parser.abort();
      },
      complete: () =>
        resolve(isBinary ? { fault: 'not-csv' } : { lines: lines.slice(0, MAX_CSV_LINES), isCut: lines.length > MAX_CSV_LINES }),
      error: () => resolve({ fault: 'unreadable' }),
    });
  });
}

import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
import { sheetColumnOf, withoutApostrophe } from '../../../schemas/kit/text/separated-text.ts';
import { readSeparated } from '../../kernel/read-separated.ts';
import { FileTooLarge } from '../../kernel/http/uploads.ts';
import { CsvTooLong } from './errors.ts';

export type Identifier = 'serial' | 'mac';

/** One line of a list of devices: which one, and the names of tags beside it. */
export interface TagLine {
  /** In the file, from 1. */
  line: number;
  device: string;
  tags: string[];
}

/** docs/behaviour.md section 5: lines of a CSV file. */
const MAX_LINES = 20_000;
/** Longer than any name: what is longer is unknown, and said with its beginning. */
const MAX_NAME = 200;
export const MAX_CSV_BYTES = 5 * 1024 * 1024;
/**
 * Reads lines such as `1106433012` or `1106433012,ferry;north`: the device, then names of tags, in further columns, or by semicolons where these do not separate the columns. Blank lines and a
 * line of headings are left out. Throws FILE_TOO_LARGE, CSV_TOO_LONG, TOO_MANY_COLUMNS, NOT_UNICODE, NOT_A_TABLE at `file`.
 */
export async function readTagCsv(upload: { path: string; size: number }, identifier: Identifier): Promise<TagLine[]> {
  if (upload.size > MAX_CSV_BYTES) throw new FileTooLarge({ size: '5 MB' }, { source: 'file' });
  const { rows, separator } = await readSeparated(upload.path, MAX_LINES + 1);
  if (rows.length > MAX_LINES) throw new CsvTooLong({ max: MAX_LINES }, { source: 'file' });
  return rows.flatMap(([first = '', ...rest], index) => {
    const device = withoutApostrophe(first).slice(0, MAX_NAME);
    if (device === '' || (index === 0 && sheetColumnOf(device) !== undefined)) return [];
    const tags = rest.flatMap((cell) => (separator === ';' ? cell : cell.split(';'))).map((name) => name.trim().slice(0, MAX_NAME));
    return [{ line: index + 1, device: identifier === 'mac' ? (normalizeMac(device) ?? device) : device, tags: tags.filter(Boolean) }];
  });
}

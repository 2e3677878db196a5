import { readFile } from 'node:fs/promises';
import { normalizeMac } from '../../../schemas/kit/form/normalize-text.ts';
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
export const MAX_CSV_BYTES = 5 * 1024 * 1024;
// What a first line calls its column.
const HEADINGS = new Set(['serial', 'serial number', 'mac', 'mac address']);

/**
 * Reads lines such as `1106433012` or `1106433012,ferry;north`: the device, then names of tags, by semicolons or in further columns. Blank lines and a
 * line of headings are left out. Throws FILE_TOO_LARGE, CSV_TOO_LONG at `file`.
 */
export async function readTagCsv(upload: { path: string; size: number }, identifier: Identifier): Promise<TagLine[]> {
  if (upload.size > MAX_CSV_BYTES) throw new FileTooLarge({ size: '5 MB' }, { source: 'file' });
  const text = (await readFile(upload.path, 'utf8')).replace(/^\uFEFF/, '');
  const { default: papaparse } = await import('papaparse');
  const { data } = papaparse.parse<string[]>(text, { delimiter: text.includes(',') ? ',' : '\t' });
  if (data.length > MAX_LINES) throw new CsvTooLong({ max: MAX_LINES }, { source: 'file' });
  return data.flatMap(([first = '', ...rest], index) => {
    const device = first.trim();
    if (device === '' || (index === 0 && HEADINGS.has(device.toLowerCase()))) return [];
    const tags = rest.flatMap((cell) => cell.split(';')).map((name) => name.trim());
    return [{ line: index + 1, device: identifier === 'mac' ? (normalizeMac(device) ?? device) : device, tags: tags.filter(Boolean) }];
  });
}

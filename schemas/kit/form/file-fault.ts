import type { Explanation } from './explain-format.ts';
import { formats } from './formats.ts';
import type { FieldUi } from './types.ts';

/** What one file may hold unless its field says otherwise (docs/behaviour.md section 9). */
export const DEFAULT_FILE_BYTES = 83_886_080;

/** What is wrong with a file for a field: its kind, its size, its name. `describe` writes a number of bytes for people. */
export function fileFault(file: { name: string; size: number }, ui: FieldUi, describe: (bytes: number) => string): Explanation | undefined {
  const { accept, maxBytes = DEFAULT_FILE_BYTES } = ui['ui:options'] ?? {};
  const ends = accept?.toLowerCase().split(',') ?? [];
  if (ends.length > 0 && !ends.some((end) => file.name.toLowerCase().endsWith(end)))
    return { key: 'validation.file.type', params: { accept: ends.join(', ') } };
  if (file.size > maxBytes) return { key: 'validation.file.size', params: { size: describe(maxBytes) } };
  return formats['file-name'].test(file.name) ? undefined : { key: 'validation.format.file-name', params: {} };
}

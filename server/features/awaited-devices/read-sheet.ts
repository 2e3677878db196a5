import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import { runInHelper, type Helper } from '../../kernel/costly/helper-process.ts';
import type { SheetFile, SheetRow } from './parse-sheet.ts';
import type { SheetInput } from './sheet-worker.ts';

const HELPER: Helper = { entry: new URL('./sheet-worker.ts', import.meta.url), heapMb: 256 };

/** The same as `parseSheet`, in a process of its own: a sheet may unpack to 64 MB. */
export function readSheet({ path, size }: SheetFile, fields: readonly CustomField[], signal: AbortSignal): Promise<SheetRow[]> {
  return runInHelper<SheetInput, SheetRow[]>(HELPER, { file: { path, size }, fields }, signal);
}

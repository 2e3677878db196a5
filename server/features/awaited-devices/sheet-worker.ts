import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import { serveHelper } from '../../kernel/costly/serve-helper.ts';
import { parseSheet, type SheetFile } from './parse-sheet.ts';

export interface SheetInput {
  file: SheetFile;
  fields: readonly CustomField[];
}

serveHelper(({ file, fields }: SheetInput) => parseSheet(file, fields));

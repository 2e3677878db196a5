import { readFile } from 'node:fs/promises';
import { fileFault } from '../../../schemas/kit/form/file-fault.ts';
import type { Explanation } from '../../../schemas/kit/form/explain-format.ts';
import { fieldsOf, valueAt, withValueAt, type FormField } from '../../../schemas/kit/form/form-fields.ts';
import { englishText } from '../../../schemas/kit/form/messages.ts';
import { WEBHOOK_FILE_BYTES, type FormFile, type JsonValue } from '../../../schemas/kit/form/types.ts';
import { InvalidFields } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/http/uploads.ts';

type Data = Record<string, JsonValue>;

/** Data of a form whose files are read: `given` is for the code that works with them, `described` names them without their content. */
export interface ReadData {
  given: Data;
  described: Data;
}

/** Put in place of a file that was not sent, while a text that is not saved is tried. */
const NO_FILE = '…';
const KILOBYTE = 1024;

function sizeText(bytes: number): string {
  return bytes >= KILOBYTE * KILOBYTE ? `${Math.floor(bytes / KILOBYTE / KILOBYTE)} MB` : `${Math.floor(bytes / KILOBYTE)} kB`;
}

function refuse(path: string, { key, params }: Explanation): InvalidFields {
  return new InvalidFields([{ source: path, message: englishText(key, params), params: { ...params, key } }]);
}

function uploadsOf({ path, ui }: FormField, value: JsonValue, uploads: ReadonlyMap<string, Upload>): Upload[] {
  return [value].flat().map((token) => {
    const upload = typeof token === 'string' ? uploads.get(token) : undefined;
    if (!upload) throw refuse(path, { key: 'validation.file.gone', params: {} });
    const fault = fileFault({ name: upload.fileName, size: upload.size }, ui, sizeText);
    if (fault) throw refuse(path, fault);
    return upload;
  });
}

/** The text of a file, for an argument of a command. */
async function textOf(path: string, upload: Upload): Promise<JsonValue> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(upload.path));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refuse(path, { key: 'validation.file.text', params: {} });
  }
}

function describe({ fileName, size, sha256 }: Upload): Data {
  return { file_name: fileName, size, sha256 };
}

async function withContent(upload: Upload): Promise<JsonValue> {
  return { ...describe(upload), content: (await readFile(upload.path)).toString('base64') };
}

/**
 * Puts the files of a form in the places of their tokens: their text where a command is made of them, else name, size, hash and content (base64).
 * Without `uploads` the form is only tried, and a placeholder is put in place of each. Throws INVALID_FIELD at the field of a file that was not sent, is too
 * large, of another kind, or no text where one is needed.
 */
export async function readFiles(form: FormFile, data: Data, uploads: ReadonlyMap<string, Upload> | undefined): Promise<ReadData> {
  let read: ReadData = { given: data, described: data };
  const isText = form.submit.job !== undefined;
  let total = 0;
  for (const field of fieldsOf(form).values()) {
    const value = field.ui['ui:widget'] === 'file' ? valueAt(data, field.path) : undefined;
    if (value === undefined) continue;
    const isList = Array.isArray(value);
    const place = (given: JsonValue[], described: JsonValue[]): void => {
      read = {
        given: withValueAt(read.given, field.path, isList ? given : given[0]),
        described: withValueAt(read.described, field.path, isList ? described : described[0]),
      };
    };
    if (!uploads) {
      const placeholders = [value].flat().map(() => NO_FILE);
      place(placeholders, placeholders);
      continue;
    }
    const files = uploadsOf(field, value, uploads);
    total += files.reduce((sum, { size }) => sum + size, 0);
    if (total > WEBHOOK_FILE_BYTES)
      throw refuse(field.path, { key: 'validation.file.size', params: { size: sizeText(WEBHOOK_FILE_BYTES) } });
    const given = await Promise.all(files.map((file) => (isText ? textOf(field.path, file) : withContent(file))));
    place(given, isText ? given : files.map(describe));
  }
  return read;
}

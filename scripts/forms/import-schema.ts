import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { importForm } from '../../schemas/kit/form/import-form.ts';
import type { JsonSchema, JsonValue } from '../../schemas/kit/form/types.ts';
import { isFormIdShape } from '../../server/features/forms/folder.ts';

/** The files that a form file is made of. */
export interface ImportFiles {
  schema: string;
  uiSchema?: string | undefined;
  data?: string | undefined;
}

/** `Survey of sites` → `survey-of-sites`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '');
}

function readJson<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * Writes a form file beside a JSON schema, named after it and its folder, and answers its path. Throws an Error that says what is in the way: a file that
 * cannot be read, is no JSON, or is there already.
 */
export function importSchema({ schema, uiSchema, data }: ImportFiles): string {
  const folder = dirname(resolve(schema));
  const name = slugOf(basename(schema).replace(/(?:\.schema)?\.json$/, ''));
  const id = `${slugOf(basename(folder))}/${name}`;
  if (!isFormIdShape(id)) throw new Error(`The folder and the name of ${schema} make no id: ${id}.`);
  const path = join(folder, `${name}.form.json`);
  if (existsSync(path)) throw new Error(`${path} is there already.`);
  const form = importForm(id, {
    schema: readJson<JsonSchema>(schema),
    ...(uiSchema === undefined ? {} : { uiSchema: readJson<Record<string, JsonValue>>(uiSchema) }),
    ...(data === undefined ? {} : { data: readJson<JsonValue>(data) }),
  });
  writeFileSync(path, `${JSON.stringify(form, null, 2)}\n`);
  return path;
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import { importForm } from '../../schemas/kit/form/import-form.ts';
import type { JsonSchema, JsonValue } from '../../schemas/kit/form/types.ts';
import { isFormIdShape } from '../../server/features/forms/folder.ts';
import { placeOf } from '../../server/features/forms/inspect.ts';

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

/** Where something in the form file of an import was brought: `line` and `column` of the schema, the uiSchema or the data. */
export function placeInImport(
  { schema, uiSchema, data }: ImportFiles,
  formText: string,
  { line, column }: { line: number; column: number },
): { path: string; line: number; column: number } | undefined {
  const lines = formText.split('\n').slice(0, line - 1);
  const offset = lines.reduce((sum, { length }) => sum + length + 1, column - 1);
  const location = getLocation(formText, offset);
  const [name, ...rest] = location.path;
  const [path, at] = name === 'schema' ? [schema, rest] : name === 'uiSchema' ? [uiSchema, rest] : [data, rest.slice(1)];
  if (path === undefined || !['schema', 'uiSchema', 'examples'].includes(String(name))) return undefined;
  const text = readFileSync(path, 'utf8');
  const tree = parseTree(text);
  const property = tree && location.isAtPropertyKey ? findNodeAtLocation(tree, at)?.parent : undefined;
  if (property?.type !== 'property') return { path, ...placeOf(text, tree, at) };
  const before = text.slice(0, property.offset).split('\n');
  return { path, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

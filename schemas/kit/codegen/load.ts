import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completeForm } from '../form/complete-form.ts';
import type { WrittenForm } from '../form/complete-form.ts';
import type { FileKind } from '../lint/lint.ts';
import type { Contract, EntityFile, ErrorsFile, EventsFile, HelpFile, LookupsFile, ObjectForm, PermissionsFile } from '../form/types.ts';

/** The folder `schemas/` of this project. */
export const schemasFolder = fileURLToPath(new URL('../..', import.meta.url));

const FORM_ENDING = '.form.json';

/** Parses one contract file; the linter and the meta-schemas, not this function, say whether it is right. Throws a SyntaxError that names the file. */
export function readContractFile<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    throw new SyntaxError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Reads a form file of the contract, of which each is an object, and fills in what it may leave out. Throws a SyntaxError that names the file. */
export function readFormFile(path: string): ObjectForm {
  return completeForm(readContractFile<WrittenForm & Pick<ObjectForm, 'schema' | 'examples'>>(path));
}

/** Paths of every form file below a folder, sorted. */
export function findFormFiles(folder = join(schemasFolder, 'forms')): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(FORM_ENDING))
    .sort()
    .map((name) => join(folder, name));
}

/** The id that a form file must have: its path below the forms folder, without the ending. */
export function formIdOf(path: string, folder = join(schemasFolder, 'forms')): string {
  return relative(folder, path).split(sep).join('/').slice(0, -FORM_ENDING.length);
}

/** Reads the whole contract from disk; entities and forms are keyed by the id in the file. */
export function loadContract(folder = schemasFolder): Contract {
  const entities = readdirSync(join(folder, 'entities'))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readContractFile<EntityFile>(join(folder, 'entities', name)));
  const forms = findFormFiles(join(folder, 'forms')).map(readFormFile);
  return {
    entities: Object.fromEntries(entities.map((entity) => [entity.id, entity])),
    forms: Object.fromEntries(forms.map((form) => [form.id, form])),
    permissions: readContractFile<PermissionsFile>(join(folder, 'permissions.json')),
    errors: readContractFile<ErrorsFile>(join(folder, 'errors.json')),
    lookups: readContractFile<LookupsFile>(join(folder, 'lookups.json')),
    events: readContractFile<EventsFile>(join(folder, 'events.json')),
    help: readContractFile<HelpFile>(join(folder, 'help.json')),
  };
}

/** The meta-schemas of `schemas/meta/` by file kind. */
export function loadMeta(folder = join(schemasFolder, 'meta')): Record<FileKind, object> {
  const read = (kind: FileKind): object => readContractFile<object>(join(folder, `${kind}.meta.json`));
  return {
    form: read('form'),
    entity: read('entity'),
    permissions: read('permissions'),
    errors: read('errors'),
    events: read('events'),
    lookups: read('lookups'),
    help: read('help'),
  };
}

import { completeForm } from '../form/complete-form.ts';
import type { WrittenForm } from '../form/complete-form.ts';
import { checkFormFile } from './lint-form.ts';
import { checkName, type KnownNames } from './lint-names.ts';
import { checkMeta, compileMeta } from './lint-meta.ts';
import { checkEntityFile, checkErrorsFile, checkEventsFile, checkPermissionsFile } from './lint-registries.ts';
import { openSource } from './lint-source.ts';
import type { LintProblem, LintSource } from './lint-source.ts';
import { didYouMean } from './nearest.ts';
import { isMembers } from '../form/form-fields.ts';
import { readableSchema } from '../form/readable-schema.ts';
import { isSchema } from '../form/schema-parts.ts';
import type { EntityFile, ErrorsFile, EventsFile, FormFile, HelpFile, LookupsFile, PermissionsFile } from '../form/types.ts';

export type { LintProblem } from './lint-source.ts';

export const fileKinds = ['form', 'entity', 'permissions', 'errors', 'events', 'lookups', 'help'] as const;
export type FileKind = (typeof fileKinds)[number];

/** One file to lint: `path` as it is shown, with `/` between folders, relative to the folder of the contract. */
export interface LintFile {
  path: string;
  text: string;
}

export interface LintOptions {
  /** The meta-schemas by file kind, as in `meta/<kind>.meta.json`. */
  meta: Record<FileKind, object>;
  /** Keys of the English texts; without them texts are not checked. */
  texts?: ReadonlySet<string>;
  /** Names of the entries of `resources.config.ts`; without them `submit.success.reload` is not checked. */
  resources?: ReadonlySet<string>;
  /** Names from a contract that the files are added to; the linted files' own names are known anyway. */
  known?: Omit<KnownNames, 'texts' | 'resources'>;
}

/** The kind of a file by its path, or `undefined` when it is no contract file. */
export function kindOf(path: string): FileKind | undefined {
  if (path.endsWith('.form.json')) return 'form';
  if (/(?:^|\/)entities\/[^/]+\.json$/.test(path)) return 'entity';
  const name = /(?:^|\/)([a-z]+)\.json$/.exec(path)?.[1];
  return fileKinds.find((kind) => kind === name && kind !== 'form' && kind !== 'entity');
}

/** `forms/companies/new.form.json` → `companies/new`. */
function formId(path: string): string {
  return path
    .replace(/\.form\.json$/, '')
    .split('/')
    .slice(-2)
    .join('/');
}

/** `entities/job-target.json` → `job_target`. */
function entityId(path: string): string {
  return path.replace(/^.*\/|\.json$/g, '').replaceAll('-', '_');
}

interface Opened {
  kind: FileKind;
  source: LintSource;
}

function valueOf<T>(opened: readonly Opened[], kind: FileKind): T | undefined {
  return opened.find((file) => file.kind === kind)?.source.value as T | undefined;
}

function namesIn(opened: readonly Opened[], options: LintOptions): KnownNames {
  const permissions = valueOf<PermissionsFile>(opened, 'permissions')?.permissions.map(({ name }) => name);
  const lookups = valueOf<LookupsFile>(opened, 'lookups')?.lookups;
  const help = valueOf<HelpFile>(opened, 'help')?.help;
  const entities = opened.filter(({ kind }) => kind === 'entity').map(({ source }) => entityId(source.path));
  return {
    permissions: permissions ? new Set(permissions) : options.known?.permissions,
    lookups: lookups ? new Set(Object.keys(lookups)) : options.known?.lookups,
    help: help ? new Set(Object.keys(help)) : options.known?.help,
    entities: entities.length > 0 ? new Set(entities) : options.known?.entities,
    ...(options.known?.forms ? { forms: options.known.forms } : {}),
    ...(options.known?.webhooks ? { webhooks: options.known.webhooks } : {}),
    ...(options.resources ? { resources: options.resources } : {}),
    ...(options.texts ? { texts: options.texts } : {}),
  };
}

function checkContent({ kind, source }: Opened, known: KnownNames): void {
  switch (kind) {
    case 'form':
      return checkFormFile(source, completeForm(source.value as WrittenForm), formId(source.path), known);
    case 'entity':
      return checkEntityFile(source, source.value as EntityFile, entityId(source.path), known);
    case 'permissions':
      return checkPermissionsFile(source, source.value as PermissionsFile, known);
    case 'errors':
      return checkErrorsFile(source, source.value as ErrorsFile, known);
    case 'events':
      return checkEventsFile(source, source.value as EventsFile, known);
    default:
      return undefined;
  }
}

/** A form is one of its alternatives; the others are known where the files are checked together. */
function checkAlternatives({ source, form }: { source: LintSource; form: FormFile }, ids: readonly string[], areAllKnown: boolean): void {
  const named = Object.keys(form.alternatives ?? {});
  if (named.length > 0 && !named.includes(form.id))
    source.report(['alternatives'], 'missing-form', `"${form.id}" itself is missing among its alternatives.`);
  if (areAllKnown) for (const id of named) checkName(source, ['alternatives', id], 'form', id, ids, 'key');
}

/** Checks what files say together: an id and a route belong to one form, or to the one that takes its place, and alternatives are there. */
function checkForms(files: readonly Opened[], shipped: ReadonlySet<string> = new Set()): void {
  const forms = files.map(({ source }) => ({ source, form: completeForm(source.value as WrittenForm) }));
  const byId = Map.groupBy(forms, ({ form }) => form.id);
  const routes = new Map<string, (typeof forms)[number]>();
  for (const one of forms) {
    const { source, form } = one;
    const other = (byId.get(form.id) ?? []).find((same) => same !== one && !same.form.replaces);
    const ids = [...byId.keys(), ...shipped].filter((id) => id !== form.id);
    if (form.replaces && !other && !shipped.has(form.id))
      source.report(['replaces'], 'unknown-form', `No form "${form.id}" to take the place of.${didYouMean(form.id, ids)}`);
    if (!form.replaces && (shipped.has(form.id) || (other && forms.indexOf(other) < forms.indexOf(one))))
      source.report(
        ['id'],
        'repeated-id',
        `"${form.id}" is ${other ? other.source.path : 'a form that ships'} already; \`"replaces": true\` takes its place.`,
      );
    checkAlternatives(one, [...ids, form.id], files.length > 1);
    const route = `${form.submit.method} ${form.submit.path}`;
    const taken = routes.get(route);
    if (!taken) routes.set(route, one);
    else if (taken.form.id !== form.id)
      source.report(['submit', 'path'], 'repeated-route', `${route} belongs to ${taken.source.path} already; a route has one form.`);
  }
}

/** A form that people wrote: its schema is read as other programs' are, and its places are those of the text. */
function openAddedForm(path: string, text: string): LintSource {
  const source = openSource(path, text, { hasDeepSchema: true });
  const { value } = source;
  if (!isMembers(value) || !isSchema(value['schema'])) return source;
  return { ...source, value: { ...value, schema: readableSchema(value['schema']) } };
}

/**
 * Finds what is wrong in contract files: first that each is JSON and has the shape of its meta-schema, then whatever needs more than one line
 * to see. Problems are sorted by file and place; empty when all is right. Pure: files come as text, so an editor can use it on unsaved ones.
 */
export function lintFiles(files: readonly LintFile[], options: LintOptions): LintProblem[] {
  const opened = files.flatMap(({ path, text }): Opened[] => {
    const kind = kindOf(path);
    if (!kind) return [];
    return [{ kind, source: kind === 'form' && options.known?.forms ? openAddedForm(path, text) : openSource(path, text) }];
  });
  const sound = opened.filter(({ kind, source }) => {
    if (source.value === undefined) return false;
    return checkMeta(source, compileMeta(options.meta[kind]));
  });
  const known = namesIn(sound, options);
  for (const file of sound) checkContent(file, known);
  checkForms(
    sound.filter(({ kind }) => kind === 'form'),
    options.known?.forms,
  );
  return opened
    .flatMap(({ source }) => source.problems)
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column);
}

/** `forms/tags/new.form.json:12:7 unknown-lookup No lookup named "tag". Did you mean "tags"?` */
export function formatProblem({ path, line, column, code, message }: LintProblem): string {
  return `${path}:${line}:${column} ${code} ${message}`;
}

import type { PermissionName } from '../../schemas/_generated/contract.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { can, type Actor } from './actor.ts';
import { InvalidFields, UnknownField } from './errors.ts';
import { isMoment } from './moments.ts';
import { isProgram, warnOfIgnored, type Warnable } from './lenient-calls.ts';
import { splitValues } from '../../schemas/kit/text/value-list.ts';

export interface ListFilter {
  key: string;
  /** At least one. */
  values: string[];
  isNegated: boolean;
}

/** A checked list call: everything in it is on the resource's allow-list. */
export interface ListQuery {
  limit: number;
  offset: number;
  q: string | undefined;
  sort: { key: string; isDescending: boolean }[];
  ids: number[] | undefined;
  fields: string[] | undefined;
  filters: ListFilter[];
}

export interface FilterRule {
  kind: 'enum' | 'integer' | 'text' | 'boolean' | 'date';
  values?: readonly (string | number)[];
  isNegatable: boolean;
  /** Who may use it; undefined: everybody who may list. */
  permission?: PermissionName;
}

/** What a list call may ask of a resource. */
export interface ListRules {
  sorts: ReadonlySet<string>;
  filters: ReadonlyMap<string, FilterRule>;
  /** Wire fields, with the permission that shows each; undefined: everybody who may list. */
  fields: ReadonlyMap<string, PermissionName | undefined>;
  defaultSort: { key: string; isDescending: boolean };
  isSearchable: boolean;
  /** Rows of a page whose size nobody says; 10 by default. */
  defaultLimit?: number;
  /** The rule of keys beyond those above, such as fields that people added: rows are filtered and sorted by them, and they are columns of files. */
  open?: (key: string) => FilterRule | undefined;
}

const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;
const MAX_VALUES = 100;
/** As many as an address holds. */
const MAX_IDS = 1000;
const MAX_TEXT = 200;
const RESERVED = new Set(['limit', 'offset', 'q', 'sort', 'id', 'fields', 'fields_only', 'search-fields']);

/** What an API knows of a resource beyond the console's table. */
export interface ListExtras {
  sorts?: readonly string[];
  filters?: Record<string, FilterRule>;
  /** Fields that no column guards, with the permission that shows each. */
  fieldPermissions?: Record<string, PermissionName>;
  /** Rows are found by free text, whether or not the console has a field for it. */
  isSearchable?: boolean;
  open?: ListRules['open'];
}

/** The rules of a resource from its entry and its entity's fields; `extra` adds what the API knows beyond the console's table. */
export function deriveListRules(entry: ResourceEntry, entityFields: readonly string[], extra: ListExtras = {}): ListRules {
  const columns = entry.table?.columns ?? [];
  const drawn = new Set<string>(columns.flatMap((column) => (column.isDrawn ? [column.key] : [])));
  const hidden = new Map<string, PermissionName>([
    ...columns.flatMap((column) => (column.permission ? [[column.key, column.permission] as const] : [])),
    ...Object.entries(extra.fieldPermissions ?? {}),
  ]);
  const filters = new Map<string, FilterRule>();
  for (const filter of entry.table?.filters ?? []) {
    const isNegatable = 'negatable' in filter && filter.negatable === true;
    if (filter.kind === 'enum')
      filters.set(filter.key, {
        kind: 'enum',
        values: filter.values,
        isNegatable,
        ...(filter.permission ? { permission: filter.permission } : {}),
      });
    else filters.set(filter.key, { kind: filter.kind === 'lookup' ? 'integer' : filter.kind, isNegatable });
  }
  for (const [key, rule] of Object.entries(extra.filters ?? {})) filters.set(key, rule);
  return {
    sorts: new Set([...columns.filter((column) => column.sortable).map((column) => column.key), ...(extra.sorts ?? [])]),
    filters,
    fields: new Map(entityFields.filter((field) => !drawn.has(field)).map((field) => [field, hidden.get(field)])),
    defaultSort: { key: entry.table?.defaultSort.key ?? 'id', isDescending: entry.table?.defaultSort.order === 'desc' },
    isSearchable: extra.isSearchable ?? (entry.table?.isSearchable === true || (entry.search?.fields.length ?? 0) > 0),
    ...(extra.open ? { open: extra.open } : {}),
  };
}

type RawQuery = Record<string, unknown>;

function textOf(raw: RawQuery, key: string): string | undefined {
  const value = raw[key];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new InvalidFields([{ source: key, message: 'Give this parameter once.' }]);
  // PostgreSQL has no text with a NUL in it.
  if (value.includes('\0')) throw new InvalidFields([{ source: key, message: 'This value cannot be used.' }]);
  return value;
}

function integerOf(raw: RawQuery, key: string, { min, max, fallback }: { min: number; max: number; fallback: number }): number {
  const text = textOf(raw, key);
  if (text === undefined) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new InvalidFields([{ source: key, message: `Use a whole number from ${min} to ${max}.`, params: { min, max } }]);
  return value;
}

function listOf(text: string, source: string, max = MAX_VALUES): string[] {
  const values = splitValues(text)
    .map((value) => value.trim())
    .filter(Boolean);
  if (values.length > max) throw new InvalidFields([{ source, message: `Use at most ${max} values.`, params: { max } }]);
  return values;
}

function isValidValue(rule: FilterRule, value: string): boolean {
  if (rule.kind === 'integer') return /^\d{1,10}$/.test(value) || value === 'is_null' || value === 'not_null';
  if (rule.kind === 'date') return isMoment(value);
  if (rule.kind === 'boolean') return value === '0' || value === '1' || value === 'true' || value === 'false';
  if (rule.kind === 'enum') return rule.values?.some((allowed) => String(allowed) === value) ?? false;
  return value.length <= MAX_TEXT;
}

/** Callers of the public API write `true` and `false` where the console has 1 and 0. */
function spelledAs(rule: FilterRule, value: string): string {
  const isSwitch = rule.kind === 'enum' && (rule.values ?? []).every((allowed) => String(allowed) === '0' || String(allowed) === '1');
  if (!isSwitch) return value;
  return value === 'true' ? '1' : value === 'false' ? '0' : value;
}

const ruleOf = (rules: ListRules, key: string): FilterRule | undefined => rules.filters.get(key) ?? rules.open?.(key);

function filterOf(rules: ListRules, name: string, text: string): ListFilter {
  const isNegated = name.startsWith('ne:');
  const key = isNegated ? name.slice(3) : name;
  const rule = ruleOf(rules, key);
  if (!rule || (isNegated && !rule.isNegatable)) throw new UnknownField({ field: name }, { source: name });
  const values = listOf(text, name).map((value) => spelledAs(rule, value));
  const wrong = values.find((value) => !isValidValue(rule, value));
  if (wrong !== undefined) {
    const expected =
      rule.kind === 'enum'
        ? `Use one of: ${rule.values?.join(', ') ?? ''}.`
        : rule.kind === 'integer'
          ? 'Use numbers, separated by commas.'
          : rule.kind === 'date'
            ? 'Use a day as YYYY-MM-DD, or a time as YYYY-MM-DD HH:MM:SS.'
            : 'This value cannot be used.';
    throw new InvalidFields([{ source: name, message: expected }]);
  }
  return { key, values, isNegated };
}

function sortOf(rules: ListRules, actor: Actor, text: string | undefined): ListQuery['sort'] {
  if (text === undefined) return [rules.defaultSort];
  return listOf(text, 'sort').map((part) => {
    const isDescending = part.startsWith('-');
    const key = isDescending ? part.slice(1) : part;
    if (!(rules.sorts.has(key) || rules.open?.(key)) || !isFieldVisible(rules, actor, key))
      throw new UnknownField({ field: key }, { source: 'sort' });
    return { key, isDescending };
  });
}

function isFieldVisible(rules: ListRules, actor: Actor, field: string): boolean {
  const permission = rules.fields.get(field);
  return permission === undefined || can(actor, permission);
}

function isFilterAllowed(rules: ListRules, actor: Actor, key: string): boolean {
  const rule = ruleOf(rules, key);
  if (!rule || !isFieldVisible(rules, actor, key)) return false;
  return rule.permission === undefined || can(actor, rule.permission);
}

/** The fields of the records that this actor may see. */
export function visibleFields(rules: ListRules, actor: Actor): string[] {
  return [...rules.fields.keys()].filter((field) => isFieldVisible(rules, actor, field));
}

function fieldsOf(rules: ListRules, actor: Actor, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const allowed = new Set(visibleFields(rules, actor));
  const fields = listOf(text, 'fields');
  const unknown = fields.find((field) => !allowed.has(field) && !rules.open?.(field));
  if (unknown !== undefined) throw new UnknownField({ field: unknown }, { source: 'fields' });
  return fields;
}

/** Free text is looked for in all fields that are searched; naming one that is not the record's, or not the actor's to see, is a mistake all the same. */
function requireSearchFields(rules: ListRules, actor: Actor, text: string | undefined): void {
  if (text === undefined) return;
  const unknown = rules.isSearchable ? listOf(text, 'search-fields').find((field) => !visibleFields(rules, actor).includes(field)) : text;
  if (unknown !== undefined) throw new UnknownField({ field: unknown }, { source: 'search-fields' });
}

/** Programs may ask for any number of rows and get at most a page; 0 is asked for the total alone. */
function limitOf(rules: ListRules, actor: Actor, raw: RawQuery): number {
  const fallback = rules.defaultLimit ?? DEFAULT_LIMIT;
  if (!isProgram(actor)) return integerOf(raw, 'limit', { min: 1, max: MAX_LIMIT, fallback });
  return Math.min(integerOf(raw, 'limit', { min: 0, max: 9_999_999_999, fallback }), Math.max(MAX_LIMIT, fallback));
}

/**
 * `page` (from 1) and `per_page`, which many programs send, as `limit` and `offset`. A page of another size than asked for would skip rows, so more than
 * `MAX_LIMIT` is refused here. Throws INVALID_FIELD.
 */
function pageToOffset(rules: ListRules, raw: RawQuery): RawQuery {
  const { page, per_page: perPage, ...others } = raw;
  if (page === undefined && perPage === undefined) return raw;
  const sizeName = perPage === undefined ? 'limit' : 'per_page';
  const limit = integerOf(raw, sizeName, { min: 1, max: MAX_LIMIT, fallback: rules.defaultLimit ?? DEFAULT_LIMIT });
  const number = integerOf(raw, 'page', { min: 1, max: 1_000_000, fallback: 1 });
  return { ...others, limit: String(limit), offset: String((number - 1) * limit) };
}

/**
 * The query of a call that only reads: `parseListQuery`, but parameters that the resource does not know are ignored where a program sends them, which the header
 * `Warning` says. What acts on the rows that a query finds must not use it: without a filter it would find more.
 */
export function readListQuery(rules: ListRules, { actor, reply }: { actor: Actor; reply: Warnable }, sent: RawQuery): ListQuery {
  if (!isProgram(actor)) return parseListQuery(rules, actor, sent);
  const raw = pageToOffset(rules, sent);
  const ignored = Object.keys(raw).filter((name) => !isParameter(rules, actor, name));
  warnOfIgnored(reply, 'parameter', ignored);
  const known = Object.fromEntries(Object.entries(raw).filter(([name]) => !ignored.includes(name)));
  const { 'search-fields': searched, ...rest } = known;
  const looked = searched === undefined ? {} : knownFields(rules, { actor, reply }, raw, 'search-fields');
  return parseListQuery(rules, actor, { ...rest, ...looked, ...knownFields(rules, { actor, reply }, raw, 'fields') });
}

/**
 * The fields that a program asks for, or searches in, without those that nobody knows. Where none is known that are asked for they stay, and are refused;
 * it is searched in all fields anyway.
 */
function knownFields(
  rules: ListRules,
  { actor, reply }: { actor: Actor; reply: Warnable },
  raw: RawQuery,
  key: 'fields' | 'search-fields',
): RawQuery {
  const text = textOf(raw, key);
  if (text === undefined) return {};
  const allowed = visibleFields(rules, actor);
  const names = text.split(',').map((name) => name.trim());
  const known = names.filter((name) => allowed.includes(name) || rules.open?.(name));
  if (known.length === names.length || (known.length === 0 && key === 'fields')) return { [key]: text };
  const unknown = names.filter((name) => name !== '' && !known.includes(name));
  warnOfIgnored(reply, 'field', unknown);
  return known.length === 0 ? {} : { [key]: known.join(',') };
}

function isParameter(rules: ListRules, actor: Actor, name: string): boolean {
  if (name === 'q' || name === 'search-fields') return rules.isSearchable;
  if (RESERVED.has(name)) return true;
  const key = name.replace(/^ne:/, '');
  return isFilterAllowed(rules, actor, key) && (key === name || ruleOf(rules, key)?.isNegatable === true);
}

/**
 * Checks the query string of a list call against the resource's rules and the actor's rights.
 * Throws INVALID_FIELD or UNKNOWN_FIELD whose source is the parameter's name; hidden fields are as unknown as absent ones.
 */
export function parseListQuery(rules: ListRules, actor: Actor, raw: RawQuery): ListQuery {
  const filters: ListFilter[] = [];
  for (const name of Object.keys(raw)) {
    if (RESERVED.has(name)) continue;
    const text = textOf(raw, name);
    if (!isFilterAllowed(rules, actor, name.replace(/^ne:/, ''))) throw new UnknownField({ field: name }, { source: name });
    if (text !== undefined) filters.push(filterOf(rules, name, text));
  }
  requireSearchFields(rules, actor, textOf(raw, 'search-fields'));
  const q = textOf(raw, 'q')?.trim().slice(0, MAX_TEXT);
  if (q && !rules.isSearchable) throw new UnknownField({ field: 'q' }, { source: 'q' });
  const ids = textOf(raw, 'id');
  const parsedIds =
    ids === undefined ? undefined : listOf(ids, 'id', MAX_IDS).map((value) => (/^\d{1,10}$/.test(value) ? Number(value) : Number.NaN));
  if (parsedIds?.some((value) => Number.isNaN(value)))
    throw new InvalidFields([{ source: 'id', message: 'Use numbers, separated by commas.' }]);
  return {
    limit: limitOf(rules, actor, raw),
    offset: integerOf(raw, 'offset', { min: 0, max: 100_000_000, fallback: 0 }),
    q: q || undefined,
    sort: sortOf(rules, actor, textOf(raw, 'sort')),
    ids: parsedIds,
    fields: fieldsOf(rules, actor, textOf(raw, 'fields')),
    filters,
  };
}

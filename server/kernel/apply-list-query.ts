import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { foldText } from '../../schemas/kit/text/text-order.ts';
import type { DialectTools, SearchIndex } from '../db/dialect.ts';
import type { ListQuery } from './list-query.ts';

/** A column that a list may be sorted by. */
export interface SortColumn {
  by: Expression<unknown>;
  /** Rows without a value come last, whatever the direction. */
  isNullable?: boolean;
  /** What decides among equal ones. */
  then?: Expression<unknown>;
}

/** The key of a text that people read, for `order by`: numbers by value, letters as in the alphabets of the console's languages. */
export function textKey(column: Expression<unknown>): RawBuilder<string> {
  return sql<string>`sort_key(${column}) collate "BINARY"`;
}

/** Sorts by a text that people read. What devices and programs call themselves (serial numbers, models, addresses) is in the order of its characters. */
export function byText(column: string | Expression<unknown>): { by: RawBuilder<string> } {
  return { by: textKey(typeof column === 'string' ? sql.ref(column) : column) };
}

/** How a resource's list is asked of the database: wire key → expression. Keys that the query uses and this lacks are a mistake in code. */
export interface ListColumns {
  /** The number that parts equal rows, for example `sql.ref('tags.id')`. */
  id: Expression<number>;
  sorts: Readonly<Record<string, SortColumn>>;
  filters: Readonly<Record<string, (values: string[]) => Expression<SqlBool>>>;
  /** Free text; the text is trimmed and not empty. */
  search?: (text: string) => Expression<SqlBool>;
  /** Of keys that `ListRules.open` knows. */
  open?: (key: string) => { sort: SortColumn; filter: (values: string[]) => Expression<SqlBool> } | undefined;
}

/** `column in (values)`; never true for no values. `is_null` and `not_null` among the values mean what they say. */
export function isOneOf(column: Expression<unknown>, values: readonly (string | number)[]): Expression<SqlBool> {
  const plain = values.filter((value) => value !== 'is_null' && value !== 'not_null');
  const parts: RawBuilder<SqlBool>[] = [];
  if (plain.length > 0) parts.push(sql<SqlBool>`${column} in (${sql.join(plain)})`);
  if (values.includes('is_null')) parts.push(sql<SqlBool>`${column} is null`);
  if (values.includes('not_null')) parts.push(sql<SqlBool>`${column} is not null`);
  return parts.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

/** The values of an `integer` filter as numbers, `is_null` and `not_null` kept. */
export function integers(values: readonly string[]): (string | number)[] {
  return values.map((value) => (/^\d+$/.test(value) ? Number(value) : value));
}

/** A text as a LIKE pattern that means only itself: `50%` → `50\%`. Use with `escape '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

/** Whether a column that is kept folded has this folded text somewhere; wildcards in the text mean themselves. */
export function hasText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${column} like ${`%${escapeLike(text)}%`} escape '\\'`;
}

/** Whether any of the columns contains the text, case, width and accents ignored; wildcards in the text mean themselves. */
export function containsText(columns: readonly Expression<unknown>[], text: string): Expression<SqlBool> {
  const folded = foldText(text);
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => hasText(sql`fold_text(${column})`, folded)),
    sql` or `,
  )})`;
}

/** Whether the column contains one of the values, as `containsText` reads them. */
export function containsAny(column: Expression<unknown>, values: readonly (string | number)[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    values.map((value) => containsText([column], String(value))),
    sql` or `,
  )})`;
}

/** Whether a role is one of those that the values name, by number or by name. */
export function isRole({ id, name }: { id: Expression<unknown>; name: Expression<unknown> }, values: readonly (string | number)[]) {
  const ids = values.map(String).filter((value) => /^\d{1,10}$/.test(value));
  return sql<SqlBool>`(${isOneOf(name, values)} or ${isOneOf(id, integers(ids))})`;
}

const SEARCH_INDEX_MIN = 3;

/** The ids that a search index of its own, where the database has one, finds a text under, for `in` and `with`. Shorter terms than it knows are looked for in the texts that it keeps. */
export function searchHits(
  tools: DialectTools,
  index: Exclude<SearchIndex, 'device_search'>,
  text: string,
): RawBuilder<unknown> | undefined {
  const needle = foldText(text);
  if (tools.searchIndex && [...needle].length < SEARCH_INDEX_MIN)
    return sql`(select rowid from ${sql.table(index)} where ${hasText(sql.ref('text'), needle)})`;
  return tools.searchIndex?.(index, [needle]);
}

/** The same as `containsText` for rows whose columns may have a search index of their own. */
export function findsText(
  tools: DialectTools,
  { index, id, columns }: { index: Exclude<SearchIndex, 'device_search'>; id: Expression<number>; columns: readonly Expression<unknown>[] },
  text: string,
): Expression<SqlBool> {
  const hits = searchHits(tools, index, text);
  return hits ? sql<SqlBool>`${id} in ${hits}` : containsText(columns, text);
}

/** The condition of a checked list call without its page and order: filters, ids and free text. */
export function listConditions(
  query: Pick<ListQuery, 'filters' | 'ids'> & { q?: string | undefined },
  columns: ListColumns,
): Expression<SqlBool>[] {
  const conditions = query.filters.map((filter) => {
    const make = columns.filters[filter.key] ?? columns.open?.(filter.key)?.filter;
    if (!make) throw new Error(`No column for the filter "${filter.key}"`);
    const condition = make(filter.values);
    return filter.isNegated ? sql<SqlBool>`(${condition}) is not true` : condition;
  });
  if (query.ids) conditions.push(isOneOf(columns.id, query.ids));
  if (query.q !== undefined) {
    if (!columns.search) throw new Error('No column for free text');
    conditions.push(columns.search(query.q));
  }
  return conditions;
}

/** The order of a checked list call: its sort keys, rows without a value last, then the id, so that pages never overlap. */
export function listOrder(query: Pick<ListQuery, 'sort'>, columns: ListColumns): RawBuilder<unknown>[] {
  const order = query.sort.flatMap(({ key, isDescending }) => {
    const column = columns.sorts[key] ?? columns.open?.(key)?.sort;
    if (!column) throw new Error(`No column for the sort key "${key}"`);
    const direction = sql.raw(`${isDescending ? 'desc' : 'asc'}${column.isNullable ? ' nulls last' : ''}`);
    return [column.by, column.then].flatMap((by) => (by ? [sql`${by} ${direction}`] : []));
  });
  return [...order, sql`${columns.id} asc`];
}

/**
 * Runs a checked list call: filters, ids and free text become conditions, then one page in order, then the total, which is asked of the
 * database only when the page does not show it. `base` has the tables, the scope of the actor and what is selected. `count` may find the
 * total in another way, for example in fewer tables.
 */
export async function applyListQuery<DB, TB extends keyof DB, O>(
  base: SelectQueryBuilder<DB, TB, O>,
  query: ListQuery,
  columns: ListColumns,
  count = (conditions: readonly Expression<SqlBool>[]): Promise<number> => countRows(base, conditions),
): Promise<{ rows: O[]; total: number }> {
  const conditions = listConditions(query, columns);
  let ordered = withConditions(base, conditions);
  for (const part of listOrder(query, columns)) ordered = ordered.orderBy(part);
  const rows = await ordered.limit(query.limit).offset(query.offset).execute();
  const isLastPage = rows.length < query.limit && (rows.length > 0 || query.offset === 0);
  if (isLastPage) return { rows, total: query.offset + rows.length };
  return { rows, total: countedIn(rows[0]) ?? (await count(conditions)) };
}

/**
 * A column for `base` that counts what matches on the way to the page. It goes through all that matches, as a search of a text index does anyway;
 * without it a page in the order of an index is found sooner.
 */
export const allMatching = sql<number>`count(*) over ()`.as('all_matching');

function countedIn(row: unknown): number | undefined {
  if (typeof row !== 'object' || row === null || !('all_matching' in row)) return undefined;
  return Number(row.all_matching);
}

function withConditions<DB, TB extends keyof DB, O>(
  base: SelectQueryBuilder<DB, TB, O>,
  conditions: readonly Expression<SqlBool>[],
): SelectQueryBuilder<DB, TB, O> {
  let matching = base;
  for (const condition of conditions) matching = matching.where(condition);
  return matching;
}

/** How many rows of `base` match all of the conditions. */
export async function countRows<DB, TB extends keyof DB, O>(
  base: SelectQueryBuilder<DB, TB, O>,
  conditions: readonly Expression<SqlBool>[],
): Promise<number> {
  const { total } = await withConditions(base, conditions)
    .clearSelect()
    .select(sql<number>`count(*)`.as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}

/** The records in the order of the ids; ids without a record are left out. */
export function inOrderOf<R extends { id: number }>(ids: readonly number[], records: readonly R[]): R[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

import { sql, type RawBuilder } from 'kysely';

/** The few places where the two databases differ. Everything else is one query for both. */
export interface DialectTools {
  kind: 'sqlite' | 'postgres';
  /** Ids as one parameter, for `column in …`, however many they are. */
  idList(ids: readonly number[]): RawBuilder<number>;
  /** A JSON array as rows, for `from`: `item.value ->> 0` is the first member of a row that is an array. */
  jsonRows(rows: readonly unknown[]): RawBuilder<unknown>;
  /** A table's rows with the ids that a query answers, in its order: `from`, which joins may follow, and what ends the query. */
  inOrder(table: string, ids: RawBuilder<{ id: number }>): { from: RawBuilder<unknown>; end: RawBuilder<unknown> };
  /** A whole number that a JSON object in a column has under this name; null when there is none. */
  jsonNumber(column: RawBuilder<unknown>, name: string): RawBuilder<number | null>;
  /** The rows whose text in a search index has one of these texts of three characters or more; undefined where a condition finds an index by itself. */
  searchIndex: ((index: SearchIndex, texts: readonly string[]) => RawBuilder<{ rowid: number }>) | undefined;
}

/** Tables of the texts that free text search looks in. */
export type SearchIndex = 'device_search' | 'company_search' | 'user_search';

const SQLITE_CONSTRAINT_UNIQUE = 2067;

/** Whether a write failed because a unique index refused it. */
export function isUniqueViolation(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return ('code' in error && error.code === '23505') || ('errcode' in error && error.errcode === SQLITE_CONSTRAINT_UNIQUE);
}

/** Whether PostgreSQL ended a transaction because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '40P01';
}

export const sqliteTools: DialectTools = {
  kind: 'sqlite',
  idList: (ids) => sql`(select value from json_each(${JSON.stringify(ids)}))`,
  jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)}) as item`,
  // A cross join keeps its order in SQLite: the ids are the outer loop, and a query with a limit keeps its own. Sorting would hold all rows in memory.
  inOrder: (table, ids) => ({
    from: sql`(${ids} limit -1) as item cross join ${sql.ref(table)} on ${sql.ref(`${table}.id`)} = item.id`,
    end: sql``,
  }),
  jsonNumber: (column, name) => sql`(${column} ->> ${sql.lit(name)})`,
  // A quoted phrase of the trigram tokenizer is the text itself; a quote inside is written twice.
  searchIndex: (index, texts) =>
    sql`(select rowid from ${sql.table(index)} where ${sql.ref(index)} match ${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(' OR ')})`,
};

export const postgresTools: DialectTools = {
  kind: 'postgres',
  idList: (ids) => sql`(select unnest(${ids}::bigint[]))`,
  jsonRows: (rows) => sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as item (value)`,
  inOrder: (table, ids) => ({
    from: sql`(select wanted.place, chosen.* from (select sorted.id, row_number() over () as place from (${ids}) as sorted) as wanted
      inner join ${sql.ref(table)} as chosen on chosen.id = wanted.id) as ${sql.ref(table)}`,
    end: sql`order by ${sql.ref(`${table}.place`)}`,
  }),
  jsonNumber: (column, name) => sql`((${column})::jsonb ->> ${sql.lit(name)})::bigint`,
  searchIndex: undefined,
};

import { Readable } from 'node:stream';
import { sql, type CompiledQuery } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { CsvColumn } from './csv.ts';
import { tableWriter, type ExportOptions } from './export-writers.ts';
import type { LongReads, ValueCounts } from './long-reads.ts';

const ROWS_PER_FETCH = 1000;

/** Batches of a query's rows by a cursor on the server, so that a large answer is never held at once. */
async function* fetchBatches(db: Db, query: CompiledQuery): AsyncGenerator<Record<string, unknown>[]> {
  const trx = await db.startTransaction().setAccessMode('read only').execute();
  try {
    await trx.executeQuery({ ...query, sql: `declare long_read no scroll cursor for ${query.sql}` });
    for (;;) {
      const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(ROWS_PER_FETCH)} from long_read`.execute(trx);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_PER_FETCH) return;
    }
  } finally {
    await trx.rollback().execute();
  }
}

async function* tableChunks(
  db: Db,
  query: CompiledQuery,
  columns: readonly CsvColumn[],
  options: ExportOptions | undefined,
): AsyncGenerator<string> {
  const writer = tableWriter(columns, options);
  yield writer.head();
  for await (const rows of fetchBatches(db, query)) {
    yield rows.map((row) => writer.row(Object.values(row))).join('');
  }
  yield writer.foot();
}

async function countValues(db: Db, query: CompiledQuery): Promise<ValueCounts> {
  const { rows } = await db.executeQuery<{ name: string; value: string | null; count: number }>({
    ...query,
    sql: `with counted as (${query.sql}) select pair.key as name, pair.value as value, count(*) as count
      from counted cross join lateral jsonb_each_text(to_jsonb(counted)) as pair group by pair.key, pair.value`,
  } as CompiledQuery<{ name: string; value: string | null; count: number }>);
  const byName = Map.groupBy(rows, (row) => row.name);
  const countsOf = (group: typeof rows) => Object.fromEntries(group.map(({ value, count }) => [String(value), count]));
  return Object.fromEntries([...byName].map(([name, group]) => [name, countsOf(group)]));
}

/** Long reads over the pool: PostgreSQL does the work elsewhere, so only the size of the answers matters here. */
export function postgresLongReads(db: Db): LongReads {
  return {
    rows: async <R>(query: CompiledQuery<R>) => (await db.executeQuery(query)).rows,
    numbers: async (query) => (await db.executeQuery(query)).rows.map((row) => Number(Object.values(row as object)[0])),
    countValues: (query) => countValues(db, query),
    table: (query, columns, options) => Readable.from(tableChunks(db, query, columns, options), { objectMode: false }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

import { sql, type RawBuilder } from 'kysely';

/**
 * The sum of a column of bytes over rows, 0 over none. It is added up as a fraction: what devices and hubs report may be lies, and SQLite answers with an
 * error, not with a number, where a whole number has more than 53 bits.
 */
export function sumBytes(column: string | RawBuilder<unknown>): RawBuilder<number> {
  const value = typeof column === 'string' ? sql.ref(column) : column;
  return sql<number>`coalesce(sum(cast(${value} as double precision)), 0)`;
}

/** A column of bytes with more added to it, at most `most`: sums that are kept never grow beyond what can be read. For `set` and `on conflict`. */
export function boundedSum(column: string, more: RawBuilder<unknown>, most: number): RawBuilder<number> {
  const sum = sql`${sql.ref(column)} + ${more}`;
  return sql<number>`case when ${sum} > ${sql.lit(most)} then ${sql.lit(most)} else ${sum} end`;
}

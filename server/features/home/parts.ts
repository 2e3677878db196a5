import type { RawBuilder } from 'kysely';
import type { Context } from '../../context.ts';

/** Rows of a part; its count is of all. */
export const MOST_ROWS = 5;

/** The first rows of a part, and how many there are in all. */
export interface Part<R> {
  count: number;
  rows: R[];
}

/** The rows of a query that counts all of them in `total`. */
export async function readPart<T extends { total: number }, R>(
  ctx: Context,
  query: RawBuilder<T>,
  present: (row: Omit<T, 'total'>) => R,
): Promise<Part<R>> {
  const rows = await ctx.database.longReads.rows<T>(query.compile(ctx.reads));
  return { count: Number(rows[0]?.total ?? 0), rows: rows.map(({ total: _total, ...row }) => present(row)) };
}

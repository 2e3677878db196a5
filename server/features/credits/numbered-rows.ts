import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { ListQuery } from '../../kernel/list-query.ts';

/** Rows of the ledger that are numbered 1, 2, 3 … in the order of time without a gap, and which of them nobody sees. */
export interface NumberedRows {
  table: 'credit_entries' | 'credit_transfers';
  nr: string;
  isHidden: RawBuilder<SqlBool>;
}

/** Companies that nobody sees: removed ones, and those that are gone for good. */
export const hiddenCompanies = sql`(select gone.id from companies as gone where gone.path < '/'
  union all select closed.company_id from credit_accounts as closed where closed.kind = 'closed')`;

/** Whether these rows are asked for newest first. */
export function isNewestFirst(query: Pick<ListQuery, 'sort'>): boolean {
  return query.sort[0]?.isDescending ?? false;
}

/**
 * The number of the row with `query.offset` rows that are seen in front of it, and how many are seen at all: passing over a million rows takes
 * longer than a page may. Reads the hidden ones only.
 */
export async function findStart(db: Db, { table, nr, isHidden }: NumberedRows, query: Pick<ListQuery, 'offset' | 'sort'>) {
  const isDescending = isNewestFirst(query);
  const [rows, number] = [sql.table(table), sql.ref(nr)];
  const seenBefore = isDescending ? sql`last.nr - hidden.nr - hidden.place + 1` : sql`hidden.nr - hidden.place`;
  const { rows: found } = await sql<Record<'last' | 'hidden' | 'passed', number>>`select last.nr as last, count(hidden.nr) as hidden,
      coalesce(sum(case when ${seenBefore} <= ${query.offset} then 1 end), 0) as passed
    from (select coalesce(max(${number}), 0) as nr from ${rows}) as last
    left join (select ${number} as nr, row_number() over (order by ${number} ${sql.raw(isDescending ? 'desc' : 'asc')}) as place
      from ${rows} where ${number} is not null and ${isHidden}) as hidden on true
    group by last.nr`.execute(db);
  const { last, hidden, passed } = found[0] ?? { last: 0, hidden: 0, passed: 0 };
  const skipped = query.offset + Number(passed);
  return { start: isDescending ? last - skipped : 1 + skipped, total: last - hidden };
}

/**
 * Whether a page of the `total` rows that are seen is found sooner by going through all rows in their order than by collecting and sorting
 * those that are seen.
 */
export async function isFoundInOrder(
  db: Db,
  { table, nr }: NumberedRows,
  { offset, limit }: Pick<ListQuery, 'offset' | 'limit'>,
  total: number,
): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`select max(${sql.ref(nr)}) as last from ${sql.table(table)}`.execute(db);
  return (offset + limit) * (rows[0]?.last ?? 0) < total * total;
}

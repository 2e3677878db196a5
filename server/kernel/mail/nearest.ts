import type { Db } from '../../db/schema.ts';

/** Ids of the companies on a path, the top one first: `/1/5/` → 1 and 5. Of a removed company those that was above it. */
export function companiesOn(path: string): number[] {
  return path.split('/').filter(Boolean).map(Number).filter(Number.isSafeInteger);
}

/** Of what several companies have, the one of the company at the end of the path, else of the nearest above it. */
export function nearestOn<R extends { company_id: number }>(path: string, rows: readonly R[]): R | undefined {
  const above = companiesOn(path);
  return above.toReversed().flatMap((id) => rows.filter((row) => row.company_id === id))[0];
}

/** What a company has, else the nearest one above it, of the rows that `read` finds for those companies. */
export async function findNearest<R extends { company_id: number }>(
  db: Db,
  companyId: number,
  read: (ids: number[]) => Promise<R[]>,
): Promise<R | undefined> {
  const company = await db.selectFrom('companies').select('path').where('id', '=', companyId).executeTakeFirst();
  const path = company?.path ?? '';
  const ids = companiesOn(path);
  return ids.length === 0 ? undefined : nearestOn(path, await read(ids));
}

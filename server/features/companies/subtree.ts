import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db, Row, Trx } from '../../db/schema.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { pathEnd } from '../../kernel/tenancy.ts';

export type CompanyRow = Row<'companies'>;

/** The ids in a company's path, topmost first. */
export const idsIn = (path: string): number[] =>
  path
    .split('/')
    .map(Number)
    .filter((id) => id > 0);

/** The condition "in this company or below it" on a column that holds a path. */
export function isBelow(column: string, path: string) {
  return sql<boolean>`${sql.ref(column)} >= ${path} and ${sql.ref(column)} < ${pathEnd(path)}`;
}

/** The companies of a subtree that is given to be within the actor's scope. */
export function findSubtree(db: Db, path: string): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().where(isBelow('path', path)).orderBy('path').execute();
}

/** Puts another beginning on every path of the subtree; `deeper` is added to its levels. */
export async function rewritePaths(trx: Trx, from: string, to: string, deeper: number): Promise<void> {
  const rest = (column: string) => sql<string>`${to} || substr(${sql.ref(column)}, ${sql.lit(from.length + 1)})`;
  await trx
    .updateTable('companies')
    .set((eb) => ({ path: rest('path'), level: eb('level', '+', deeper) }))
    .where(isBelow('path', from))
    .execute();
  await trx
    .updateTable('jobs')
    .set({ reach_path: rest('reach_path') })
    .where(isBelow('reach_path', from))
    .execute();
}

/** Ends sessions, sockets and downloads of everybody who acts in these companies, programs among them: what they may see is another thing now. */
export async function endSessionsIn(ctx: Context, trx: Trx, companyIds: readonly number[]): Promise<void> {
  await trx.deleteFrom('sessions').where('company_id', 'in', ctx.database.tools.idList(companyIds)).execute();
  afterCommit(trx, () => ctx.live.closeSockets({ companyIds }));
}

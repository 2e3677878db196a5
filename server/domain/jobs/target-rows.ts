import type { Context } from '../../context.ts';
import type { Db } from '../../db/schema.ts';

/** Targets with what the wire shows of them; add conditions. */
export function selectTargets(db: Db) {
  return db
    .selectFrom('job_targets')
    .leftJoin('companies', 'companies.id', 'job_targets.company_id')
    .selectAll('job_targets')
    .select((eb) => eb.fn.coalesce('companies.name', eb.val('')).as('company_name'));
}

export type FullTarget = Awaited<ReturnType<ReturnType<typeof selectTargets>['execute']>>[number];

export function targetsById(ctx: Pick<Context, 'database'>, db: Db, ids: readonly number[]): Promise<FullTarget[]> {
  return selectTargets(db).where('job_targets.id', 'in', ctx.database.tools.idList(ids)).orderBy('job_targets.id').execute();
}

import { sql, type Expression, type SqlBool } from 'kysely';
import type { Context } from '../context.ts';
import type { Actor } from './actor.ts';
import { NotFound } from './errors.ts';
import { isPresentPath, pathEnd } from './tenancy.ts';

/** The condition "this job is one the actor sees": a job is seen whole or not at all, so that its counts never report foreign devices. */
export function isJobVisible(actor: Pick<Actor, 'scope' | 'companyId' | 'companyPath'>): Expression<SqlBool> {
  if (actor.scope === 'all') return isPresentPath('jobs.reach_path');
  if (actor.scope === 'company') return sql<SqlBool>`(jobs.company_id = ${actor.companyId} and jobs.is_one_company = 1)`;
  return sql<SqlBool>`(jobs.reach_path >= ${actor.companyPath} and jobs.reach_path < ${pathEnd(actor.companyPath)})`;
}

/** Whether the job exists and the actor sees it. */
export async function hasJobInScope(ctx: Pick<Context, 'reads'>, actor: Actor, jobId: number): Promise<boolean> {
  const job = await ctx.reads.selectFrom('jobs').select('id').where('id', '=', jobId).where(isJobVisible(actor)).executeTakeFirst();
  return job !== undefined;
}

/** The job's row; NOT_FOUND when it does not exist or the actor does not see it. */
export async function requireJob(ctx: Pick<Context, 'reads'>, actor: Actor, jobId: number) {
  const job = await ctx.reads.selectFrom('jobs').selectAll().where('id', '=', jobId).where(isJobVisible(actor)).executeTakeFirst();
  if (!job) throw new NotFound({});
  return job;
}

/** What all these company paths begin with: `/1/5/` and `/1/7/3/` → `/1/`. `/` when they share nothing. */
export function commonPath(paths: Iterable<string>): string {
  let common: string[] | undefined;
  for (const path of paths) {
    const ids = path.split('/').filter(Boolean);
    if (!common) common = ids;
    else {
      const differs = common.findIndex((id, index) => ids[index] !== id);
      if (differs >= 0) common = common.slice(0, differs);
    }
  }
  return common?.length ? `/${common.join('/')}/` : '/';
}

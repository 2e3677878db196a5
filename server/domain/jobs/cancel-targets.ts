import type { Context } from '../../context.ts';
import { can, type Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { changeTargets } from './change-targets.ts';
import { isJobVisible } from '../../kernel/job-scope.ts';
import { permissionOf, type Kinds } from './kinds.ts';

/**
 * Cancels those of these targets that were not sent yet, one transaction with its history for each job. Answers their ids, ascending, and the jobs
 * that changed; targets that the actor does not see, or whose kind they may not cancel, are left as unknown ones are.
 */
export async function cancelTargets(
  ctx: Context,
  kinds: Kinds,
  { actor, origin }: Caller,
  targetIds: readonly number[],
): Promise<{ cancelled: number[]; jobIds: number[] }> {
  const rows = await ctx.db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.job_id', 'jobs.kind', 'jobs.input', 'jobs.company_id'])
    .where('job_targets.id', 'in', ctx.database.tools.idList(targetIds))
    .where('job_targets.state', '=', 'queued')
    .where(isJobVisible(actor))
    .where(isVisible(actor, 'job_targets'))
    .execute();
  const at = ctx.clock.now();
  const cancelled: number[] = [];
  const jobIds: number[] = [];
  for (const [jobId, group] of Map.groupBy(rows, (row) => row.job_id)) {
    const [first] = group;
    const kind = first && kinds.find(first.kind);
    if (!kind || !can(actor, permissionOf(kind, JSON.parse(first.input)))) continue;
    const change = { ids: group.map((row) => row.id), from: ['queued'], set: { state: 'cancelled', finished_at: at } } as const;
    await inTransaction(ctx.db, async (trx) => {
      const { changed } = await changeTargets(ctx, trx, jobId, [{ ...change, from: [...change.from] }]);
      const ids = changed.flat();
      if (ids.length === 0) return;
      cancelled.push(...ids);
      jobIds.push(jobId);
      const entry = { action: 'jobs.cancel', entity: 'job', entityId: jobId, entityName: first.kind, companyId: first.company_id };
      await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { cancelled: ids.length, cannot_cancel: 0 } }]);
    });
  }
  return { cancelled: cancelled.sort((a, b) => a - b), jobIds };
}

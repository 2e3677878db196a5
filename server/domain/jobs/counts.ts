import type { Job } from '../../../schemas/_generated/contract.ts';
import type { Db, TargetState, Trx } from '../../db/schema.ts';

export type JobCounts = Job['counts'];

export function emptyCounts(): JobCounts {
  return { queued: 0, sent: 0, running: 0, ok: 0, failed: 0, skipped: 0, 'timed-out': 0, cancelled: 0 };
}

/** Counts the targets of a job by state, from the index alone. */
export async function countTargets(db: Db, jobId: number): Promise<JobCounts> {
  const rows = await db
    .selectFrom('job_targets')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('job_id', '=', jobId)
    .groupBy('state')
    .execute();
  const counts = emptyCounts();
  for (const row of rows) counts[row.state] = Number(row.count);
  return counts;
}

/** Brings the counts in the job's row up to date; call in the transaction that changed its targets. */
export async function saveCounts(trx: Trx, jobId: number): Promise<JobCounts> {
  const counts = await countTargets(trx, jobId);
  await trx
    .updateTable('jobs')
    .set({ counts: JSON.stringify(counts) })
    .where('id', '=', jobId)
    .execute();
  return counts;
}

export const ACTIVE_STATES = ['queued', 'sent', 'running'] as const satisfies readonly TargetState[];

/** Targets that may still change. */
export function activeCount(counts: JobCounts): number {
  return ACTIVE_STATES.reduce((sum, state) => sum + counts[state], 0);
}

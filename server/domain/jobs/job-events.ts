import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import type { NewNotification } from '../../kernel/notifications.ts';
import type { JobCounts } from './counts.ts';
import { jobChannel, presentJob, presentLiveTarget, presentWaves, type TargetRow } from './present-job.ts';

type JobScope = Pick<Row<'jobs'>, 'reach_path' | 'is_one_company'>;
const audienceOf = (job: JobScope): { isForTreeOnly: boolean } => ({ isForTreeOnly: job.is_one_company === 0 });

/** Notifies the followers of the company's jobs that a job was made, after the commit. */
export async function announceNewJob(ctx: Context, trx: Trx, job: Row<'jobs'>): Promise<void> {
  const { name } = await trx.selectFrom('companies').select('name').where('id', '=', job.company_id).executeTakeFirstOrThrow();
  afterCommit(trx, () =>
    ctx.live.publishBelow(job.reach_path, 'jobs', 'JobAdded', presentJob({ ...job, company_name: name }), audienceOf(job)),
  );
}

export type ProgressRow = Row<'jobs'>;

/** Sends the progress to the followers of the job and of the company's jobs, after the commit. */
export function announceProgress(ctx: Context, trx: Trx, job: ProgressRow, counts: JobCounts): void {
  const finishedAt = wireTime(job.finished_at);
  const waves = presentWaves({ ...job, counts: JSON.stringify(counts) });
  const pausedAt = wireTime(job.paused_at);
  afterCommit(trx, () => {
    const { id, state, total, message } = job;
    ctx.live.publish(jobChannel(id), 'JobProgress', { id, state, total, counts, waves, paused_at: pausedAt, finished_at: finishedAt });
    ctx.live.publishBelow(
      job.reach_path,
      'jobs',
      'JobChanged',
      { id, state, counts, waves, paused_at: pausedAt, message, started_at: wireTime(job.started_at), finished_at: finishedAt },
      audienceOf(job),
    );
  });
}

/** What the person who started a job is notified of at its end; of a routine one only when a device was missed. */
export function noticeOfEnd(job: Row<'jobs'>, counts: JobCounts, { isRoutine = false } = {}): NewNotification[] {
  if (job.created_by === null) return [];
  const failed = counts.failed + counts['timed-out'] + (isRoutine ? counts.skipped : 0);
  if (isRoutine && failed === 0) return [];
  return [
    {
      kind: failed > 0 ? 'jobFailed' : 'jobFinished',
      companyId: job.company_id,
      subjectId: job.id,
      subjectName: job.kind,
      userId: job.created_by,
      details: { ok: counts.ok, failed, total: job.total },
    },
  ];
}

/** Sends the changed targets to the followers of the job, after the commit. */
export function announceTargets(ctx: Context, trx: Trx, targets: TargetRow[]): void {
  afterCommit(trx, () => {
    for (const target of targets) ctx.live.publish(jobChannel(target.job_id), 'JobTargetChanged', presentLiveTarget(target));
  });
}

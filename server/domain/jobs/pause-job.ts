import type { Context } from '../../context.ts';
import type { Changes, Row } from '../../db/schema.ts';
import type { Caller } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { countTargets } from './counts.ts';
import { NotWaiting } from './errors.ts';
import { announceProgress } from './job-events.ts';
import { presentWaves } from './present-job.ts';
import { failuresOf, HELD_LIFETIME_MS } from './waves.ts';
import type { Hold } from './types.ts';

/** Once it goes on, it has as long as one that is new. */
const LIFETIME_MS = DAY;

/** What it means for a job, if it means anything now. */
function changeFor(job: Row<'jobs'>, hold: Hold, now: number): Changes<'jobs'> | undefined {
  if (job.finished_at !== null || job.cancel_requested_at !== null) return undefined;
  const goesOn = { deadline_at: Math.max(job.deadline_at, now + LIFETIME_MS) };
  if (hold === 'pause')
    return job.paused_at === null ? { paused_at: now, deadline_at: Math.max(job.deadline_at, now + HELD_LIFETIME_MS) } : undefined;
  if (hold === 'resume') return job.paused_at === null ? undefined : { paused_at: null, ...goesOn, ...forgivenIn(job) };
  return presentWaves(job)?.is_waiting ? { wave_approved: job.wave_number, ...goesOn } : undefined;
}

/** Who resumes a job that was stopped by its failures takes those: from then on only new ones count. */
function forgivenIn(job: Row<'jobs'>): Changes<'jobs'> {
  if (job.wave_stopped === 0) return {};
  const { failed, over } = failuresOf(JSON.parse(job.counts));
  return { wave_stopped: 0, wave_forgiven: failed, wave_counted: over };
}

/**
 * Holds a job back, or lets it go on: `pause` sends nothing more until `resume`; `continue` lets the wave begin that waits for it. What is under way
 * on devices goes on in any case. Throws NOT_WAITING for a job that is over or where there is nothing to change.
 */
export async function holdJob(ctx: Context, { actor, origin }: Caller, jobId: number, hold: Hold): Promise<void> {
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const before = await trx.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst();
    const change = before && changeFor(before, hold, at);
    if (!change) throw new NotWaiting({});
    const job = await trx.updateTable('jobs').set(change).where('id', '=', jobId).returningAll().executeTakeFirstOrThrow();
    const entry = { action: `jobs.${hold}`, entity: 'job', entityId: jobId, entityName: job.kind, companyId: job.company_id };
    await writeAudit(trx, { actor, origin, at }, [{ ...entry, before: null, after: { wave: job.wave_number } }]);
    announceProgress(ctx, trx, job, await countTargets(trx, jobId));
  });
}

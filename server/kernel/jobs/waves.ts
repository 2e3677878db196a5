import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { SECOND } from '../clock.ts';
import { inTransaction } from '../db/database.ts';
import { endQueued } from './change-targets.ts';
import { countTargets } from './counts.ts';
import { announceProgress } from './job-events.ts';
import { asksForApproval } from './present-job.ts';

/** How a job goes about its devices: so many at a time, the next ones when all of those are done, no more when too many failed. */
export interface Waves {
  /** Devices; without it `size_percent` of those that the job runs on, without both all of them. */
  size?: number;
  size_percent?: number;
  /** Devices in the first wave, to try it on a few; without it as many as in the others. */
  first?: number;
  /** Each further wave waits until somebody lets it begin. */
  approve?: boolean;
  /** Of the targets that are done, the share that may have failed; without it nothing stops the job. */
  stop_percent?: number;
  /** Between the end of a wave and the next one; none unless told. */
  pause_seconds?: number;
}

/**
 * How many more targets may be sent now; unlimited without waves. Begins the next wave when the present one is done and its pause is over, and ends
 * the job when more failed than it may: what is left is cancelled.
 */
export async function waveRoom(ctx: Context, { id }: Pick<Row<'jobs'>, 'id'>): Promise<number> {
  const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (job.paused_at !== null) return 0;
  if (job.wave_size === null) return Number.POSITIVE_INFINITY;
  const counts = await countTargets(ctx.db, id);
  const left = job.wave_number === 0 ? 0 : counts.queued - job.wave_floor;
  if (left > 0) return left;
  if (counts.queued === 0 || counts.sent + counts.running > 0) return 0;
  const failed = counts.failed + counts['timed-out'];
  if (job.wave_stop_percent !== null && failed * 100 > job.wave_stop_percent * (failed + counts.ok)) {
    await ctx.db.updateTable('jobs').set({ wave_stopped: 1 }).where('id', '=', id).execute();
    await endQueued(ctx, id, { state: 'cancelled', reason: 'STOPPED' });
    return 0;
  }
  if (asksForApproval(job)) return 0;
  if (job.wave_number > 0 && (await isPausing(ctx, job))) return 0;
  const floor = Math.max(0, counts.queued - (job.wave_number === 0 ? (job.wave_first ?? job.wave_size) : job.wave_size));
  await ctx.db
    .updateTable('jobs')
    .set({ wave_number: job.wave_number + 1, wave_floor: floor, wave_resumes_at: null })
    .where('id', '=', id)
    .execute();
  return counts.queued - floor;
}

/** How many devices of so many a wave has. */
export function waveSize({ size, size_percent }: Waves, devices: number): number {
  return size ?? Math.max(1, Math.ceil((devices * (size_percent ?? 100)) / 100));
}

/** Whether the pause before the next wave lasts; the first to ask starts it. It stands in the database, so another process goes on with it. */
async function isPausing(ctx: Context, job: Row<'jobs'>): Promise<boolean> {
  const now = ctx.clock.now();
  if (job.wave_resumes_at !== null) return now < job.wave_resumes_at;
  if (job.wave_pause_seconds === null) return false;
  const resumesAt = now + job.wave_pause_seconds * SECOND;
  await inTransaction(ctx.db, async (trx) => {
    await trx.updateTable('jobs').set({ wave_resumes_at: resumesAt }).where('id', '=', job.id).execute();
    announceProgress(ctx, trx, { ...job, wave_resumes_at: resumesAt }, await countTargets(trx, job.id));
  });
  return true;
}

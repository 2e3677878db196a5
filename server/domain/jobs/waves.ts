import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { endQueued } from './change-targets.ts';
import { countTargets, type JobCounts } from './counts.ts';
import { announceProgress } from './job-events.ts';
import { asksForApproval } from './present-job.ts';
import type { Waves } from './types.ts';

/** A job that waits for somebody keeps what it has not sent for so long. */
export const HELD_LIFETIME_MS = 30 * DAY;

const NO_ROOM = { room: 0, wave: null };

/**
 * How many more targets may be sent now, and in which wave; unlimited without waves. Begins the next wave when the present one is done and its pause is over, and ends
 * the job when more failed than it may: what is left is cancelled.
 */
export async function waveRoom(ctx: Context, { id }: Pick<Row<'jobs'>, 'id'>): Promise<{ room: number; wave: number | null }> {
  const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (job.paused_at !== null) return NO_ROOM;
  if (job.wave_size === null) return { room: Number.POSITIVE_INFINITY, wave: null };
  const counts = await countTargets(ctx.db, id);
  const left = job.wave_number === 0 ? 0 : counts.queued - job.wave_floor;
  if (left > 0) return { room: left, wave: job.wave_number };
  if (counts.queued === 0 || counts.sent + counts.running > 0) return NO_ROOM;
  if (failedTooOften(job, counts)) {
    await stop(ctx, job, counts);
    return NO_ROOM;
  }
  if (asksForApproval(job)) return NO_ROOM;
  if (job.wave_number > 0 && (await isPausing(ctx, job))) return NO_ROOM;
  const floor = Math.max(0, counts.queued - (job.wave_number === 0 ? (job.wave_first ?? job.wave_size) : job.wave_size));
  await ctx.db
    .updateTable('jobs')
    .set({ wave_number: job.wave_number + 1, wave_floor: floor, wave_resumes_at: null })
    .where('id', '=', id)
    .execute();
  return { room: counts.queued - floor, wave: job.wave_number + 1 };
}

/** Targets that failed, and those that are over either way. */
export function failuresOf(counts: JobCounts): { failed: number; over: number } {
  const failed = counts.failed + counts['timed-out'];
  return { failed, over: failed + counts.ok };
}

function failedTooOften(job: Row<'jobs'>, counts: JobCounts): boolean {
  if (job.wave_stop_percent === null) return false;
  const { failed, over } = failuresOf(counts);
  return (failed - job.wave_forgiven) * 100 > job.wave_stop_percent * (over - job.wave_counted);
}

/** Ends the job, or holds it back until somebody resumes it. */
async function stop(ctx: Context, job: Row<'jobs'>, counts: JobCounts): Promise<void> {
  if (job.wave_holds === 0) {
    await ctx.db.updateTable('jobs').set({ wave_stopped: 1 }).where('id', '=', job.id).execute();
    await endQueued(ctx, job.id, { state: 'cancelled', reason: 'STOPPED' });
    return;
  }
  const at = ctx.clock.now();
  await inTransaction(ctx.db, async (trx) => {
    const held = await trx
      .updateTable('jobs')
      .set({ wave_stopped: 1, paused_at: at, deadline_at: Math.max(job.deadline_at, at + HELD_LIFETIME_MS) })
      .where('id', '=', job.id)
      .where('paused_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!held) return;
    const entry = { action: 'jobs.stop', entity: 'job', entityId: job.id, entityName: job.kind, companyId: job.company_id };
    const after = { wave: job.wave_number, ...failuresOf(counts) };
    await writeAudit(trx, { actor: null, origin: JSON.parse(job.origin), at }, [{ ...entry, before: null, after }]);
    announceProgress(ctx, trx, held, counts);
  });
}

/** How many devices of so many a wave has. */
export function waveSize({ size, size_percent }: Waves, devices: number): number {
  return size ?? Math.max(1, Math.ceil((devices * (size_percent ?? 100)) / 100));
}

/** Whether the pause before the next wave lasts; the first to ask starts it. It is in the database, so another process goes on with it. */
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

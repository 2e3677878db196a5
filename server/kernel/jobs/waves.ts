import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { endQueued } from './change-targets.ts';
import { countTargets } from './counts.ts';

/** How a job goes about its devices: so many at a time, the next ones when all of those are done, no more when too many failed. */
export interface Waves {
  size: number;
  /** Of the targets that are done, the share that may have failed; without it nothing stops the job. */
  stop_percent?: number;
}

type WaveJob = Pick<Row<'jobs'>, 'id' | 'wave_size' | 'wave_stop_percent' | 'wave_number' | 'wave_floor'>;

/**
 * How many more targets may be sent now; unlimited without waves. Begins the next wave when the present one is done, and ends the job when
 * more failed than it may: what is left is cancelled.
 */
export async function waveRoom(ctx: Context, { id }: Pick<WaveJob, 'id'>): Promise<number> {
  const job: WaveJob = await ctx.db
    .selectFrom('jobs')
    .select(['id', 'wave_size', 'wave_stop_percent', 'wave_number', 'wave_floor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
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
  const floor = Math.max(0, counts.queued - job.wave_size);
  await ctx.db
    .updateTable('jobs')
    .set({ wave_number: job.wave_number + 1, wave_floor: floor })
    .where('id', '=', id)
    .execute();
  return counts.queued - floor;
}

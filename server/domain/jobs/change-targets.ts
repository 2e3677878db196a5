import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Changes, Row, TargetState, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { saveCounts, type JobCounts } from './counts.ts';
import { CHUNK } from './evaluate.ts';
import { announceProgress, announceTargets } from './job-events.ts';
import { targetsById } from './target-rows.ts';
import type { SkipReason, StopReason } from './types.ts';

export interface TargetChange {
  ids: readonly number[];
  /** Only targets in one of these states are changed: another hand may have been faster. */
  from: readonly TargetState[];
  set: Changes<'job_targets'>;
}

/** Changes targets of one job, brings its counts up to date and notifies the followers after the commit. Returns the ids that did change. */
export async function changeTargets(
  ctx: Context,
  trx: Trx,
  jobId: number,
  changes: TargetChange[],
): Promise<{ changed: number[][]; counts: JobCounts }> {
  const changed: number[][] = [];
  for (const { ids, from, set } of changes) {
    if (ids.length === 0) {
      changed.push([]);
      continue;
    }
    const rows = await trx
      .updateTable('job_targets')
      .set(set)
      .where('id', 'in', ctx.database.tools.idList(ids))
      .where('state', 'in', from)
      .returning('id')
      .execute();
    changed.push(rows.map((row) => row.id));
  }
  const all = changed.flat();
  const counts = await saveCounts(trx, jobId);
  if (all.length === 0) return { changed, counts };
  announceTargets(ctx, trx, await targetsById(ctx, trx, all));
  announceProgress(ctx, trx, await jobRow(trx, jobId), counts);
  return { changed, counts };
}

/** Ends whatever of a job is still queued, some hundred targets at a time; returns how many there were. */
export async function endQueued(
  ctx: Context,
  jobId: number,
  set: { state: 'cancelled' | 'skipped'; reason?: SkipReason | StopReason },
): Promise<number> {
  let ended = 0;
  for (;;) {
    const queued = await ctx.db
      .selectFrom('job_targets')
      .select('id')
      .where('job_id', '=', jobId)
      .where('state', '=', 'queued')
      .limit(CHUNK)
      .execute();
    if (queued.length === 0) return ended;
    const change: TargetChange = {
      ids: queued.map((target) => target.id),
      from: ['queued'],
      set: { ...set, finished_at: ctx.clock.now() },
    };
    const { changed } = await inTransaction(ctx.db, (trx) => changeTargets(ctx, trx, jobId, [change]));
    ended += changed[0]?.length ?? 0;
    await nextTurn();
  }
}

function jobRow(trx: Trx, jobId: number): Promise<Row<'jobs'>> {
  return trx.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
}

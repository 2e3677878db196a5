import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { countTargets, saveCounts } from './counts.ts';
import { evaluateAll } from './evaluate.ts';
import { insertTargets, type Target } from './insert-targets.ts';
import { announceProgress } from './job-events.ts';
import { commonPath } from '../../kernel/job-scope.ts';
import { resolveSelection } from './selection.ts';
import type { DeviceKind } from './steps.ts';
import { targetHash } from './target-hashes.ts';

/** While further waves wait, newcomers are looked for at most so often. */
const LOOK_EVERY_MS = MINUTE;

/** Whether the job is between two waves, or after the last, and newcomers are due to be looked for. */
async function isDue(ctx: Context, job: Row<'jobs'>): Promise<boolean> {
  if (job.joins_newcomers === 0 || job.selection === null || job.wave_number === 0 || job.paused_at !== null) return false;
  const { queued, sent, running } = await countTargets(ctx.db, job.id);
  if (sent + running > 0 || queued > job.wave_floor) return false;
  return queued === 0 || ctx.clock.now() - (job.joined_at ?? 0) >= LOOK_EVERY_MS;
}

/** Devices that the job's query finds by now, that have no part in it, and that it can run on. */
async function findNewcomers(ctx: Context, job: Row<'jobs'>, kind: DeviceKind, actor: Actor): Promise<Target[]> {
  const { ids } = await resolveSelection(ctx, actor, { selection: JSON.parse(job.selection ?? 'null') });
  const rows = await ctx.db.selectFrom('job_targets').select('device_id').where('job_id', '=', job.id).execute();
  const known = new Set(rows.map((row) => row.device_id));
  const fresh = ids.filter((id) => !known.has(id));
  if (fresh.length === 0) return [];
  const now = ctx.clock.now();
  const windows = job.window_rule === null ? {} : { windows: { rule: job.window_rule, at: now } };
  const mayBeOffline = job.waits_until !== null && now < job.waits_until;
  const found = await evaluateAll(ctx, actor, fresh, { kind, input: JSON.parse(job.input), jobId: job.id, mayBeOffline, ...windows });
  return found.filter(({ reason }) => reason === undefined);
}

/**
 * Between two waves of a job that newcomers join, and after its last one: devices that match its query by now get their turn in the next wave. Those that
 * it cannot run on are looked at again later.
 */
export async function joinNewcomers(
  ctx: Context,
  { job, kind, actor }: { job: Row<'jobs'>; kind: DeviceKind; actor: Actor },
): Promise<void> {
  if (!(await isDue(ctx, job))) return;
  const newcomers = await findNewcomers(ctx, job, kind, actor);
  const at = ctx.clock.now();
  if (newcomers.length === 0) {
    await ctx.db.updateTable('jobs').set({ joined_at: at }).where('id', '=', job.id).execute();
    return;
  }
  await inTransaction(ctx.db, async (trx) => {
    const count = newcomers.length;
    const isOneCompany = job.is_one_company === 1 && newcomers.every(({ companyId }) => companyId === job.company_id);
    const changed = await trx
      .updateTable('jobs')
      .set((eb) => ({
        joined_at: at,
        total: eb('total', '+', count),
        wave_floor: eb('wave_floor', '+', count),
        reach_path: commonPath([job.reach_path, ...new Set(newcomers.map(({ companyPath }) => companyPath))]),
        is_one_company: isOneCompany ? 1 : 0,
      }))
      .where('id', '=', job.id)
      .where('state', '=', 'running')
      .where('cancel_requested_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!changed) return;
    await insertTargets(trx, job.id, newcomers, { companyId: job.company_id, at });
    const counts = await saveCounts(trx, job.id);
    await writeAudit(trx, { actor, origin: JSON.parse(job.origin), at }, [
      {
        action: 'jobs.join',
        entity: 'job',
        entityId: job.id,
        entityName: job.kind,
        companyId: job.company_id,
        before: null,
        after: { count, targets: targetHash(newcomers.map(({ id }) => id)) },
      },
    ]);
    announceProgress(ctx, trx, changed, counts);
  });
}

import { randomUUID } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError } from '../../kernel/errors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

type TagRun = Pick<Row<'tag_runs'>, 'id' | 'device_id' | 'kind' | 'input' | 'user_id' | 'company_id' | 'batch'>;

const MAX_TOGETHER = 1000;
const ORIGIN = { ip: '', requestId: 'tag-action', userAgent: '' };

/** An earlier action of the same device that is not over: actions come one after the other, in the order in which they were set up. */
const isPreceded = sql<SqlBool>`exists (select 1 from tag_runs as earlier
  left join job_targets on job_targets.job_id = earlier.job_id and job_targets.device_id = earlier.device_id
  where earlier.device_id = tag_runs.device_id and earlier.id < tag_runs.id
    and (earlier.state in ('waiting', 'starting') or (earlier.state = 'started' and job_targets.state in ('queued', 'sent', 'running'))))`;

/** Gives what can be started now its batch: one for each action. What lost its tag while it waited is forgotten. */
async function claimDue(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await trx
      .deleteFrom('tag_runs')
      .where('state', '=', 'waiting')
      .where(
        sql<SqlBool>`not exists (select 1 from device_tags where device_tags.device_id = tag_runs.device_id and device_tags.tag_id = tag_runs.tag_id)`,
      )
      .execute();
    const due = await trx
      .selectFrom('tag_runs')
      .innerJoin('devices', 'devices.id', 'tag_runs.device_id')
      .select(['tag_runs.id', 'tag_runs.action_id'])
      .where('tag_runs.state', '=', 'waiting')
      .where('devices.status', '=', 1)
      .where(sql<SqlBool>`not ${isPreceded}`)
      .orderBy('tag_runs.id')
      .limit(MAX_TOGETHER)
      .execute();
    for (const group of Map.groupBy(due, (run) => run.action_id).values()) {
      await trx
        .updateTable('tag_runs')
        .set({ state: 'starting', batch: randomUUID() })
        .where(
          'id',
          'in',
          group.map((run) => run.id),
        )
        // Another process may have been faster.
        .where('state', '=', 'waiting')
        .execute();
    }
  });
}

async function findVisibleDevices(ctx: Context, actor: Actor, runs: readonly TagRun[]): Promise<Set<number>> {
  const ids = runs.map((run) => run.device_id);
  const rows = await ctx.db
    .selectFrom('devices')
    .select('devices.id')
    .where('devices.id', 'in', ctx.database.tools.idList(ids))
    .where(isVisible(actor, 'devices'))
    .execute();
  return new Set(rows.map((row) => row.id));
}

async function endRuns(ctx: Context, runs: readonly TagRun[], set: Pick<Row<'tag_runs'>, 'state' | 'reason' | 'job_id'>): Promise<void> {
  const ids = runs.map((run) => run.id);
  if (ids.length > 0) await ctx.db.updateTable('tag_runs').set(set).where('id', 'in', ids).execute();
}

/** Starts one job for a batch, as the person who set the action up, with the rights of now; what that person may not do any more is refused, with the reason. */
async function startBatch(ctx: Context, runs: readonly TagRun[]): Promise<void> {
  const [first] = runs;
  if (!first) return;
  const { user_id: userId, company_id: companyId, kind, input, batch } = first;
  const actor = userId === null ? undefined : await findUserActor(ctx, { userId, companyId });
  const visible = actor ? await findVisibleDevices(ctx, actor, runs) : new Set<number>();
  const refuse = (refused: readonly TagRun[], reason: Row<'tag_runs'>['reason']) =>
    endRuns(ctx, refused, { state: 'refused', reason, job_id: null });
  await refuse(
    runs.filter((run) => !visible.has(run.device_id)),
    'NO_RIGHT',
  );
  const allowed = runs.filter((run) => visible.has(run.device_id));
  if (!actor || allowed.length === 0) return;
  const target = { device_id: allowed.map((run) => run.device_id) };
  try {
    const request = { kind, input: JSON.parse(input) as unknown, target, idempotencyKey: `tag-${batch}` };
    const { jobId } = await ctx.jobs.create(actor, ORIGIN, request);
    await endRuns(ctx, allowed, { state: 'started', reason: null, job_id: jobId });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await refuse(allowed, error.items[0]?.code === 'JOB_ALREADY_RUNNING' ? 'ALREADY_RUNNING' : 'NO_RIGHT');
  }
}

/**
 * Starts the actions of tags whose turn has come. What a process began and did not end is gone on with by the same batch, so by the same job.
 * The kinds of jobs that actions may be change no tags: an action never starts another one.
 */
export async function startDueRuns(ctx: Context): Promise<void> {
  const open = await ctx.db.selectFrom('tag_runs').select('id').where('state', 'in', ['waiting', 'starting']).limit(1).executeTakeFirst();
  if (!open) return;
  await claimDue(ctx);
  const claimed = await ctx.db
    .selectFrom('tag_runs')
    .select(['id', 'device_id', 'kind', 'input', 'user_id', 'company_id', 'batch'])
    .where('state', '=', 'starting')
    .orderBy('id')
    .execute();
  for (const runs of Map.groupBy(claimed, (run) => run.batch).values()) await startBatch(ctx, runs);
}

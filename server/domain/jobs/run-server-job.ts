import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor, Origin } from '../../kernel/actor.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { AppError } from '../../kernel/errors.ts';
import { changeTargets, type TargetChange } from './change-targets.ts';
import { CHUNK, evaluateChunk } from './evaluate.ts';
import type { JobKind, SkipReason } from './types.ts';

type ServerKind = JobKind & { runs: { on: 'server' } };
type Target = Pick<Row<'job_targets'>, 'id' | 'device_id'>;

export function isServerKind(kind: JobKind): kind is ServerKind {
  return kind.runs.on === 'server';
}

interface ServerCall {
  job: Row<'jobs'>;
  kind: ServerKind;
  actor: Actor;
  shouldStop(): boolean;
}

/** One batch in one transaction: the work, its audit rows and the targets' states are all there or none is. */
async function runBatch(ctx: Context, call: ServerCall, batch: Target[]): Promise<void> {
  const { job, kind, actor } = call;
  const input: unknown = JSON.parse(job.input);
  const origin: Origin = JSON.parse(job.origin);
  await inTransaction(ctx.db, async (trx) => {
    const ids = batch.map((target) => target.device_id);
    const evaluated = await evaluateChunk(ctx, trx, actor, ids, { kind, input, jobId: job.id });
    const devices = evaluated.flatMap((target) => (target.reason === undefined && target.device ? [target.device] : []));
    if (devices.length > 0) await kind.runs.run(trx, { ctx, actor, origin, input, devices });
    const now = ctx.clock.now();
    const done = new Set(devices.map((device) => device.id));
    const byReason = Map.groupBy(
      evaluated.filter((target) => target.reason !== undefined),
      (target) => target.reason,
    );
    const idsOf = (deviceIds: Set<number>): number[] =>
      batch.filter((target) => deviceIds.has(target.device_id)).map((target) => target.id);
    await changeTargets(ctx, trx, job.id, [
      { ids: idsOf(done), from: ['queued'], set: { state: 'ok', started_at: now, finished_at: now } },
      ...[...byReason].map(([reason, targets]): TargetChange => ({
        ids: idsOf(new Set(targets.map((target) => target.id))),
        from: ['queued'],
        set: { state: 'skipped', reason: reason satisfies SkipReason | undefined, finished_at: now },
      })),
    ]);
  });
}

async function failTarget(ctx: Context, call: ServerCall, target: Target, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) ctx.log.error({ err: error, job: call.job.id, target: target.id }, 'a target of a job failed');
  const message = error instanceof AppError ? error.message : 'Something went wrong on the server.';
  const now = ctx.clock.now();
  await inTransaction(ctx.db, (trx) =>
    changeTargets(ctx, trx, call.job.id, [
      { ids: [target.id], from: ['queued'], set: { state: 'failed', message, started_at: now, finished_at: now } },
    ]),
  );
}

/** Does the work of a job that needs no device, in batches. When a batch fails, its targets are tried one by one, so that one bad one harms no other. */
export async function runServerBatches(ctx: Context, call: ServerCall): Promise<void> {
  while (!call.shouldStop()) {
    const batch = await ctx.db
      .selectFrom('job_targets')
      .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
      .select(['job_targets.id', 'job_targets.device_id'])
      .where('job_targets.job_id', '=', call.job.id)
      .where('job_targets.state', '=', 'queued')
      .where('jobs.cancel_requested_at', 'is', null)
      .orderBy('job_targets.id')
      .limit(CHUNK)
      .execute();
    if (batch.length === 0) return;
    try {
      await runBatch(ctx, call, batch);
    } catch {
      for (const target of batch) {
        try {
          await runBatch(ctx, call, [target]);
        } catch (error) {
          await failTarget(ctx, call, target, error);
        }
      }
    }
    await nextTurn();
  }
}

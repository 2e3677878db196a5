import type { Context, Part } from '../../context.ts';
import { requirePermission, type Actor, type Origin } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { afterCommit, inTransaction } from '../../kernel/db/database.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { cancelTargets } from './cancel-targets.ts';
import { endQueued } from './change-targets.ts';
import { countTargets } from './counts.ts';
import { createJob, evaluateRequest, preparedRequest } from './create-job.ts';
import { NothingToRetry } from './errors.ts';
import { holdJob } from './pause-job.ts';
import { requireJob } from '../../kernel/job-scope.ts';
import { createKinds, permissionOf, type Kinds } from './kinds.ts';
import { limitWarnings, summarise } from './preview.ts';
import { isReasonAsked } from './reasons.ts';
import { createRunner } from './runner.ts';
import { takeResults } from './take-results.ts';
import type { JobRequest, Jobs, StartedJob, OpenCommand } from './types.ts';
import { isDeviceKind, stepsOf } from './steps.ts';

/** Makes, drives and follows jobs. See createRunner for the states. */
export function createJobs(ctx: Context): Jobs & Part {
  const kinds = createKinds();
  const runner = createRunner(ctx, kinds);

  async function start(actor: Actor, origin: Origin, request: JobRequest): Promise<StartedJob> {
    const started = await createJob(ctx, kinds, actor, origin, request);
    await runner.claim();
    return started;
  }

  /** The devices of a job that are worth another try, as far as they are still there and the actor sees them. */
  async function devicesToRetry(actor: Actor, jobId: number, targetIds: number[] | undefined): Promise<number[]> {
    let query = ctx.db
      .selectFrom('job_targets')
      .innerJoin('devices', 'devices.id', 'job_targets.device_id')
      .select('devices.id')
      .distinct()
      .where('job_targets.job_id', '=', jobId)
      .where(isVisible(actor, 'devices'))
      // What an earlier retry has done, or is about to do, is not done again.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('job_targets as later')
              .innerJoin('jobs as child', 'child.id', 'later.job_id')
              .select('later.id')
              .whereRef('later.device_id', '=', 'job_targets.device_id')
              .where('child.parent_job_id', '=', jobId)
              .where('later.state', 'in', ['queued', 'sent', 'running', 'ok']),
          ),
        ),
      )
      .orderBy('devices.id');
    query = targetIds
      ? query
          .where('job_targets.id', 'in', ctx.database.tools.idList(targetIds))
          .where('job_targets.state', 'in', ['failed', 'timed-out', 'skipped', 'cancelled'])
      : query.where('job_targets.state', 'in', ['failed', 'timed-out']);
    return (await query.execute()).map((row) => row.id);
  }

  return {
    register: (kind) => kinds.add(kind),
    async preview(actor, request) {
      const prepared = await preparedRequest(ctx, kinds, actor, request);
      const { targets, seen, rule } = await evaluateRequest(ctx, kinds, actor, prepared, { isPreview: true });
      const summary = summarise(targets, seen, rule);
      const warnings = [...summary.warnings, ...(await limitWarnings(ctx, targets))];
      const hasReason = (request.reason ?? '') !== '';
      return { ...summary, warnings, asks_reason: !hasReason && (await isReasonAsked(ctx, prepared, targets)) };
    },
    async inputFrom(actor, name, record) {
      const input = await kinds.get(name).inputFrom?.({ ctx, actor, ...record });
      if (input === undefined) throw new Error(`The job kind "${name}" is not made of a record`);
      return input;
    },
    create: start,
    async retryOf(actor, jobId, targetIds) {
      const job = await requireJob(ctx, actor, jobId);
      requirePermission(actor, permissionOf(kinds.get(job.kind), JSON.parse(job.input)));
      const deviceIds = await devicesToRetry(actor, jobId, targetIds);
      if (deviceIds.length === 0) throw new NothingToRetry({});
      return { kind: job.kind, input: JSON.parse(job.input), deviceIds, reason: job.reason };
    },
    async cancel(actor, origin, jobId) {
      const job = await requireJob(ctx, actor, jobId);
      requirePermission(actor, permissionOf(kinds.get(job.kind), JSON.parse(job.input)));
      const at = ctx.clock.now();
      // From here on nothing more of it is sent.
      await ctx.db.updateTable('jobs').set({ cancel_requested_at: at }).where('id', '=', jobId).where('finished_at', 'is', null).execute();
      const cancelled = await endQueued(ctx, jobId, { state: 'cancelled' });
      const counts = await countTargets(ctx.db, jobId);
      const result = { cancelled, cannot_cancel: counts.sent + counts.running };
      await inTransaction(ctx.db, (trx) =>
        writeAudit(trx, { actor, origin, at }, [
          {
            action: 'jobs.cancel',
            entity: 'job',
            entityId: jobId,
            entityName: job.kind,
            companyId: job.company_id,
            before: null,
            after: result,
          },
        ]),
      );
      runner.kick(jobId);
      return result;
    },
    async hold(actor, origin, jobId, hold) {
      const job = await requireJob(ctx, actor, jobId);
      requirePermission(actor, permissionOf(kinds.get(job.kind), JSON.parse(job.input)));
      await holdJob(ctx, { actor, origin }, jobId, hold);
      runner.kick(jobId);
    },
    async cancelTargets(actor, origin, targetIds) {
      const { cancelled, jobIds } = await cancelTargets(ctx, kinds, { actor, origin }, targetIds);
      jobIds.forEach(runner.kick);
      return cancelled;
    },
    async takeResults(trx, results) {
      const jobIds = await takeResults(ctx, trx, kinds, results);
      afterCommit(trx, () => jobIds.forEach(runner.kick));
    },
    openCommand: (deviceId, commandId) => findOpenCommand(ctx, kinds, deviceId, commandId),
    devicesReturned: (deviceIds) => runner.devicesReturned(deviceIds),
    settled: () => runner.settled(),
    async start() {
      await runner.start();
    },
    async [Symbol.asyncDispose]() {
      await runner.stop();
    },
  };
}

/** The command with this id while this device is at it and its time lasts; undefined for anything else. */
async function findOpenCommand(ctx: Context, kinds: Kinds, deviceId: number, commandId: string): Promise<OpenCommand | undefined> {
  const target = await ctx.db
    .selectFrom('job_targets')
    .selectAll()
    .where('command_id', '=', commandId)
    .where('device_id', '=', deviceId)
    .where('state', 'in', ['sent', 'running'])
    .where('deadline_at', '>', ctx.clock.now())
    .executeTakeFirst();
  if (!target) return undefined;
  const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', target.job_id).executeTakeFirst();
  const device = await ctx.db
    .selectFrom('devices')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('devices')
    .select('companies.name as company_name')
    .where('devices.id', '=', deviceId)
    .executeTakeFirst();
  const kind = job && kinds.find(job.kind);
  if (!job || !device || !isDeviceKind(kind)) return undefined;
  const steps = stepsOf(kind, JSON.parse(job.input), device, target);
  return { job, target, device, step: steps[target.step] ?? steps[0] };
}

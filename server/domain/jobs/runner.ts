import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { can, type Actor } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { findUserActor } from '../../kernel/auth/find-actor.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { queueNotifications } from '../../kernel/notifications.ts';
import { endQueued } from './change-targets.ts';
import { activeCount, countTargets, saveCounts } from './counts.ts';
import { announceProgress, noticeOfEnd } from './job-events.ts';
import { permissionOf, type Kinds } from './kinds.ts';
import { claimJobs, releaseJobs, renewLeases } from './leases.ts';
import { maskedInput } from './mask-secrets.ts';
import { joinNewcomers } from './join-late-targets.ts';
import { expireTargets, resendUnanswered, sendBatches } from './run-device-job.ts';
import { isServerKind, runServerBatches } from './run-server-job.ts';
import { commandFor, isDeviceKind, selectCommandDevices, sendCommand } from './steps.ts';
import { hashResults } from './target-hashes.ts';

const TICK_MS = 1 * SECOND;
const LEASE_RENEW_MS = 5 * SECOND;
/** After a start of the server devices need this long to connect again; jobs of before wait for them. */
const RETURN_GRACE_MS = 1 * MINUTE;

/**
 * Drives jobs. A job is owned by one server process at a time, by a lease in its row; what is done and what is not is in the
 * database alone, so that a process can end at any moment and another goes on.
 *
 * Job: queued → running → finished | cancelled.
 * Target: queued → sent → running → ok | failed | timed-out; queued → skipped | cancelled | timed-out.
 */
export function createRunner(ctx: Context, kinds: Kinds) {
  const owner = randomUUID();
  const owned = new Set<number>();
  /** Jobs taken over from a process that ended. */
  const takenOver = new Set<number>();
  const running = new Map<number, { isWantedAgain: boolean; done: Promise<void> }>();
  const stops: (() => void)[] = [];
  let startedAt = 0;
  const life = { isStarted: false, isStopped: false };

  async function finishIfDone(jobId: number, actor: Actor | undefined): Promise<void> {
    if (activeCount(await countTargets(ctx.db, jobId)) > 0) return;
    // What is done changes no more.
    const hashes = await hashResults(ctx.db, jobId);
    const now = ctx.clock.now();
    await inTransaction(ctx.db, async (trx) => {
      const counts = await saveCounts(trx, jobId);
      if (activeCount(counts) > 0) return;
      const state = counts.cancelled > 0 ? 'cancelled' : 'finished';
      const job = await trx
        .updateTable('jobs')
        .set({ state, finished_at: now, lease_owner: null, lease_until: null })
        .where('id', '=', jobId)
        .where('state', 'in', ['queued', 'running'])
        .returningAll()
        .executeTakeFirst();
      if (!job) return;
      await writeAudit(trx, { actor: actor ?? null, origin: JSON.parse(job.origin), at: now }, [
        {
          action: 'jobs.finish',
          entity: 'job',
          entityId: jobId,
          entityName: job.kind,
          companyId: job.company_id,
          before: null,
          after: { state, input: maskedInput(job.input), total: job.total, counts: { ...counts }, ...hashes },
        },
      ]);
      if (state === 'finished')
        await queueNotifications(trx, now, noticeOfEnd(job, counts, { isRoutine: kinds.find(job.kind)?.isRoutine ?? false }));
      announceProgress(ctx, trx, job, counts);
    });
    // Finished by now, here or elsewhere.
    owned.delete(jobId);
  }

  async function begin(job: Row<'jobs'>): Promise<void> {
    if (job.state !== 'queued') return;
    const set = { state: 'running', started_at: ctx.clock.now() } as const;
    await ctx.db.updateTable('jobs').set(set).where('id', '=', job.id).where('state', '=', 'queued').execute();
  }

  /** One step of a job: ends what is late, sends what can be sent, finishes it when nothing is left. */
  async function step(jobId: number): Promise<void> {
    const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst();
    if (!job || job.state === 'finished' || job.state === 'cancelled') {
      owned.delete(jobId);
      return;
    }
    await begin(job);
    const kind = kinds.find(job.kind);
    const actor =
      job.created_by === null
        ? undefined
        : await findUserActor(ctx, { userId: job.created_by, companyId: job.company_id, onBehalfOf: job.on_behalf_of });
    await expireTargets(ctx, kinds, job);
    if (!kind || !actor || !can(actor, permissionOf(kind, JSON.parse(job.input)))) {
      await ctx.db
        .updateTable('jobs')
        .set({ message: 'The person who started this job is no longer allowed to do this.' })
        .where('id', '=', jobId)
        .execute();
      await endQueued(ctx, jobId, { state: 'skipped', reason: 'NO_RIGHT' });
    } else if (job.cancel_requested_at !== null) {
      await endQueued(ctx, jobId, { state: 'cancelled' });
    } else if (isServerKind(kind)) {
      await runServerBatches(ctx, { job, kind, actor, shouldStop: () => life.isStopped });
    } else if (isDeviceKind(kind)) {
      await resendUnanswered(ctx, job, kind, { isTakeover: takenOver.delete(jobId) });
      const now = ctx.clock.now();
      const isReturning = job.created_at < startedAt && now < startedAt + RETURN_GRACE_MS;
      const isOnlineOnly = isReturning || (job.waits_until !== null && now < job.waits_until);
      await joinNewcomers(ctx, { job, kind, actor });
      await sendBatches(ctx, { job, kind, actor, isOnlineOnly, shouldStop: () => life.isStopped });
    }
    if (!life.isStopped) await finishIfDone(jobId, actor);
  }

  async function runSteps(jobId: number, state: { isWantedAgain: boolean }): Promise<void> {
    try {
      do {
        state.isWantedAgain = false;
        await step(jobId);
      } while (state.isWantedAgain && !life.isStopped && owned.has(jobId));
    } catch (error) {
      // The next tick tries again: a full disk or a lost database comes back.
      ctx.log.error({ err: error, job: jobId }, 'a job could not go on');
    } finally {
      running.delete(jobId);
    }
  }

  function kick(jobId: number): void {
    if (life.isStopped || !owned.has(jobId)) return;
    const current = running.get(jobId);
    if (current) {
      current.isWantedAgain = true;
      return;
    }
    const state = { isWantedAgain: false, done: Promise.resolve() };
    running.set(jobId, state);
    state.done = runSteps(jobId, state);
  }

  async function claim(): Promise<void> {
    if (!life.isStarted || life.isStopped) return;
    for (const job of await claimJobs(ctx, owner)) {
      if (owned.has(job.id)) continue;
      owned.add(job.id);
      if (job.state === 'running') takenOver.add(job.id);
      kick(job.id);
    }
  }

  return {
    async start(): Promise<void> {
      startedAt = ctx.clock.now();
      // One process alone writes a SQLite file, so the process that held these leases is gone.
      if (ctx.database.tools.kind === 'sqlite') await releaseJobs(ctx, undefined);
      life.isStarted = true;
      await claim();
      stops.push(
        ctx.clock.every(TICK_MS, async () => {
          await claim();
          for (const jobId of owned) kick(jobId);
        }),
        ctx.clock.every(LEASE_RENEW_MS, async () => {
          const kept = await renewLeases(ctx, owner, [...owned]);
          for (const jobId of owned) if (!kept.has(jobId)) owned.delete(jobId);
        }),
      );
    },
    claim,
    kick,
    /** Sends again what these devices were given and have not finished. */
    async devicesReturned(deviceIds: readonly number[]): Promise<void> {
      const targets = await selectCommandDevices(ctx.db)
        .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
        .select(['jobs.kind', 'jobs.input'])
        .where('job_targets.device_id', 'in', ctx.database.tools.idList(deviceIds))
        .where('job_targets.state', 'in', ['sent', 'running'])
        .where('job_targets.deadline_at', '>', ctx.clock.now())
        .execute();
      for (const target of targets) {
        const kind = kinds.find(target.kind);
        if (isDeviceKind(kind)) await sendCommand(ctx, target.device_key, commandFor(kind, JSON.parse(target.input), target, target));
      }
      if (ctx.clock.now() < startedAt + RETURN_GRACE_MS) for (const jobId of owned) kick(jobId);
    },
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all([...running.values()].map((state) => state.done));
    },
    async stop(): Promise<void> {
      life.isStopped = true;
      for (const stop of stops) stop();
      await this.settled();
      if (life.isStarted) await releaseJobs(ctx, owner);
    },
  };
}

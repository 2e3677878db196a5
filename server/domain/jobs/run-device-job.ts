import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { SECOND } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { readHearing } from '../devices/hearing.ts';
import { changeTargets, type TargetChange } from './change-targets.ts';
import { waveRoom } from './waves.ts';
import { CHUNK, evaluateChunk, type EvaluatedTarget } from './evaluate.ts';
import type { Kinds } from './kinds.ts';
import { commandFor, selectCommandDevices, sendCommand, stepsOf, stepTimeoutMs, type DeviceKind } from './steps.ts';
import { timeOut } from './take-results.ts';
import type { SkipReason } from './types.ts';

/** Targets of one job that devices work on at the same time. */
const MAX_IN_FLIGHT = 4000;
const RESEND_AFTER_MS = 20 * SECOND;
const MAX_ATTEMPTS = 4;
/** How long an answer may be on its way when the time is up. */
const ANSWER_GRACE_MS = 3 * SECOND;

async function inFlightCount(ctx: Context, jobId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('job_targets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('job_id', '=', jobId)
    .where('state', 'in', ['sent', 'running'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Batch {
  targets: Pick<Row<'job_targets'>, 'id' | 'device_id' | 'command_id'>[];
  wave: number | null;
}

async function nextBatch(ctx: Context, jobId: number, isOnlineOnly: boolean): Promise<Batch> {
  const { room: left, wave } = await waveRoom(ctx, { id: jobId });
  const now = ctx.clock.now();
  const room = Math.min(MAX_IN_FLIGHT - (await inFlightCount(ctx, jobId)), left);
  if (room <= 0) return { targets: [], wave };
  let query = ctx.db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.device_id', 'job_targets.command_id'])
    .where('job_targets.job_id', '=', jobId)
    .where('job_targets.state', '=', 'queued')
    .where('jobs.cancel_requested_at', 'is', null)
    .where((eb) => eb.or([eb('job_targets.due_at', 'is', null), eb('job_targets.due_at', '<=', now)]))
    .orderBy('job_targets.id')
    .limit(Math.min(CHUNK, room));
  if (isOnlineOnly) query = query.innerJoin('devices', 'devices.id', 'job_targets.device_id').where('devices.status', '=', 1);
  return { targets: await query.execute(), wave };
}

interface Sent {
  timeoutMs: number;
  facts: string | null;
  steps: number;
  stepName: string | null;
}

/** A target whose maintenance window opens later. */
type Waiting = { targetId: number; opensAt: number };
type Outgoing = EvaluatedTarget & { targetId: number; sent: Sent };

interface BatchRules {
  kind: DeviceKind;
  input: unknown;
  hasWaited: boolean;
  waitsForWindow: boolean;
  notes: ReadonlyMap<number, unknown> | undefined;
}

/** What is sent of a batch, with the time that each device has, and what is left out. */
function planBatch(
  batch: { id: number; device_id: number }[],
  evaluated: EvaluatedTarget[],
  { kind, input, hasWaited, waitsForWindow, notes }: BatchRules,
): { outgoing: Outgoing[]; waiting: Waiting[]; skipped: Map<SkipReason, number[]> } {
  const targetOf = new Map(batch.map((target) => [target.device_id, target.id]));
  const outgoing: Outgoing[] = [];
  const waiting: Waiting[] = [];
  const skipped = new Map<SkipReason, number[]>();
  for (const target of evaluated) {
    const { device, reason: first, opensAt } = target;
    const targetId = targetOf.get(target.id);
    if (targetId === undefined) continue;
    if (waitsForWindow && opensAt !== undefined && (first === undefined || first === 'OFFLINE')) {
      waiting.push({ targetId, opensAt });
      continue;
    }
    const reason = hasWaited && first === 'OFFLINE' ? 'EXPIRED' : first;
    if (reason !== undefined || !device) {
      const key = reason ?? 'GONE';
      skipped.set(key, [...(skipped.get(key) ?? []), targetId]);
      continue;
    }
    const noted = notes ? notes.get(device.id) : kind.runs.note?.(input, device);
    const facts = noted === undefined ? null : JSON.stringify(noted);
    const steps = stepsOf(kind, input, device, { facts });
    const isSeveral = steps.length > 1;
    const sent = { timeoutMs: stepTimeoutMs(steps[0]), facts, steps: steps.length, stepName: isSeveral ? steps[0].name : null };
    outgoing.push({ ...target, targetId, sent });
  }
  return { outgoing, waiting, skipped };
}

function changesFor({ outgoing, waiting, skipped }: ReturnType<typeof planBatch>, wave: number | null, now: number): TargetChange[] {
  const alike = Map.groupBy(outgoing, ({ sent }) => JSON.stringify(sent));
  const sent = [...alike.values()].flatMap((group): TargetChange[] => {
    const first = group[0]?.sent;
    if (!first) return [];
    const { timeoutMs, facts, steps, stepName } = first;
    const ids = group.map(({ targetId }) => targetId);
    const set = {
      state: 'sent',
      sent_at: now,
      deadline_at: now + timeoutMs,
      attempts: 1,
      facts,
      steps,
      step_name: stepName,
      wave,
      due_at: null,
    } as const;
    return [{ ids, from: ['queued'], set }];
  });
  const left = [...skipped].map(([reason, ids]): TargetChange => ({
    ids,
    from: ['queued'],
    set: { state: 'skipped', reason, wave, finished_at: now },
  }));
  const put = [...Map.groupBy(waiting, ({ opensAt }) => opensAt)].map(([opensAt, group]): TargetChange => ({
    ids: group.map(({ targetId }) => targetId),
    from: ['queued'],
    set: { due_at: opensAt },
  }));
  return [...sent, ...put, ...left];
}

/**
 * Sends what is queued, some hundred at a time, as long as there is room and the job's wave lasts. Each target is marked `sent` and committed before its command leaves,
 * so that after a crash it is sent again and never forgotten; the device applies an id once.
 * `isOnlineOnly`: devices that are away now may be on their way back, so they are left queued.
 */
export async function sendBatches(
  ctx: Context,
  call: { job: Row<'jobs'>; kind: DeviceKind; actor: Actor; isOnlineOnly: boolean; shouldStop(): boolean },
): Promise<void> {
  const { job, kind, actor } = call;
  const input: unknown = JSON.parse(job.input);
  while (!call.shouldStop()) {
    const { targets: batch, wave } = await nextBatch(ctx, job.id, call.isOnlineOnly);
    if (batch.length === 0) return;
    const windows = job.window_rule === null ? {} : { windows: { rule: job.window_rule, at: ctx.clock.now() } };
    const evaluated = await evaluateChunk(
      ctx,
      ctx.db,
      actor,
      batch.map((target) => target.device_id),
      { kind, input, jobId: job.id, ...windows },
    );
    const now = ctx.clock.now();
    const runnable = evaluated.flatMap(({ device, companyPath, reason }) =>
      device && reason === undefined ? [{ ...device, company_path: companyPath }] : [],
    );
    const notes = await kind.runs.notes?.(ctx, runnable, input);
    const given = { kind, input, hasWaited: job.waits_until !== null, waitsForWindow: job.window_rule === 'wait', notes };
    const plan = planBatch(batch, evaluated, given);
    const changed = await inTransaction(
      ctx.db,
      async (trx) => new Set((await changeTargets(ctx, trx, job.id, changesFor(plan, wave, now))).changed.flat()),
    );
    const commandIds = new Map(batch.map((target) => [target.id, target.command_id]));
    const sending = plan.outgoing.map(({ targetId, device, sent: { timeoutMs, facts } }) => {
      const command_id = commandIds.get(targetId);
      if (device === undefined || command_id === undefined || !changed.has(targetId)) return undefined;
      const target = { command_id, deadline_at: now + timeoutMs, step: 0, facts };
      return sendCommand(ctx, device.device_key, commandFor(kind, input, target, device));
    });
    await Promise.all(sending);
    await nextTurn();
  }
}

/** Ends targets whose time is up: of the device's answer, or of the whole job. */
export async function expireTargets(ctx: Context, kinds: Kinds, job: Row<'jobs'>): Promise<void> {
  const now = ctx.clock.now();
  // After a time in which no device could be heard, answers are on their way with the devices.
  const { graceUntil } = await readHearing(ctx.db, now);
  const answeredBy = now < graceUntil ? 0 : now - ANSWER_GRACE_MS;
  const silent = await ctx.db
    .selectFrom('job_targets')
    .select('id')
    .where('job_id', '=', job.id)
    .where('state', 'in', ['sent', 'running'])
    .where('deadline_at', '<', answeredBy)
    .limit(CHUNK)
    .execute();
  const unsent =
    job.deadline_at < now
      ? await ctx.db
          .selectFrom('job_targets')
          .select('id')
          .where('job_id', '=', job.id)
          .where('state', '=', 'queued')
          .limit(CHUNK)
          .execute()
      : [];
  if (silent.length + unsent.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    await timeOut(
      ctx,
      trx,
      kinds,
      silent.map((target) => target.id),
    );
    await changeTargets(ctx, trx, job.id, [
      { ids: unsent.map((target) => target.id), from: ['queued'], set: { state: 'timed-out', finished_at: now } },
    ]);
  });
  if (silent.length === CHUNK || unsent.length === CHUNK) await expireTargets(ctx, kinds, job);
}

/** Gives devices again what they have not even begun after a while. */
export async function resendUnanswered(
  ctx: Context,
  job: Row<'jobs'>,
  kind: DeviceKind,
  { isTakeover }: { isTakeover: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  const targets = await selectCommandDevices(ctx.db)
    .select(['job_targets.sent_at', 'job_targets.attempts'])
    .where('job_targets.job_id', '=', job.id)
    .where('job_targets.state', '=', 'sent')
    .where('job_targets.deadline_at', '>', now)
    .where('devices.status', '=', 1)
    .$if(!isTakeover, (query) =>
      query.where('job_targets.sent_at', '<', now - RESEND_AFTER_MS).where('job_targets.attempts', '<', MAX_ATTEMPTS),
    )
    .execute();
  const due = targets.filter((target) => isTakeover || now > (target.sent_at ?? now) + RESEND_AFTER_MS * target.attempts);
  if (due.length === 0) return;
  await ctx.db
    .updateTable('job_targets')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ctx.database.tools.idList(due.map((target) => target.target_id)))
    .execute();
  const input: unknown = JSON.parse(job.input);
  await Promise.all(due.map((target) => sendCommand(ctx, target.device_key, commandFor(kind, input, target, target))));
}

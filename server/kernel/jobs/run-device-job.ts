import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { DeviceCommand } from '../../edges/mqtt/types.ts';
import type { Actor } from '../actor.ts';
import { SECOND } from '../clock.ts';
import { inTransaction } from '../db/database.ts';
import { changeTargets, type TargetChange } from './change-targets.ts';
import { waveRoom } from './waves.ts';
import { CHUNK, evaluateChunk, type EvaluatedTarget } from './evaluate.ts';
import type { CommandDevice, JobKind, SkipReason } from './types.ts';

/** Targets of one job that devices work on at the same time. */
const MAX_IN_FLIGHT = 4000;
const RESEND_AFTER_MS = 20 * SECOND;
const MAX_ATTEMPTS = 4;
/** How long an answer may be on its way when the time is up. */
const ANSWER_GRACE_MS = 3 * SECOND;

type DeviceKind = JobKind & { runs: { on: 'device' } };
type Target = Pick<Row<'job_targets'>, 'id' | 'device_id' | 'command_id' | 'deadline_at'>;

export function isDeviceKind(kind: JobKind): kind is DeviceKind {
  return kind.runs.on === 'device';
}

export function commandFor(
  kind: DeviceKind,
  input: unknown,
  target: Pick<Target, 'command_id' | 'deadline_at'>,
  device: CommandDevice,
): DeviceCommand {
  return { ...kind.runs.command(input, device), id: target.command_id, deadlineAt: target.deadline_at ?? 0 };
}

/** Targets with what a command says of them and of their device; add conditions. A target's own number is `target_id`. */
export function selectCommandDevices(db: Db) {
  return db
    .selectFrom('job_targets')
    .innerJoin('devices', 'devices.id', 'job_targets.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .select(['job_targets.id as target_id', 'job_targets.command_id', 'job_targets.deadline_at', 'devices.device_key'])
    .select(['devices.id', 'devices.name', 'devices.serial', 'devices.mac', 'devices.model', 'devices.firmware', 'devices.company_id'])
    .select('companies.name as company_name');
}

/** Hands a command to the broker. When that fails the target stays `sent` and is given again: on the next try or when the device returns. */
export async function sendCommand(ctx: Context, deviceKey: string, command: DeviceCommand): Promise<void> {
  try {
    await ctx.devices.send(deviceKey, command);
  } catch (error) {
    ctx.log.warn({ err: error, device: deviceKey, command: command.id }, 'a command could not be handed to the broker');
  }
}

async function inFlightCount(ctx: Context, jobId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('job_targets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('job_id', '=', jobId)
    .where('state', 'in', ['sent', 'running'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function nextBatch(
  ctx: Context,
  jobId: number,
  isOnlineOnly: boolean,
): Promise<Pick<Row<'job_targets'>, 'id' | 'device_id' | 'command_id'>[]> {
  const room = Math.min(MAX_IN_FLIGHT - (await inFlightCount(ctx, jobId)), await waveRoom(ctx, { id: jobId }));
  if (room <= 0) return [];
  let query = ctx.db
    .selectFrom('job_targets')
    .innerJoin('jobs', 'jobs.id', 'job_targets.job_id')
    .select(['job_targets.id', 'job_targets.device_id', 'job_targets.command_id'])
    .where('job_targets.job_id', '=', jobId)
    .where('job_targets.state', '=', 'queued')
    .where('jobs.cancel_requested_at', 'is', null)
    .orderBy('job_targets.id')
    .limit(Math.min(CHUNK, room));
  if (isOnlineOnly) query = query.innerJoin('devices', 'devices.id', 'job_targets.device_id').where('devices.status', '=', 1);
  return query.execute();
}

function changesFor(
  batch: { id: number; device_id: number }[],
  evaluated: EvaluatedTarget[],
  hasWaited: boolean,
  now: number,
  timeoutMs: number,
): TargetChange[] {
  const reasonOf = new Map(evaluated.map(({ id, reason }) => [id, hasWaited && reason === 'OFFLINE' ? ('EXPIRED' as const) : reason]));
  const willRun = batch.filter((target) => reasonOf.get(target.device_id) === undefined);
  const sent: TargetChange = {
    ids: willRun.map((target) => target.id),
    from: ['queued'],
    set: { state: 'sent', sent_at: now, deadline_at: now + timeoutMs, attempts: 1 },
  };
  const reasons = [...new Set(reasonOf.values())].filter((reason): reason is SkipReason => reason !== undefined);
  const skipped = reasons.map((reason): TargetChange => ({
    ids: batch.filter((target) => reasonOf.get(target.device_id) === reason).map((target) => target.id),
    from: ['queued'],
    set: { state: 'skipped', reason, finished_at: now },
  }));
  return [sent, ...skipped];
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
    const batch = await nextBatch(ctx, job.id, call.isOnlineOnly);
    if (batch.length === 0) return;
    const evaluated = await evaluateChunk(
      ctx,
      ctx.db,
      actor,
      batch.map((target) => target.device_id),
      { kind, input, jobId: job.id },
    );
    const now = ctx.clock.now();
    const timeoutMs = kind.targetTimeoutMs(input);
    const sent = await inTransaction(ctx.db, async (trx) => {
      const { changed } = await changeTargets(ctx, trx, job.id, changesFor(batch, evaluated, job.waits_until !== null, now, timeoutMs));
      return new Set(changed[0]);
    });
    const deviceOf = new Map(evaluated.map((target) => [target.id, target.device]));
    const sending = batch.map((target) => {
      const device = deviceOf.get(target.device_id);
      if (device === undefined || !sent.has(target.id)) return undefined;
      const call = { command_id: target.command_id, deadline_at: now + timeoutMs };
      return sendCommand(ctx, device.device_key, commandFor(kind, input, call, device));
    });
    await Promise.all(sending);
    await nextTurn();
  }
}

/** Ends targets whose time is up: of the device's answer, or of the whole job. */
export async function expireTargets(ctx: Context, job: Row<'jobs'>): Promise<void> {
  const now = ctx.clock.now();
  const silent = await ctx.db
    .selectFrom('job_targets')
    .select('id')
    .where('job_id', '=', job.id)
    .where('state', 'in', ['sent', 'running'])
    .where('deadline_at', '<', now - ANSWER_GRACE_MS)
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
  await inTransaction(ctx.db, (trx) =>
    changeTargets(ctx, trx, job.id, [
      { ids: silent.map((target) => target.id), from: ['sent', 'running'], set: { state: 'timed-out', finished_at: now } },
      { ids: unsent.map((target) => target.id), from: ['queued'], set: { state: 'timed-out', finished_at: now } },
    ]),
  );
  if (silent.length === CHUNK || unsent.length === CHUNK) await expireTargets(ctx, job);
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

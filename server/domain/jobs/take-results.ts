import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Changes, Row, TargetState, Trx } from '../../db/schema.ts';
import { SECOND } from '../../kernel/clock.ts';
import { afterCommit } from '../../kernel/db/database.ts';
import { saveCounts } from './counts.ts';
import { announceProgress, announceTargets } from './job-events.ts';
import type { Kinds } from './kinds.ts';
import {
  afterStep,
  commandFor,
  isDeviceKind,
  isLong,
  keepStep,
  shortOutput,
  selectCommandDevices,
  sendCommand,
  stepsOf,
  type StepResult,
} from './steps.ts';
import { selectTargets, type FullTarget } from './target-rows.ts';
import type { DeviceStep, EndedTarget, TargetResult } from './types.ts';

const CHUNK = 100;
const OPEN: ReadonlySet<TargetState> = new Set<TargetState>(['sent', 'running']);

type Device = Awaited<ReturnType<ReturnType<typeof selectCommandDevices>['execute']>>[number];
type Job = Row<'jobs'>;

/** What a chunk of targets belongs to. */
interface ResultTools {
  jobs: Map<number, Job>;
  /** By target. */
  devices: Map<number, Device>;
}

async function readTargetsWithDevices(ctx: Context, trx: Trx, targets: readonly FullTarget[]): Promise<ResultTools> {
  const jobIds = [...new Set(targets.map((target) => target.job_id))];
  const jobs = jobIds.length === 0 ? [] : await trx.selectFrom('jobs').selectAll().where('id', 'in', jobIds).execute();
  const ids = ctx.database.tools.idList(targets.map((target) => target.id));
  const devices = await selectCommandDevices(trx).where('job_targets.id', 'in', ids).execute();
  return { jobs: new Map(jobs.map((job) => [job.id, job])), devices: new Map(devices.map((device) => [device.target_id, device])) };
}

/** Shorter texts are in too many others to be taken out of them. */
const LEAST_HIDDEN = 4;

/** An answer without these texts. */
function withoutTexts(result: StepResult, texts: readonly string[]): StepResult {
  const hidden = texts.filter((text) => text.length >= LEAST_HIDDEN);
  const clean = (text: string | null): string | null =>
    hidden.reduce<string | null>((rest, one) => rest?.replaceAll(one, '***') ?? null, text);
  return { ...result, message: clean(result.message), output: clean(result.output) };
}

const withoutOutput = <R extends Pick<TargetResult, 'output' | 'truncated'>>(result: R): R => ({
  ...result,
  output: null,
  truncated: false,
});

/** The jobs of these targets whose output is kept nowhere. */
async function jobsWithoutOutput(trx: Trx, kinds: Kinds, targets: readonly FullTarget[]): Promise<Set<number>> {
  const ids = [...new Set(targets.map((target) => target.job_id))];
  if (ids.length === 0) return new Set();
  const jobs = await trx.selectFrom('jobs').select(['id', 'kind']).where('id', 'in', ids).execute();
  return new Set(jobs.flatMap(({ id, kind }) => (kinds.find(kind)?.keepsOutput === false ? id : [])));
}

/** An answer that ends the step of a target; without `connectedAt` it is not one of the device. */
interface StepEnd {
  target: FullTarget;
  result: StepResult;
  connectedAt?: number | null;
}

const EARLY_MESSAGE = 'Applied; waits for the device to connect again.';

/**
 * Whether a step that may cost the device its connection was answered over the connection that brought the command: a device that was away when it
 * was sent has it from its next session, in which it says that it has begun.
 */
function isEarly(step: DeviceStep | undefined, { target, result, connectedAt }: StepEnd): boolean {
  if (step?.endsInNewSession !== true || result.state !== 'ok' || connectedAt === undefined) return false;
  return connectedAt === null || connectedAt < Math.max(target.sent_at ?? 0, target.started_at ?? 0);
}

/**
 * Ends the step that each target is at, in the transaction: keeps what it gave, sends the next one after the commit, or ends the target.
 * Returns the columns that changed, by target; those of a target whose kind or device is gone are as the result says.
 */
async function endSteps(ctx: Context, trx: Trx, kinds: Kinds, ends: StepEnd[]): Promise<Map<number, Changes<'job_targets'>>> {
  const at = ctx.clock.now();
  const { jobs, devices } = await readTargetsWithDevices(
    ctx,
    trx,
    ends.map(({ target }) => target),
  );
  const changes = new Map<number, Changes<'job_targets'>>();
  const ended = new Map<Job, EndedTarget[]>();
  for (const end of ends) {
    const { target, result: given } = end;
    const job = jobs.get(target.job_id);
    const device = devices.get(target.id);
    const kind = job && kinds.find(job.kind);
    const result = job && kind?.hides ? withoutTexts(given, kind.hides(JSON.parse(job.input))) : given;
    const { code, message, output, truncated, state } = result;
    if (!job || !device || !isDeviceKind(kind)) {
      const started_at = target.started_at ?? at;
      changes.set(target.id, { state, code, message, output, truncated: truncated ? 1 : 0, started_at, finished_at: at });
      continue;
    }
    const input: unknown = JSON.parse(job.input);
    const steps = stepsOf(kind, input, device, target);
    if (isEarly(steps[target.step], end)) {
      changes.set(target.id, { state: 'running', started_at: target.started_at ?? at, message: EARLY_MESSAGE });
      continue;
    }
    const isPrivate = kind.keepsOutput === false;
    const after = afterStep(steps, target, isPrivate ? withoutOutput(result) : result, at);
    await keepStep(trx, steps, target, after.result, at);
    const { output: whole } = after.change;
    const kept = isLong(whole) ? { ...after.change, output: shortOutput(whole), truncated: 1 as const } : after.change;
    changes.set(target.id, after.next === undefined ? kept : { ...kept, file_id: null });
    if (after.next !== undefined) {
      const next = { ...target, ...after.change };
      afterCommit(trx, () => sendCommand(ctx, device.device_key, commandFor(kind, input, next, device)));
    } else if (kind.runs.ended) {
      const endState = after.change.state;
      if (endState === 'ok' || endState === 'failed' || endState === 'timed-out')
        ended.set(job, [
          ...(ended.get(job) ?? []),
          { id: target.id, device_id: device.id, state: endState, output: isPrivate ? result.output : (after.change.output ?? null) },
        ]);
    }
  }
  for (const [job, targets] of ended) {
    const kind = kinds.find(job.kind);
    if (isDeviceKind(kind)) await kind.runs.ended?.(trx, { ctx, job, targets });
  }
  return changes;
}

function lateNote(target: FullTarget, result: TargetResult, at: number): Changes<'job_targets'> {
  const seconds = Math.max(1, Math.round((at - (target.deadline_at ?? at)) / SECOND));
  const said = result.message ? `: ${result.message}` : '';
  return { message: `Answered "${result.state}" ${seconds} s after the deadline${said}`, code: result.code, output: result.output };
}

/**
 * What an answer changes at a target without ending its step; undefined when it changes nothing: an answer that was given before, or to something
 * that is over. A final answer after the time limit is noted, and the target stays timed out.
 */
function noteOf(target: FullTarget, result: TargetResult, at: number): Changes<'job_targets'> | undefined {
  if (target.state === 'timed-out' && result.state !== 'running' && target.message === null) return lateNote(target, result, at);
  if (!OPEN.has(target.state) || result.state !== 'running') return undefined;
  const output =
    result.output === null || result.output === target.output
      ? {}
      : ({ output: result.output, truncated: result.truncated ? 1 : 0 } as const);
  const isNews = target.state === 'sent' || (result.message !== null && result.message !== target.message) || 'output' in output;
  if (!isNews) return undefined;
  const message = target.failed_state === null ? (result.message ?? target.message) : target.message;
  return { state: 'running', started_at: target.started_at ?? at, message, ...output };
}

async function writeChanges(ctx: Context, trx: Trx, changed: Map<number, Changes<'job_targets'>>): Promise<void> {
  // Most devices say the same: one statement for all of those.
  const alike = Map.groupBy(changed, ([, change]) => JSON.stringify(change));
  for (const group of alike.values()) {
    const change = group[0]?.[1];
    const ids = ctx.database.tools.idList(group.map(([id]) => id));
    if (change) await trx.updateTable('job_targets').set(change).where('id', 'in', ids).execute();
  }
}

async function announce(ctx: Context, trx: Trx, jobIds: Iterable<number>): Promise<void> {
  for (const jobId of jobIds) {
    const counts = await saveCounts(trx, jobId);
    const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    announceProgress(ctx, trx, job, counts);
  }
}

/** Writes answers of devices to their targets; returns the jobs that changed. An answer to another device's command changes nothing. */
export async function takeResults(ctx: Context, trx: Trx, kinds: Kinds, results: TargetResult[]): Promise<Set<number>> {
  const at = ctx.clock.now();
  const jobIds = new Set<number>();
  for (let start = 0; start < results.length; start += CHUNK) {
    if (start > 0) await nextTurn();
    const chunk = results.slice(start, start + CHUNK);
    const commands = [...new Set(chunk.map((result) => result.commandId))];
    const rows = await selectTargets(trx).where('job_targets.command_id', 'in', commands).execute();
    const byCommand = new Map(rows.map((row) => [row.command_id, row]));
    const changed = new Map<number, Changes<'job_targets'>>();
    const ends = new Map<number, StepEnd>();
    const noted = chunk.flatMap(({ commandId, state, output }) => {
      const target = byCommand.get(commandId);
      return target && output !== null && (state === 'running' || !OPEN.has(target.state)) ? target : [];
    });
    const withoutOutputIds = await jobsWithoutOutput(trx, kinds, noted);
    for (const result of chunk) {
      const target = byCommand.get(result.commandId);
      if (!target || target.device_id !== result.deviceId) continue;
      const end = ends.get(target.id);
      // The same said again; in a later session it may count for more.
      if (end && end.connectedAt === result.connectedAt) continue;
      if (OPEN.has(target.state) && result.state !== 'running') {
        const { state, code, message, output, truncated, connectedAt } = result;
        ends.set(target.id, { target, result: { state, code, message, output, truncated }, connectedAt });
        continue;
      }
      const note = noteOf(target, withoutOutputIds.has(target.job_id) ? withoutOutput(result) : result, at);
      if (!note) continue;
      Object.assign(target, note);
      changed.set(target.id, { ...changed.get(target.id), ...note });
    }
    for (const [id, change] of await endSteps(ctx, trx, kinds, [...ends.values()])) changed.set(id, { ...changed.get(id), ...change });
    const touched = rows.filter((row) => changed.has(row.id));
    for (const row of touched) {
      Object.assign(row, changed.get(row.id));
      jobIds.add(row.job_id);
    }
    await writeChanges(ctx, trx, changed);
    announceTargets(ctx, trx, touched);
  }
  await announce(ctx, trx, jobIds);
  return jobIds;
}

/** Ends the steps of these targets as timed out, as far as nothing came in the meantime. */
export async function timeOut(ctx: Context, trx: Trx, kinds: Kinds, targetIds: readonly number[]): Promise<void> {
  if (targetIds.length === 0) return;
  const ids = ctx.database.tools.idList(targetIds);
  const rows = (await selectTargets(trx).where('job_targets.id', 'in', ids).execute()).filter((row) => OPEN.has(row.state));
  const result: StepResult = { state: 'timed-out', code: null, message: null, output: null, truncated: false };
  const changed = await endSteps(
    ctx,
    trx,
    kinds,
    rows.map((target) => ({ target, result: { ...result, message: target.failed_state === null ? target.message : null } })),
  );
  await writeChanges(ctx, trx, changed);
  for (const row of rows) Object.assign(row, changed.get(row.id));
  announceTargets(ctx, trx, rows);
  await announce(ctx, trx, new Set(rows.map((row) => row.job_id)));
}

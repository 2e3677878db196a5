import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Changes, TargetState, Trx } from '../../db/schema.ts';
import { SECOND } from '../clock.ts';
import { saveCounts } from './counts.ts';
import { announceProgress, announceTargets } from './job-events.ts';
import type { Kinds } from './kinds.ts';
import { selectTargets, type FullTarget } from './target-rows.ts';
import type { TargetResult } from './types.ts';

const CHUNK = 100;
const OPEN: ReadonlySet<TargetState> = new Set<TargetState>(['sent', 'running']);

function lateNote(target: FullTarget, result: TargetResult, at: number): Changes<'job_targets'> {
  const seconds = Math.max(1, Math.round((at - (target.deadline_at ?? at)) / SECOND));
  const said = result.message ? `: ${result.message}` : '';
  return { message: `Answered "${result.state}" ${seconds} s after the deadline${said}`, code: result.code, output: result.output };
}

/**
 * What a device's answer changes at a target; undefined when it changes nothing: an answer that was given before, or to something
 * that is over. A final answer after the time limit is noted, and the target stays timed out.
 */
export function changeBy(target: FullTarget, result: TargetResult, at: number): Changes<'job_targets'> | undefined {
  if (target.state === 'timed-out' && result.state !== 'running' && target.message === null) return lateNote(target, result, at);
  if (!OPEN.has(target.state)) return undefined;
  const started = target.started_at === null ? { started_at: at } : {};
  if (result.state === 'running') {
    const isNews = target.state === 'sent' || (result.message !== null && result.message !== target.message);
    return isNews ? { state: 'running', ...started, message: result.message ?? target.message } : undefined;
  }
  const { state, code, message, output, truncated } = result;
  return { state, ...started, finished_at: at, code, message, output, truncated: truncated ? 1 : 0 };
}

/** The results as their jobs judge them: an exit code that the work accepts is a success, and stays what it was. */
async function judge(trx: Trx, kinds: Kinds, rows: readonly FullTarget[], results: readonly TargetResult[]): Promise<TargetResult[]> {
  const hasEnded = ({ state, code, message }: TargetResult): boolean =>
    state === 'failed' && code !== null && (message === null || message === `exit code ${code}`);
  if (!results.some(hasEnded)) return [...results];
  const ids = [...new Set(rows.map((row) => row.job_id))];
  const jobs = await trx.selectFrom('jobs').select(['id', 'kind', 'input']).where('id', 'in', ids).execute();
  const jobOf = new Map(jobs.map((job) => [job.id, job]));
  const byCommand = new Map(rows.map((row) => [row.command_id, jobOf.get(row.job_id)]));
  return results.map((result) => {
    const job = hasEnded(result) ? byCommand.get(result.commandId) : undefined;
    const isAccepted = job && kinds.find(job.kind)?.accepts?.(JSON.parse(job.input), result.code ?? 0);
    return isAccepted ? { ...result, state: 'ok', message: null } : result;
  });
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
    const changed = new Map<number, { row: FullTarget; change: Changes<'job_targets'> }>();
    for (const result of await judge(trx, kinds, rows, chunk)) {
      const row = byCommand.get(result.commandId);
      if (!row || row.device_id !== result.deviceId) continue;
      const change = changeBy(row, result, at);
      if (!change) continue;
      Object.assign(row, change);
      changed.set(row.id, { row, change: { ...changed.get(row.id)?.change, ...change } });
    }
    for (const { row } of changed.values()) jobIds.add(row.job_id);
    // Most devices say the same: one statement for all of those.
    const alike = Map.groupBy(changed, ([, { change }]) => JSON.stringify(change));
    for (const group of alike.values()) {
      const change = group[0]?.[1].change;
      const ids = ctx.database.tools.idList(group.map(([id]) => id));
      if (change) await trx.updateTable('job_targets').set(change).where('id', 'in', ids).execute();
    }
    announceTargets(
      ctx,
      trx,
      [...changed.values()].map(({ row }) => row),
    );
  }
  for (const jobId of jobIds) {
    const counts = await saveCounts(trx, jobId);
    const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    announceProgress(ctx, trx, job, counts);
  }
  return jobIds;
}

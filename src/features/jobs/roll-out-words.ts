import { formatNumber, translate } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { bothClocks, beginsAt } from './job-words.ts';
import { countGroups, isOver } from './progress.ts';
import type { StatusKind } from '../../ui/index.ts';
import type { Job, JobWave } from './job-api.ts';

/** Kinds that put firmware or settings on devices. */
const ROLL_OUT_KINDS: ReadonlySet<string> = new Set(['update_firmware', 'upload_backup', 'update_devices']);

/** Whether a job is shown as a roll-out: it goes in waves, or puts firmware or settings on devices. */
export function isRollOut(job: Pick<Job, 'kind' | 'waves'>): boolean {
  return job.waves !== null || ROLL_OUT_KINDS.has(job.kind);
}

/** Whether what a job did can be put back. */
export function canRollBack(job: Pick<Job, 'kind' | 'counts'>): boolean {
  return ROLL_OUT_KINDS.has(job.kind) && job.counts.ok > 0;
}

/** The state of a wave with its mark. */
export function waveState({ state, counts }: JobWave): { kind: StatusKind; words: string } {
  const { failed } = countGroups(counts);
  if (state === 'done' && failed > 0) return { kind: 'bad', words: translate('jobs.rollout.state.done_failed') };
  const kinds: Record<JobWave['state'], StatusKind> = { planned: 'idle', running: 'warn', done: 'good', dropped: 'idle' };
  return { kind: kinds[state], words: translate(`jobs.rollout.state.${state}`) };
}

/** What has to be before the wave after this one begins, a phrase each. */
export function gateWords({ waves }: Pick<Job, 'waves'>, wave: JobWave, next: JobWave): string[] {
  if (!waves) return [];
  const limit = waves.stop_percent;
  const words: string[] = [];
  if (limit === null) words.push(translate('jobs.rollout.gate.any'));
  else if (wave.failed_percent === null) words.push(translate('jobs.rollout.gate.failures_open', { limit: formatNumber(limit) }));
  else words.push(translate('jobs.rollout.gate.failures', { limit: formatNumber(limit), percent: formatNumber(wave.failed_percent) }));
  const pause = waves.pause_seconds ?? 0;
  if (pause > 0) words.push(translate('jobs.rollout.gate.pause', { time: formatDuration(pause * 1000) }));
  if (waves.approve) words.push(approvalWords(waves.is_waiting, wave, next));
  return words;
}

function approvalWords(isWaiting: boolean, wave: JobWave, next: JobWave): string {
  if (next.state !== 'planned') return translate('jobs.rollout.gate.approved');
  return translate(isWaiting && wave.state === 'done' ? 'jobs.rollout.gate.waits' : 'jobs.rollout.gate.approval');
}

/** What happens next with a roll-out, in a sentence; `undefined` when it is over. `kind`: how urgent it is. */
export function nextWords(job: Job, waves: readonly JobWave[]): { kind: 'info' | 'warn' | 'bad'; words: string } | undefined {
  if (isOver(job)) return undefined;
  const begins = beginsAt(job);
  if (begins !== undefined) return { kind: 'info', words: translate('jobs.schedule.begins', { time: bothClocks(begins) }) };
  const last = waves.findLast(({ state }) => state === 'done' || state === 'running');
  if (job.waves?.is_stopped && job.paused_at !== null) {
    const failed = formatNumber(last?.failed_percent ?? 0);
    const percent = formatNumber(job.waves.stop_percent ?? 0);
    return { kind: 'bad', words: translate('jobs.rollout.next.stopped', { number: job.waves.number, failed, percent }) };
  }
  if (job.paused_at !== null) return { kind: 'warn', words: translate('jobs.rollout.next.paused') };
  const next = waves.find(({ state }) => state === 'planned');
  if (!next) return { kind: 'info', words: translate('jobs.rollout.next.last') };
  const params = { number: next.number, count: next.total };
  if (job.waves?.is_waiting) return { kind: 'warn', words: translate('jobs.rollout.next.approval', params) };
  const resumes = parseWire(job.waves?.resumes_at ?? null);
  if (resumes !== undefined)
    return { kind: 'info', words: translate('jobs.rollout.next.resumes', { ...params, time: formatTime(resumes, 'HH:mm:ss') }) };
  return { kind: 'info', words: translate('jobs.rollout.next.after', params) };
}

/** The files of an update, as its input names them. */
export function fileNames(input: Job['input']): string[] {
  const entries: unknown = input['entries'];
  if (!Array.isArray(entries)) return [];
  const names = entries.flatMap((entry: unknown) => {
    const file: unknown = typeof entry === 'object' && entry !== null && 'file' in entry ? entry.file : undefined;
    return typeof file === 'object' && file !== null && 'name' in file && typeof file.name === 'string' ? [file.name] : [];
  });
  return [...new Set(names)];
}

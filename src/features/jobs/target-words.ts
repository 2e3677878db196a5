import { hasText, translate } from '../../kernel/i18n/index.ts';
import { formatTime, MINUTE, parseWire } from '../../kernel/time/index.ts';
import { formatAge, formatDuration } from '../../kernel/time/relative.ts';
import { groupOf } from './progress.ts';
import type { StatusKind } from '../../ui/index.ts';
import type { JobStep, JobTarget, TargetState } from './job-api.ts';
import type { TargetGroup } from './progress.ts';

/** The mark of a state: shape and colour together, as everywhere in the console. */
export const MARKS: Readonly<Record<TargetGroup, StatusKind>> = {
  done: 'good',
  running: 'warn',
  failed: 'bad',
  skipped: 'idle',
  cancelled: 'idle',
  queued: 'idle',
};

/** The word of a state. */
export function stateWord(state: TargetState): string {
  return translate(`values.job_target.state.${state}`);
}

export interface WordsContext {
  kind: string;
  now: number;
  /** Unix milliseconds of the device's last message, where it is known and still relevant. */
  lastSeen?: number;
  /** The job is over: what was left out stays so. */
  isPast?: boolean;
  /** What is queued waits for the next wave. */
  isInWaves?: boolean;
  /** What is queued waits until its device is online. */
  isWaiting?: boolean;
}

/** What happened at a target, or will, in people's words. Codes and devices' own short answers become sentences; what is unknown is shown as it came. */
export function targetWords(target: JobTarget, { kind, now, lastSeen, isPast, isInWaves, isWaiting }: WordsContext): string {
  const { state, reason, message, code } = target;
  if (state === 'skipped') return skipWords(reason ?? '', lastSeen, now, isPast) || message || '';
  const opensAt = parseWire(target.due_at);
  if (state === 'queued' && opensAt !== undefined) return translate('jobs.words.window', { time: formatTime(opensAt) });
  if (state === 'queued' && isWaiting) return translate('jobs.words.waiting');
  if (state === 'queued') return translate(isInWaves ? 'jobs.words.next_wave' : 'jobs.words.queued');
  if (state === 'cancelled') return translate(reason === 'STOPPED' ? 'jobs.words.stopped' : 'jobs.words.cancelled');
  const started = parseWire(target.started_at);
  if (groupOf(state) === 'running') {
    const words = runningWords(target, kind);
    return started === undefined ? words : `${words} · ${formatDuration(Math.max(0, now - started))}`;
  }
  if (state === 'timed-out') {
    const finished = parseWire(target.finished_at);
    if (started === undefined || finished === undefined) return translate('jobs.words.no_answer');
    return translate('jobs.words.no_answer_within', { time: formatDuration(finished - started) });
  }
  return messageWords(message) ?? codeWords(state, code, kind);
}

function runningWords({ state, step, steps, step_name: name }: JobTarget, kind: string): string {
  if (name !== null) return translate('jobs.words.step', { step: String(step), steps: String(steps), name: stepWord(name) });
  return translate(state === 'running' && kind === 'reboot' ? 'jobs.words.rebooting' : `jobs.words.${state}`);
}

/** What a step is called: in the reader's language, or as the person who wrote the task named it. */
export function stepWord(name: string): string {
  return hasText(`jobs.step.${name}`) ? translate(`jobs.step.${name}`) : name;
}

/** How a finished step ended, in people's words. */
export function stepWords({ state, message, code }: Pick<JobStep, 'state' | 'message' | 'code'>): string {
  if (state === 'timed-out') return translate('jobs.words.no_answer');
  return messageWords(message) ?? codeWords(state, code, '');
}

function skipWords(reason: string, lastSeen: number | undefined, now: number, isPast = false): string {
  if (isPast && hasText(`jobs.skipped.${reason}`)) return translate(`jobs.skipped.${reason}`);
  // Below a minute an age reads "now".
  if (reason === 'OFFLINE' && lastSeen !== undefined && now - lastSeen >= MINUTE)
    return translate('jobs.skip.OFFLINE_since', { time: formatAge(lastSeen, now) });
  return hasText(`jobs.skip.${reason}`) ? translate(`jobs.skip.${reason}`) : reason;
}

/** The short answers that our agent gives; others are the device's own words. */
function messageWords(message: string | null): string | undefined {
  if (!message) return undefined;
  // `Online again after 71 s`
  const seconds = /^Online again after (\d{1,7}) s$/.exec(message)?.[1];
  if (seconds !== undefined) return translate('jobs.words.online_again', { time: formatDuration(Number(seconds) * 1000) });
  // `exit code 127`
  const code = /^exit code (\d{1,10})$/.exec(message)?.[1];
  if (code !== undefined) return translate('jobs.words.exit_code', { code });
  const known = ['expired', 'unknown verb', 'timed out'].find((text) => text === message);
  return known ? translate(`jobs.words.${known.replace(' ', '_')}`) : message;
}

function codeWords(state: TargetState, code: number | null, kind: string): string {
  if (code !== null && (kind === 'run' || state === 'failed' || code !== 0))
    return translate('jobs.words.exit_code', { code: String(code) });
  return translate(state === 'ok' ? 'jobs.words.ok' : 'jobs.words.failed');
}

import { translate } from '../../kernel/i18n/index.ts';
import { currentTimezone, formatTime, formatUtc, parseWire } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { countGroups, isOver } from './progress.ts';
import type { Job } from './job-api.ts';

/** The line beside the title: how many devices, since when, by whom, how long. */
export function jobLine(job: Job, userId: number | undefined, now: number): string {
  const created = parseWire(job.created_at) ?? now;
  const end = isOver(job) ? (parseWire(job.finished_at) ?? now) : now;
  const isToday = formatTime(created, 'YYYY-MM-DD') === formatTime(now, 'YYYY-MM-DD');
  const time = formatTime(created, isToday ? 'HH:mm' : 'YYYY-MM-DD HH:mm');
  const isPlanned = beginsAt(job) !== undefined;
  const deed = isPlanned ? 'jobs.planned_by' : 'jobs.started_by';
  const started = job.user_id === userId ? translate(`${deed}_you`, { time }) : translate(deed, { time, name: job.user_name });
  const parts = [translate('jobs.devices', { count: job.total }), started];
  if (!isPlanned) parts.push(formatDuration(Math.max(0, end - created)));
  if (job.waves && job.waves.number > 0) parts.push(translate('jobs.waves.now', { number: job.waves.number, total: job.waves.total }));
  const resumesAt = parseWire(job.waves?.resumes_at ?? null);
  if (resumesAt && !isOver(job)) parts.push(translate('jobs.waves.resumes', { time: formatTime(resumesAt, 'HH:mm:ss') }));
  const waitsUntil = parseWire(job.waits_until);
  if (waitsUntil && !isOver(job)) parts.push(translate('jobs.schedule.waits', { time: formatTime(waitsUntil, 'YYYY-MM-DD HH:mm') }));
  if (job.state === 'queued' && job.starts_at === null) parts.push(translate('values.job.state.queued'));
  return parts.join(' · ');
}

/** A moment by the user's clock and in UTC, each with its name. */
export function bothClocks(at: number): string {
  const format = 'YYYY-MM-DD HH:mm';
  return translate('jobs.schedule.both', { local: formatTime(at, format), zone: currentTimezone(), utc: formatUtc(at, format) });
}

/** When a planned job starts, in unix ms; `undefined` when it has started or was not planned. */
export function beginsAt(job: Pick<Job, 'state' | 'starts_at'>): number | undefined {
  return job.state === 'queued' ? parseWire(job.starts_at) : undefined;
}

/** The outcome in one sentence: "312 done, 5 failed, 3 skipped". */
export function outcomeLine(job: Pick<Job, 'counts'>): string {
  const counts = countGroups(job.counts);
  const parts = (['done', 'failed', 'skipped', 'cancelled'] as const)
    .filter((group) => counts[group] > 0 || group === 'done')
    .map((group) => translate(`jobs.outcome.${group}`, { count: counts[group] }));
  return new Intl.ListFormat(document.documentElement.lang || 'en', { type: 'unit' }).format(parts);
}

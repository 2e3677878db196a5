import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import { Muted, type StatusKind, StatusMark } from '../../ui/index.ts';
import { jobTitle, kindWord } from '../../engine/history/job-title.ts';
import { beginsAt } from './job-words.ts';
import { countGroups, percentDone } from './progress.ts';
import { SegmentBar } from './SegmentBar.tsx';
import styles from './jobs.module.css';
import type { CellProps } from '../../engine/resources/registry.ts';
import type { Job } from './job-api.ts';

const MARKS: Readonly<Record<Job['state'], StatusKind>> = { queued: 'idle', running: 'warn', finished: 'good', cancelled: 'idle' };

/** What the job does; below it the kind of work where the title is another, the device where there is one alone, and the job that it tries again. */
export function JobKindCell({ row, link }: CellProps) {
  const t = useT();
  const title = titleOf(row);
  const kind = kindWord(String(row['kind'] ?? ''));
  const parent = row['parent_id'];
  const device = row['device_name'];
  const notes = [
    title === kind ? undefined : kind,
    typeof device === 'string' ? device : undefined,
    typeof parent === 'number' ? t('jobs.again', { id: parent }) : undefined,
  ].filter(Boolean);
  return (
    <span className={styles.kindCell}>
      {link(title)}
      {notes.length > 0 ? <Muted>{notes.join(' · ')}</Muted> : null}
    </span>
  );
}

/** Mark and word of the job's state; a finished one with failures says so. */
export function JobStateCell({ row }: CellProps) {
  const t = useT();
  const state = row['state'];
  const counts = readCounts(row['counts']);
  if (state !== 'queued' && state !== 'running' && state !== 'finished' && state !== 'cancelled') return null;
  const failed = counts ? countGroups(counts).failed : 0;
  if (state === 'finished' && failed > 0) return <StatusMark kind="bad">{t('jobs.finished_failed', { count: failed })}</StatusMark>;
  const startsAt = row['starts_at'];
  const begins = beginsAt({ state, starts_at: typeof startsAt === 'string' ? startsAt : null });
  if (begins !== undefined)
    return <StatusMark kind="idle">{t('jobs.planned', { time: formatTime(begins, 'YYYY-MM-DD HH:mm') })}</StatusMark>;
  return <StatusMark kind={MARKS[state]}>{t(`values.job.state.${state}`)}</StatusMark>;
}

/** The job's bar and its percent. */
export function JobProgressCell({ row }: CellProps) {
  const t = useT();
  const counts = readCounts(row['counts']);
  const total = row['total'];
  if (!counts || typeof total !== 'number') return null;
  const job = { counts, total };
  return (
    <span className={styles.progressCell}>
      <SegmentBar job={job} label={t('jobs.progress_of', { title: titleOf(row) })} />
      <span>{t('dialogs.percent', { percent: formatNumber(percentDone(job)) })}</span>
    </span>
  );
}

/** How many waves have started, of how many. */
export function JobWavesCell({ row }: CellProps) {
  const t = useT();
  const waves = row['waves'];
  if (typeof waves !== 'object' || waves === null || !('number' in waves) || !('total' in waves)) return null;
  return <>{t('jobs.rollout.of', { number: Number(waves.number), total: Number(waves.total) })}</>;
}

function titleOf(row: CellProps['row']): string {
  return jobTitle({ kind: String(row['kind'] ?? ''), input: row['input'] });
}

function readCounts(value: unknown): Job['counts'] | undefined {
  return isCounts(value) ? value : undefined;
}

function isCounts(value: unknown): value is Job['counts'] {
  if (typeof value !== 'object' || value === null) return false;
  const states = ['queued', 'sent', 'running', 'ok', 'failed', 'skipped', 'timed-out', 'cancelled'];
  return states.every((state) => typeof Object.getOwnPropertyDescriptor(value, state)?.value === 'number');
}

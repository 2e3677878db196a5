import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { BAR_ORDER, countGroups, percentDone } from './progress.ts';
import styles from './jobs.module.css';
import type { Job } from './job-api.ts';

/** The whole job as one bar: a part per group of targets, as wide as its share. Its words are the counts beside it. */
export function SegmentBar({ job, label }: { job: Pick<Job, 'counts' | 'total'>; label: string }) {
  const t = useT();
  const groups = countGroups(job.counts);
  const percent = percentDone(job);
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={t('dialogs.percent', { percent: formatNumber(percent) })}
    >
      {BAR_ORDER.map((group) =>
        groups[group] > 0 ? <span key={group} className={styles.part} data-group={group} style={{ flexGrow: groups[group] }} /> : null,
      )}
    </div>
  );
}

import { useId } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Select } from '../../ui/index.ts';
import styles from './jobs.module.css';
import type { JobPreview } from './job-api.ts';
import type { WindowRule } from './start-job.ts';

const RULES: readonly WindowRule[] = ['wait', 'refuse', 'now'];

interface WindowChoiceProps {
  windows: NonNullable<JobPreview['windows']>;
  onChange: (rule: WindowRule) => void;
}

/** What becomes of devices whose maintenance window is not open when the job begins. */
export function WindowChoice({ windows: { outside, opens_at, rule }, onChange }: WindowChoiceProps) {
  const t = useT();
  const id = useId();
  const opensAt = parseWire(opens_at);
  return (
    <div className={styles.waves}>
      <label htmlFor={id}>{t('jobs.windows.label', { count: outside })}</label>
      <span>
        <Select id={id} value={rule} choices={RULES.map((value) => ({ value, label: t(`jobs.windows.${value}`) }))} onChange={onChange} />
        {rule === 'wait' && opensAt !== undefined ? (
          <span className={styles.quiet}>{t('jobs.windows.opens', { time: formatTime(opensAt) })}</span>
        ) : null}
      </span>
    </div>
  );
}

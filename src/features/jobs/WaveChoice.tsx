import { useId } from 'react';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import styles from './jobs.module.css';
import type { Waves } from './start-job.ts';

const SIZES: readonly number[] = [1, 10, 50, 100, 500, 1000];
const STOP_PERCENTS: readonly number[] = [5, 10, 25, 50];
const DEFAULT_STOP_PERCENT = 10;
const PAUSES_SECONDS: readonly number[] = [60, 5 * 60, 15 * 60, 60 * 60];

interface WaveChoiceProps {
  /** How many devices the job runs on. */
  willRun: number;
  waves: Waves | undefined;
  onChange: (waves: Waves | undefined) => void;
}

/** Whether a job goes about its devices all at once or some at a time, and what stops it then. */
export function WaveChoice({ willRun, waves, onChange }: WaveChoiceProps) {
  const t = useT();
  const id = useId();
  const handleSize = (size: number) => onChange(size === 0 ? undefined : { stop_percent: DEFAULT_STOP_PERCENT, ...waves, size });
  return (
    <div className={styles.waves}>
      <label htmlFor={`${id}-size`}>{t('jobs.waves.pace')}</label>
      <NativeSelect id={`${id}-size`} value={waves?.size ?? 0} onChange={(event) => handleSize(Number(event.target.value))}>
        <option value={0}>{t('jobs.waves.all')}</option>
        {SIZES.filter((size) => size < willRun).map((size) => (
          <option key={size} value={size}>
            {t('jobs.waves.size', { count: size })}
          </option>
        ))}
      </NativeSelect>
      {waves ? (
        <>
          <label htmlFor={`${id}-stop`}>{t('jobs.waves.stop')}</label>
          <NativeSelect
            id={`${id}-stop`}
            value={waves.stop_percent ?? 0}
            onChange={(event) => onChange({ ...waves, stop_percent: Number(event.target.value) || undefined })}
          >
            {STOP_PERCENTS.map((percent) => (
              <option key={percent} value={percent}>
                {t('jobs.waves.above', { percent: formatNumber(percent) })}
              </option>
            ))}
            <option value={0}>{t('jobs.waves.never')}</option>
          </NativeSelect>
          <label htmlFor={`${id}-pause`}>{t('jobs.waves.pause')}</label>
          <NativeSelect
            id={`${id}-pause`}
            value={waves.pause_seconds ?? 0}
            onChange={(event) => onChange({ ...waves, pause_seconds: Number(event.target.value) || undefined })}
          >
            <option value={0}>{t('jobs.waves.no_pause')}</option>
            {PAUSES_SECONDS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {formatDuration(seconds * 1000)}
              </option>
            ))}
          </NativeSelect>
        </>
      ) : null}
    </div>
  );
}

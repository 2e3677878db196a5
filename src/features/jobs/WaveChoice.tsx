import { useId } from 'react';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { NativeSelect } from '../../ui/NativeSelect.tsx';
import styles from './jobs.module.css';
import type { Waves } from './start-job.ts';

const SIZES: readonly number[] = [1, 10, 50, 100, 500, 1000];
const STOP_PERCENTS: readonly number[] = [5, 10, 25, 50];
const DEFAULT_STOP_PERCENT = 10;

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
  const handleSize = (size: number) =>
    onChange(size === 0 ? undefined : { size, stop_percent: waves ? waves.stop_percent : DEFAULT_STOP_PERCENT });
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
            onChange={(event) => onChange({ size: waves.size, stop_percent: Number(event.target.value) || undefined })}
          >
            {STOP_PERCENTS.map((percent) => (
              <option key={percent} value={percent}>
                {t('jobs.waves.above', { percent: formatNumber(percent) })}
              </option>
            ))}
            <option value={0}>{t('jobs.waves.never')}</option>
          </NativeSelect>
        </>
      ) : null}
    </div>
  );
}

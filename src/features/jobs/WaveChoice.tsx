import { useId } from 'react';
import { LookupSelect } from '../../engine/form/LookupSelect.tsx';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Select } from '../../ui/index.ts';
import styles from './jobs.module.css';
import type { Waves } from './start-job.ts';

const SIZES: readonly number[] = [1, 10, 50, 100, 500, 1000];
const FIRST_SIZES: readonly number[] = [1, 2, 5, 10];
const BY_TAG = -1;
/** A tag is wanted and not chosen yet. */
export const NO_TAG = 0;
const STOP_PERCENTS: readonly number[] = [5, 10, 25, 50];
const DEFAULT_STOP_PERCENT = 10;
const PAUSES_SECONDS: readonly number[] = [60, 5 * 60, 15 * 60, 60 * 60];

interface WaveChoiceProps {
  /** How many devices the job runs on. */
  willRun: number;
  waves: Waves | undefined;
  /** The job is for all that match a query, so others may match later. */
  isForQuery: boolean;
  onChange: (waves: Waves | undefined) => void;
}

/** Whether a job goes about its devices all at once or some at a time, and what stops it then. */
export function WaveChoice({ willRun, waves, isForQuery, onChange }: WaveChoiceProps) {
  const t = useT();
  const can = useCan();
  const id = useId();
  const handleFirst = (size: number): void => {
    const { first: _first, first_tag_id: _tag, ...others } = waves ?? { size: 1 };
    if (size === BY_TAG) onChange({ ...others, first_tag_id: NO_TAG });
    else onChange(size > 0 ? { ...others, first: size } : others);
  };
  const handleSize = (size: number) =>
    onChange(size === 0 ? undefined : { stop_percent: DEFAULT_STOP_PERCENT, on_stop: 'hold', ...waves, size });
  return (
    <div className={styles.waves}>
      <label htmlFor={`${id}-size`}>{t('jobs.waves.pace')}</label>
      <Select
        id={`${id}-size`}
        value={waves?.size ?? 0}
        choices={[
          { value: 0, label: t('jobs.waves.all') },
          ...SIZES.filter((size) => size < willRun).map((size) => ({ value: size, label: t('jobs.waves.size', { count: size }) })),
        ]}
        onChange={handleSize}
      />
      {waves ? (
        <>
          <label htmlFor={`${id}-first`}>{t('jobs.waves.first')}</label>
          <Select
            id={`${id}-first`}
            value={waves.first_tag_id === undefined ? (waves.first ?? 0) : BY_TAG}
            choices={[
              { value: 0, label: t('jobs.waves.first_same') },
              ...FIRST_SIZES.filter((size) => size < willRun).map((size) => ({ value: size, label: t('jobs.devices', { count: size }) })),
              ...(can('view_tags') ? [{ value: BY_TAG, label: t('jobs.waves.first_tag') }] : []),
            ]}
            onChange={handleFirst}
          />
          {waves.first_tag_id === undefined ? null : (
            <>
              <label htmlFor={`${id}-tag`}>{t('jobs.waves.tag')}</label>
              <LookupSelect
                id={`${id}-tag`}
                lookup="tags"
                label={t('jobs.waves.tag')}
                placeholder={t('jobs.waves.choose_tag')}
                aria-invalid={waves.first_tag_id === NO_TAG || undefined}
                value={waves.first_tag_id || undefined}
                onChange={(tag) => onChange({ ...waves, first_tag_id: tag ?? NO_TAG })}
              />
            </>
          )}
          {isForQuery ? (
            <>
              <label htmlFor={`${id}-newcomers`}>{t('jobs.waves.newcomers')}</label>
              <Select
                id={`${id}-newcomers`}
                value={waves.newcomers ? 1 : 0}
                choices={[
                  { value: 0, label: t('jobs.waves.newcomers_no') },
                  { value: 1, label: t('jobs.waves.newcomers_yes') },
                ]}
                onChange={(joins) => onChange({ ...waves, newcomers: joins === 1 || undefined })}
              />
            </>
          ) : null}
          <label htmlFor={`${id}-approve`}>{t('jobs.waves.next')}</label>
          <Select
            id={`${id}-approve`}
            value={waves.approve ? 1 : 0}
            choices={[
              { value: 0, label: t('jobs.waves.by_itself') },
              { value: 1, label: t('jobs.waves.approved') },
            ]}
            onChange={(approve) => onChange({ ...waves, approve: approve === 1 || undefined })}
          />
          <label htmlFor={`${id}-stop`}>{t('jobs.waves.stop')}</label>
          <Select
            id={`${id}-stop`}
            value={waves.stop_percent ?? 0}
            choices={[
              ...STOP_PERCENTS.map((percent) => ({ value: percent, label: t('jobs.waves.above', { percent: formatNumber(percent) }) })),
              { value: 0, label: t('jobs.waves.never') },
            ]}
            onChange={(percent) => onChange({ ...waves, stop_percent: percent || undefined })}
          />
          {waves.stop_percent === undefined ? null : (
            <>
              <label htmlFor={`${id}-on-stop`}>{t('jobs.waves.on_stop')}</label>
              <Select
                id={`${id}-on-stop`}
                value={waves.on_stop ?? 'end'}
                choices={[
                  { value: 'hold', label: t('jobs.waves.stop_hold') },
                  { value: 'end', label: t('jobs.waves.stop_end') },
                ]}
                onChange={(onStop) => onChange({ ...waves, on_stop: onStop })}
              />
            </>
          )}
          <label htmlFor={`${id}-pause`}>{t('jobs.waves.pause')}</label>
          <Select
            id={`${id}-pause`}
            value={waves.pause_seconds ?? 0}
            choices={[
              { value: 0, label: t('jobs.waves.no_pause') },
              ...PAUSES_SECONDS.map((seconds) => ({ value: seconds, label: formatDuration(seconds * 1000) })),
            ]}
            onChange={(seconds) => onChange({ ...waves, pause_seconds: seconds || undefined })}
          />
        </>
      ) : null}
    </div>
  );
}

import { useList } from '@refinedev/core';
import { useEffect, useRef } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { ErrorState, Skeleton, StatusMark } from '../../ui/index.ts';
import { FOLLOWING } from './job-api.ts';
import { OutputText } from './OutputText.tsx';
import { stepWord, stepWords } from './target-words.ts';
import styles from './jobs.module.css';
import type { JobStep, JobTarget } from './job-api.ts';

const MARK = { ok: 'good', failed: 'bad', 'timed-out': 'bad' } as const;
const MOST_STEPS = 100;

/** What the finished steps of one device gave, in their order. */
export function TargetSteps({ target }: { target: JobTarget }) {
  const t = useT();
  const { query } = useList<JobStep, ApiError>({
    resource: `jobs/${target.job_id}/steps`,
    pagination: { currentPage: 1, pageSize: MOST_STEPS },
    meta: { ...FOLLOWING, query: { target_id: target.id, sort: 'step' } },
    errorNotification: false,
  });
  const { refetch } = query;
  // Another step is over as soon as the device is at the next one.
  const mark = `${target.step} ${target.state}`;
  const lastMark = useRef(mark);
  useEffect(() => {
    if (mark === lastMark.current) return;
    lastMark.current = mark;
    void refetch();
  }, [mark, refetch]);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={60} />;
  const steps = query.data.data;
  return (
    <ol className={styles.steps} aria-label={t('jobs.steps_of', { name: target.device_name })}>
      {steps.map((step) => (
        <li key={step.id} className={styles.step}>
          <span className={styles.state}>
            <StatusMark kind={MARK[step.state]}>{t(`values.job_step.state.${step.state}`)}</StatusMark>
          </span>
          <span className={styles.device}>{stepWord(step.name)}</span>
          <span className={styles.words}>{stepWords(step)}</span>
          {step.output ? (
            <OutputText
              label={t('jobs.output_of_step', { step: stepWord(step.name), name: target.device_name })}
              text={step.output}
              isCut={step.truncated}
            />
          ) : null}
        </li>
      ))}
    </ol>
  );
}

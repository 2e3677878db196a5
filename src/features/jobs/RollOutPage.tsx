import { useCustom } from '@refinedev/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { openDialog } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan, useSession } from '../../kernel/session/index.ts';
import { Banner, Button, Card, ErrorState, PageError, PageHeader, Skeleton } from '../../ui/index.ts';
import { FOLLOWING, type Job, type JobWave } from './job-api.ts';
import { JobButtons } from './JobButtons.tsx';
import { jobTitle } from '../../engine/history/job-title.ts';
import { jobLine, outcomeLine } from './job-words.ts';
import { isOver } from './progress.ts';
import { canRollBack, fileNames, nextWords } from './roll-out-words.ts';
import { SegmentBar } from './SegmentBar.tsx';
import { TargetList } from './TargetList.tsx';
import { useJob, type JobState } from './use-job.ts';
import { useNow } from './use-now.ts';
import { WavePicture } from './WavePicture.tsx';
import styles from './roll-outs.module.css';

// Waves are counted again at most so often while devices finish.
const COUNT_MS = 1000;

/** The waves of a job, read again as the job goes on. */
function useWaves(job: Job | undefined, id: number) {
  const { query } = useCustom<JobWave[], ApiError>({
    url: `/jobs/${id}/waves`,
    method: 'get',
    meta: FOLLOWING,
    queryOptions: { enabled: job !== undefined },
    errorNotification: false,
  });
  const { refetch } = query;
  const seen = useRef<string>(undefined);
  const progress = job && JSON.stringify([job.counts, job.waves, job.state, job.paused_at]);
  useEffect(() => {
    if (progress === undefined || progress === seen.current) return undefined;
    const isFirst = seen.current === undefined;
    seen.current = progress;
    if (isFirst) return undefined;
    const timer = setTimeout(() => void refetch(), COUNT_MS);
    return () => {
      clearTimeout(timer);
      seen.current = '';
    };
  }, [progress, refetch]);
  return query;
}

/** A roll-out: its waves as a picture, what comes next, what can be done about it, and each of its devices. */
export default function RollOutPage({ id }: { id: number }) {
  const t = useT();
  const state = useJob(id);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const { job, error, reload } = state;
  const waves = useWaves(job, id);
  if (error && !job) return <PageError error={error} onRetry={reload} action={t('common.load')} item={t('jobs.job')} />;
  if (!job) return <Skeleton width={260} height={28} />;
  const files = fileNames(job.input);
  const known = waves.data?.data ?? [];
  function handleSelect(target: number, isSelected: boolean): void {
    const next = new Set(selected);
    if (isSelected) next.add(target);
    else next.delete(target);
    setSelected(next);
  }
  return (
    <div className={styles.page}>
      <PageHeader
        title={files.length === 1 ? `${jobTitle(job)}: ${files[0]}` : jobTitle(job)}
        breadcrumb={[
          <Link key="above" to="/management/roll-outs">
            {t('resources.roll-outs.title')}
          </Link>,
        ]}
      />
      <Summary job={job} waves={known} selected={selected} onChanged={reload} />
      <Card title={t('jobs.rollout.waves')}>
        {waves.error ? <ErrorState error={waves.error} onRetry={() => void waves.refetch()} /> : null}
        {!waves.data && !waves.error ? <Skeleton height={160} /> : <WavePicture job={job} waves={known} />}
        <LeftOut job={job} waves={known} />
        {job.waves?.newcomers && !isOver(job) ? <p className={styles.lead}>{t('jobs.rollout.newcomers')}</p> : null}
      </Card>
      <Devices job={job} state={state} selected={selected} onSelect={handleSelect} />
    </div>
  );
}

interface SummaryProps {
  job: Job;
  waves: readonly JobWave[];
  selected: ReadonlySet<number>;
  onChanged: () => void;
}

/** How far it is, what comes next, and what can be done. */
function Summary({ job, waves, selected, onChanged }: SummaryProps) {
  const t = useT();
  const can = useCan();
  const session = useSession();
  const now = useNow(!isOver(job));
  const next = nextWords(job, waves);
  const userId = session.state === 'unauthenticated' ? undefined : session.user.id;
  const undoes = typeof job.input['rolls_back'] === 'number' ? job.input['rolls_back'] : undefined;
  const { ok } = job.counts;
  const handleRollBack = () =>
    void openDialog('job.start', { kind: 'roll_back', risk: 'disruptive', selection: { device_id: [] }, undoes: job.id, count: ok });
  return (
    <Card title={t(next ? 'jobs.rollout.next.title' : `values.job.state.${job.state}`)}>
      <div className={styles.content}>
        {next ? <Banner kind={next.kind}>{next.words}</Banner> : <p role="status">{outcomeLine(job)}</p>}
        {job.message ? <Banner kind="warn">{job.message}</Banner> : null}
        <SegmentBar job={job} label={t('jobs.progress_of', { title: jobTitle(job) })} />
        <p className={styles.lead}>{jobLine(job, userId, now)}</p>
        {undoes === undefined ? null : <Link to={`/management/roll-outs/${undoes}`}>{t('jobs.rollout.takes_back', { id: undoes })}</Link>}
        <div className={styles.buttons}>
          {canRollBack(job) && can('execute_device_updates') ? (
            <Button onClick={handleRollBack}>{t('jobs.rollout.roll_back', { count: ok })}</Button>
          ) : null}
          <JobButtons
            job={job}
            selected={selected}
            onChanged={onChanged}
            onCompleted={undefined}
            onClose={() => undefined}
            hasNote={false}
          />
        </div>
      </div>
    </Card>
  );
}

function LeftOut({ job, waves }: { job: Job; waves: readonly JobWave[] }) {
  const t = useT();
  const inWaves = waves.reduce((sum, { total }) => sum + total, 0);
  const count = job.total - inWaves;
  if (waves.length === 0 || count <= 0) return null;
  return <p className={styles.lead}>{t('jobs.rollout.left_out', { count })}</p>;
}

interface DevicesProps {
  job: Job;
  state: JobState;
  selected: ReadonlySet<number>;
  onSelect: (id: number, isSelected: boolean) => void;
}

function Devices({ job, state, selected, onSelect }: DevicesProps) {
  const t = useT();
  const now = useNow(!isOver(job));
  return (
    <Card title={t('jobs.devices', { count: job.total })}>
      <div className={styles.content}>
        <TargetList job={job} state={state} now={now} selected={selected} onSelect={onSelect} />
      </div>
    </Card>
  );
}

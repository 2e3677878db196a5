import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { DialogWindow, openDialog } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useSession } from '../../kernel/session/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Banner, Button, ErrorState, Skeleton } from '../../ui/index.ts';
import { JobButtons } from './JobButtons.tsx';
import { jobTitle } from '../../engine/history/job-title.ts';
import { beginsAt, bothClocks, jobLine, outcomeLine } from './job-words.ts';
import { isRollOut } from './roll-out-words.ts';
import { isOver, percentDone } from './progress.ts';
import { SegmentBar } from './SegmentBar.tsx';
import { TargetList } from './TargetList.tsx';
import { useJob } from './use-job.ts';
import { useNow } from './use-now.ts';
import styles from './jobs.module.css';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import type { Job } from './job-api.ts';

/** The action-status dialog: how far a job is, what happened at each device, and what can still be done about it. */
const JobDialog: DialogComponent<'job.status'> = ({ jobId, onCompleted, dialog }) => {
  const t = useT();
  const state = useJob(jobId);
  const session = useSession();
  const { job, error } = state;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const now = useNow(job !== undefined && !isOver(job));
  const title = job ? jobTitle(job) : t('jobs.job');
  const percent = job ? percentDone(job) : undefined;

  const { setTray, close } = dialog;
  useCloseOnPage(jobId, close);
  useEffect(() => setTray({ title: job ? `${title} · ${job.total}` : title, percent }), [setTray, title, percent, job]);

  const hasReported = useRef(false);
  useEffect(() => {
    if (!job || !isOver(job) || hasReported.current) return;
    hasReported.current = true;
    onCompleted?.();
  }, [job, onCompleted]);

  function handleSelect(id: number, isSelected: boolean): void {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  }

  if (!job) {
    return (
      <DialogWindow dialog={dialog} title={title} size="large">
        {error ? <ErrorState error={error} onRetry={state.reload} /> : <Skeleton height={320} />}
      </DialogWindow>
    );
  }
  const begins = beginsAt(job);
  const cancelledAt = parseWire(job.cancel_requested_at);
  const isCancelling = !isOver(job) && job.counts.sent + job.counts.running > 0;
  const userId = session.state === 'unauthenticated' ? undefined : session.user.id;
  return (
    <DialogWindow
      dialog={dialog}
      title={title}
      subtitle={jobLine(job, userId, now)}
      size="large"
      canMinimize
      canFullscreen
      help="jobs"
      footer={
        <JobButtons job={job} selected={selected} onChanged={state.reload} onCompleted={onCompleted} onClose={() => dialog.close()} />
      }
    >
      <div className={styles.job}>
        {error ? <Banner kind="warn">{t('jobs.stale')}</Banner> : null}
        {begins === undefined ? null : <Banner kind="info">{t('jobs.schedule.begins', { time: bothClocks(begins) })}</Banner>}
        {isCancelling && cancelledAt !== undefined ? (
          <Banner kind="warn">
            {t('jobs.cancelling', { time: formatTime(cancelledAt, 'HH:mm:ss'), count: job.counts.sent + job.counts.running })}
          </Banner>
        ) : null}
        {job.message ? <Banner kind="warn">{job.message}</Banner> : null}
        {job.paused_at && !isOver(job) ? <Banner kind="info">{t('jobs.paused')}</Banner> : null}
        {job.waves?.is_waiting && !isOver(job) ? <Banner kind="info">{t('jobs.waves.waits')}</Banner> : null}
        {job.waves?.is_stopped ? <Banner kind="bad">{t('jobs.waves.stopped', { percent: job.waves.stop_percent ?? 0 })}</Banner> : null}
        {isRollOut(job) ? <Link to={rollOutAddress(job.id)}>{t('jobs.rollout.open')}</Link> : null}
        <JobInput job={job} />
        <SegmentBar job={job} label={t('jobs.progress_of', { title })} />
        <span className="visually-hidden" role="status">
          {isOver(job) ? outcomeLine(job) : ''}
        </span>
        <TargetList job={job} state={state} now={now} selected={selected} onSelect={handleSelect} onLeave={() => dialog.close()} />
      </div>
    </DialogWindow>
  );
};
export default JobDialog;

const rollOutAddress = (jobId: number): string => `/management/roll-outs/${jobId}`;

/** Closes the window once the page of the same job is reached from it: that shows all that the window does. */
function useCloseOnPage(jobId: number, close: () => void): void {
  const { pathname } = useLocation();
  const from = useRef(pathname);
  useEffect(() => {
    if (pathname === from.current) return;
    from.current = pathname;
    if (pathname === rollOutAddress(jobId)) close();
  }, [pathname, jobId, close]);
}

/** What was asked for and why: the command, the reason; and the job that this one retries. */
function JobInput({ job }: { job: Job }) {
  const t = useT();
  const command = job.kind === 'run' ? job.input['command'] : undefined;
  const parent = job.parent_id;
  if (typeof command !== 'string' && parent === null && job.reason === null) return null;
  return (
    <div className={styles.input}>
      {typeof command === 'string' ? <pre>{command}</pre> : null}
      {job.reason === null ? null : <p>{t('jobs.reason.given', { reason: job.reason })}</p>}
      {parent === null ? null : (
        <Button variant="link" onClick={() => void openDialog('job.status', { jobId: parent }, { id: `job-${parent}` })}>
          {t('jobs.retry_of', { id: String(parent) })}
        </Button>
      )}
    </div>
  );
}

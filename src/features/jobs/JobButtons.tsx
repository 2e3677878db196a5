import { useState } from 'react';
import { saveFile } from '../../engine/actions/save-file.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { resources } from '../../engine/resources/all.ts';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, DialogNote, IconButton, Menu, type MenuEntry } from '../../ui/index.ts';
import { cancelJob, exportJob, getDeviceIds, holdJob } from './job-api.ts';
import { outcomeLine } from './job-words.ts';
import { countGroups, isOver, STATES_OF } from './progress.ts';
import type { JobStartProps } from '../../engine/actions/job-start.ts';
import type { Job } from './job-api.ts';

interface JobButtonsProps {
  job: Job;
  selected: ReadonlySet<number>;
  onChanged: () => void;
  /** For the job that a retry starts. */
  onCompleted: (() => void) | undefined;
  onClose: () => void;
  /** In a window: says how it ended, or that it goes on without the window. */
  hasNote?: boolean;
}

// Who may start a kind may also stop it and run it again.
const PERMISSIONS: Readonly<Record<string, string>> = {
  run: 'execute_device_commands',
  move: 'move_devices',
  remove: 'delete_devices',
  update_firmware: 'execute_device_updates',
  set_passwords: 'execute_device_passwords',
  esim: 'create_multi_configuration',
  read_settings: 'create_multi_configuration',
  configure: 'create_multi_configuration',
  compare_settings: 'create_multi_configuration',
  apply_template: 'create_multi_configuration',
  upload_backup: 'execute_device_updates',
  update_devices: 'execute_device_updates',
};

/** How strongly a job of this kind is confirmed, as the action that starts it says. */
function riskOf(kind: string): JobStartProps['risk'] {
  const actions = resources.flatMap((resource) => resource.actions ?? []);
  const action = actions.find((entry) => entry.kind === 'job' && entry.job === kind);
  return action?.kind === 'job' ? action.risk : 'disruptive';
}

type Work = 'cancel' | 'export' | 'retry' | 'pause' | 'resume' | 'continue';

/** What can be done with a job: stop the rest, take the result away, run the failed again. */
export function JobButtons({ job, selected, onChanged, onCompleted, onClose, hasNote = true }: JobButtonsProps) {
  const t = useT();
  const can = useCan();
  const [busy, setBusy] = useState<Work>();
  const counts = countGroups(job.counts);
  const over = isOver(job);
  const mayAct = can(PERMISSIONS[job.kind] ?? 'execute_device_actions');

  async function run(name: Work, work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(name);
    try {
      await work();
    } catch (error) {
      const message = failureMessage(error);
      if (message !== '') toasts.error(message);
    } finally {
      setBusy(undefined);
    }
  }

  const handleCancel = () =>
    run('cancel', async () => {
      const { cancelled, cannot_cancel: left } = await cancelJob(job.id);
      const sentences = [t(cancelled > 0 ? 'jobs.cancelled' : 'jobs.none_cancelled', { count: cancelled })];
      if (left > 0) sentences.push(t('jobs.not_cancelled', { count: left }));
      toasts.info(sentences.join(' '));
      onChanged();
    });
  const handleHold = (hold: 'pause' | 'resume' | 'continue') =>
    run(hold, async () => {
      await holdJob(job.id, hold);
      onChanged();
    });
  const handleExport = () =>
    run('export', async () => {
      const { blob, fileName } = await exportJob(job.id);
      saveFile(blob, fileName);
    });
  const handleRetry = (targetIds?: readonly number[]) =>
    run('retry', async () => {
      const started = await openDialog('job.start', {
        kind: job.kind,
        data: {},
        risk: riskOf(job.kind),
        selection: { device_id: [] },
        retries: { jobId: job.id, input: job.input, targetIds },
        onCompleted,
        count: targetIds?.length ?? counts.failed,
      });
      // The new job's own window names this one and leads back to it.
      if (started) onClose();
    });
  const handleCopy = () =>
    run('export', async () => {
      const ids = await getDeviceIds(job.id, STATES_OF.failed);
      await navigator.clipboard.writeText(ids.join(', '));
      toasts.success(t('jobs.copied', { count: ids.length }));
    });

  const stopsAbove = job.waves?.stop_percent;
  const goesOn = stopsAbove ? `${t('jobs.goes_on')} ${t('jobs.waves.stops_above', { percent: stopsAbove })}` : t('jobs.goes_on');
  const more: MenuEntry[] =
    counts.failed > 0 ? [{ id: 'copy', label: t('jobs.copy_failed'), icon: 'copy', onSelect: () => void handleCopy() }] : [];
  return (
    <>
      {hasNote ? <DialogNote>{over ? outcomeLine(job) : goesOn}</DialogNote> : null}
      {more.length > 0 ? (
        <Menu label={t('jobs.more')} entries={more} placement="top-end">
          <IconButton icon="ellipsis" label={t('jobs.more')} hasBorder />
        </Menu>
      ) : null}
      {job.waves?.is_waiting && !over && mayAct ? (
        <Button variant="primary" isBusy={busy === 'continue'} onClick={() => void handleHold('continue')}>
          {t('jobs.continue')}
        </Button>
      ) : null}
      {counts.queued > 0 && !over && mayAct ? (
        <Button isBusy={busy === 'pause' || busy === 'resume'} onClick={() => void handleHold(job.paused_at ? 'resume' : 'pause')}>
          {t(job.paused_at ? 'jobs.resume' : 'jobs.pause')}
        </Button>
      ) : null}
      {counts.queued > 0 && !over && mayAct ? (
        <Button isBusy={busy === 'cancel'} onClick={() => void handleCancel()}>
          {t('jobs.cancel_rest')}
        </Button>
      ) : null}
      <Button isBusy={busy === 'export'} onClick={() => void handleExport()}>
        {t('jobs.export')}
      </Button>
      {over && mayAct && selected.size > 0 ? (
        <Button isBusy={busy === 'retry'} onClick={() => void handleRetry([...selected])}>
          {t('jobs.retry_selected', { count: selected.size })}
        </Button>
      ) : null}
      {mayAct && counts.failed > 0 ? (
        <Button variant="primary" isBusy={busy === 'retry'} onClick={() => void handleRetry()}>
          {t('jobs.retry_failed', { count: counts.failed })}
        </Button>
      ) : null}
    </>
  );
}

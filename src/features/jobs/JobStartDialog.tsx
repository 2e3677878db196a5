import { Suspense, lazy, useRef, useState } from 'react';
import { DialogWindow, openDialog } from '../../engine/dialogs/index.ts';
import { useTypedField } from '../../engine/dialogs/TypedField.tsx';
import { textOf, useT, withTexts } from '../../kernel/i18n/index.ts';
import { Button, Skeleton, ErrorState, Banner } from '../../ui/index.ts';
import { JobChoices } from './JobChoices.tsx';
import { NO_TAG } from './WaveChoice.tsx';
import { jobTitle, kindWord } from '../../engine/history/job-title.ts';
import { typedConfirmation, type Waves } from './start-job.ts';
import { useJobStart } from './use-job-start.ts';
import styles from './jobs.module.css';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { jobOfChannel } from '../../engine/form/job-channel.ts';

const JobFormStep = lazy(withTexts(['dialogs', 'errors', 'form'], () => import('./JobFormStep.tsx')));

/** Asks for a job's input, shows what it would do, and starts it once that is confirmed as strongly as its risk asks for. */
const JobStartDialog: DialogComponent<'job.start'> = (props) => {
  const { kind, form: formId, risk, selection, retries, count, name, dialog } = props;
  const t = useT();
  const job = useJobStart(props);
  const { module, step, failure, schedule, form, hasInput } = job;
  const [waves, setWaves] = useState<Waves>();
  const [reason, setReason] = useState({ value: '', isMissing: false });
  const choices = useRef<HTMLDivElement>(null);
  const title = retries
    ? t('jobs.retry_title', { name: jobTitle({ kind, input: retries.input }) })
    : kind === 'form' && module
      ? textOf(module.form.title)
      : kindWord(kind);
  const startWord = retries ? 'jobs.retry_on' : `jobs.start.${kind}`;
  const isPreview = step.at === 'preview';
  const input = retries?.input ?? (isPreview ? step.order.data : {});
  const willRun = isPreview ? step.preview.will_run : 0;
  const expected = isPreview && willRun > 0 ? typedConfirmation(risk, willRun, name) : undefined;
  const { field: typedField, isTyped } = useTypedField(expected);

  function handleStart(): void {
    if (step.at !== 'preview') return;
    const why = reason.value.trim();
    if (job.isTimeWrong || waves?.first_tag_id === NO_TAG) choices.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    else if (step.preview.asks_reason === true && why === '') {
      setReason({ value: '', isMissing: true });
      choices.current?.querySelector<HTMLElement>('[aria-required=true]')?.focus();
    } else if (isTyped()) void job.start({ ...step.order, ...(waves ? { waves } : {}), ...(why === '' ? {} : { reason: why }) });
  }

  return (
    <DialogWindow
      dialog={dialog}
      title={title}
      subtitle={name ?? t('jobs.devices', { count })}
      help={module?.form.help}
      footer={
        <>
          {isPreview && hasInput ? <Button onClick={() => job.goBack()}>{t('jobs.back')}</Button> : null}
          <Button onClick={dialog.requestClose}>{t(isPreview && willRun === 0 ? 'dialogs.close' : 'dialogs.cancel')}</Button>
          {step.at === 'input' ? (
            <Button type="submit" form={form?.formId} variant="primary" isBusy={form?.isWaiting ?? true}>
              {t('jobs.preview')}
            </Button>
          ) : null}
          {isPreview && willRun > 0 ? (
            <Button
              variant={risk === 'low' || kind === 'run' || kind === 'move' ? 'primary' : 'danger-fill'}
              isBusy={job.isStarting}
              data-autofocus={expected === undefined || undefined}
              onClick={handleStart}
            >
              {t(schedule?.starts_at === undefined ? startWord : 'jobs.schedule.submit', { count: willRun })}
            </Button>
          ) : null}
        </>
      }
    >
      <div ref={choices} className={styles.preview}>
        {failure === undefined ? null : (
          <StartFailure failure={failure} onRetry={step.at === 'loading' ? () => void job.begin() : undefined} />
        )}
        {step.at === 'loading' && failure === undefined ? <Skeleton height={96} /> : null}
        {hasInput && module ? (
          <div hidden={isPreview}>
            <Suspense fallback={<Skeleton height={140} />}>
              <JobFormStep
                module={module}
                job={{ kind, form: formId, risk, selection, count, name }}
                onData={job.handleData}
                onLeave={dialog.close}
                onReady={job.setForm}
              />
            </Suspense>
          </div>
        ) : null}
        {isPreview ? (
          <JobChoices
            job={job}
            step={step}
            {...{ kind, risk, name, waves, reason, typedField }}
            isForQuery={selection.selection !== undefined}
            input={input}
            onWaves={setWaves}
            onReason={(value) => setReason({ value, isMissing: false })}
            onStart={handleStart}
          />
        ) : null}
      </div>
    </DialogWindow>
  );
};
export default JobStartDialog;

/** Why the job was not started; the same job running already leads to it. */
export function StartFailure({ failure, onRetry }: { failure: unknown; onRetry: (() => void) | undefined }) {
  const t = useT();
  const running = failure instanceof ApiError && failure.code === 'JOB_ALREADY_RUNNING' ? jobOfChannel(failure.meta.channel) : undefined;
  if (onRetry) return <ErrorState error={failure} onRetry={onRetry} />;
  return (
    <Banner
      kind="bad"
      actions={
        running === undefined ? null : (
          <Button size="small" onClick={() => void openDialog('job.status', { jobId: running }, { id: `job-${running}` })}>
            {t('jobs.open')}
          </Button>
        )
      }
    >
      {failureMessage(failure)}
    </Banner>
  );
}

import { Suspense, lazy, useCallback, useEffect, useRef, useState } from 'react';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import { useTypedField } from '../../engine/dialogs/TypedField.tsx';
import { loadForm } from '../../engine/form/load-form.ts';
import { openJobOf, useReload } from '../../engine/form/after-submit.ts';
import { isCancelled } from '../../kernel/http/index.ts';
import { textOf, useT, withTexts } from '../../kernel/i18n/index.ts';
import { Button, Skeleton } from '../../ui/index.ts';
import { JobPreview } from './JobPreview.tsx';
import { ScheduleChoice } from './ScheduleChoice.tsx';
import { StartFailure } from './StartFailure.tsx';
import { ReasonChoice } from './ReasonChoice.tsx';
import { NO_TAG, WaveChoice } from './WaveChoice.tsx';
import { WindowChoice } from './WindowChoice.tsx';
import { jobTitle, kindWord } from '../../engine/history/job-title.ts';
import {
  makeKey,
  previewJob,
  runsOnDevices,
  startJob,
  retriesAtOnce,
  startsAtOnce,
  typedConfirmation,
  WAIT_FOR_OFFLINE_SECONDS,
  waitsForAll,
  withoutDevices,
} from './start-job.ts';
import styles from './jobs.module.css';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { DialogComponent } from '../../engine/dialogs/registry.ts';
import type { JobPreview as Preview } from './job-api.ts';
import type { JobFormStepProps } from './JobFormStep.tsx';
import type { JobOrder, Schedule, Waves, WindowRule } from './start-job.ts';

const JobFormStep = lazy(withTexts(['dialogs', 'errors', 'form'], () => import('./JobFormStep.tsx')));

/*
 * Starting a job (docs/checks.md B1 and B2).
 *
 *   loading ──▶ input ── data checked, dry run ──▶ preview ── start ──▶ (closed, the job's own dialog opens)
 *      │          ▲────────── back ───────────────────┤
 *      └── nothing to ask: dry run at once ───────────┘ refused: stays, with the reason
 */
type Step = { at: 'loading' } | { at: 'input' } | { at: 'preview'; order: JobOrder; preview: Preview };

/** Asks for a job's input, shows what it would do, and starts it once that is confirmed as strongly as its risk asks for. */
const JobStartDialog: DialogComponent<'job.start'> = ({
  kind,
  form: formId,
  data: known,
  risk,
  selection,
  undoes,
  retries,
  onCompleted,
  count,
  name,
  dialog,
}) => {
  const t = useT();
  const reload = useReload();
  const [module, setModule] = useState<FormModule>();
  const [step, setStep] = useState<Step>({ at: 'loading' });
  const [failure, setFailure] = useState<unknown>();
  const [isStarting, setStarting] = useState(false);
  const [waves, setWaves] = useState<Waves>();
  const [schedule, setSchedule] = useState<Schedule>();
  const [isTimeWrong, setTimeWrong] = useState(false);
  const [reason, setReason] = useState({ value: '', isMissing: false });
  const asked = useRef(0);
  const choices = useRef<HTMLDivElement>(null);
  const [form, setForm] = useState<Parameters<JobFormStepProps['onReady']>[0]>();
  const [key] = useState(makeKey);
  const isBusy = useRef(false);
  const hasInput = known === undefined && module !== undefined && Object.keys(module.form.schema.properties ?? {}).length > 0;
  const { close, setGuard, setLocked } = dialog;

  const start = useCallback(
    async (order: JobOrder): Promise<void> => {
      if (isBusy.current) return;
      isBusy.current = true;
      setStarting(true);
      setFailure(undefined);
      try {
        const { meta } = await startJob(order, key);
        const channel = meta.channel ?? '';
        const reloadAll = (): void => {
          void reload([...(order.form?.submit.success.reload ?? []), 'jobs']);
          onCompleted?.();
        };
        reloadAll();
        close({ channel });
        openJobOf({ data: null, meta }, reloadAll);
      } catch (error) {
        if (!isCancelled(error)) setFailure(error);
      } finally {
        isBusy.current = false;
        setStarting(false);
      }
    },
    [close, key, onCompleted, reload],
  );

  const show = useCallback(
    async (order: JobOrder): Promise<void> => {
      const preview = await previewJob(order);
      const waiting = waitsForAll(kind, preview) ? { ...order, schedule: { wait_seconds: WAIT_FOR_OFFLINE_SECONDS } } : undefined;
      if (waiting) {
        setSchedule(waiting.schedule);
        setTimeWrong(false);
        setStep({ at: 'preview', order: waiting, preview: await previewJob(waiting) });
        return;
      }
      if (order.retries ? retriesAtOnce(preview) : startsAtOnce(risk, preview, order.form !== undefined)) {
        await start(order);
        return;
      }
      setFailure(undefined);
      setSchedule(undefined);
      setTimeWrong(false);
      setStep({ at: 'preview', order, preview });
    },
    [kind, risk, start],
  );

  const begin = useCallback(async (): Promise<void> => {
    setFailure(undefined);
    try {
      const loaded = formId === undefined ? undefined : withoutDevices(await loadForm(formId));
      setModule(loaded);
      if (known === undefined && loaded && Object.keys(loaded.form.schema.properties ?? {}).length > 0) setStep({ at: 'input' });
      else {
        const source = { ...(undoes === undefined ? {} : { undoes }), ...(retries ? { retries } : {}) };
        await show({ kind, form: loaded?.form, data: known ?? {}, selection, ...source });
      }
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    }
  }, [formId, kind, known, selection, undoes, retries, show]);

  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin();
  }, [begin]);
  useEffect(() => setGuard(form?.guard), [setGuard, form]);
  useEffect(() => setLocked(isStarting), [setLocked, isStarting]);

  const handleData = useCallback(
    (data: Record<string, JsonValue>) => show({ kind, form: module?.form, data, selection }),
    [kind, module, selection, show],
  );

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
    if (isTimeWrong || waves?.first_tag_id === NO_TAG) choices.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    else if (step.preview.asks_reason === true && why === '') {
      setReason({ value: '', isMissing: true });
      choices.current?.querySelector<HTMLElement>('[aria-required=true]')?.focus();
    } else if (isTyped()) void start({ ...step.order, ...(waves ? { waves } : {}), ...(why === '' ? {} : { reason: why }) });
  }

  /** Who is offline now counts only for a job that begins now and does not wait, so the devices are asked for again. */
  async function handleSchedule(next: Schedule | undefined): Promise<void> {
    setTimeWrong(next === undefined);
    if (next === undefined) return;
    setSchedule(next);
    await showAgain({ schedule: next });
  }

  async function showAgain(change: { schedule?: Schedule; window?: WindowRule }): Promise<void> {
    if (step.at !== 'preview') return;
    asked.current += 1;
    const turn = asked.current;
    const order = { ...step.order, ...change };
    try {
      const preview = await previewJob(order);
      if (turn !== asked.current) return;
      setFailure(undefined);
      setStep({ at: 'preview', order, preview });
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    }
  }

  return (
    <DialogWindow
      dialog={dialog}
      title={title}
      subtitle={name ?? t('jobs.devices', { count })}
      help={module?.form.help}
      footer={
        <>
          {isPreview && hasInput ? <Button onClick={() => setStep({ at: 'input' })}>{t('jobs.back')}</Button> : null}
          <Button onClick={dialog.requestClose}>{t(isPreview && willRun === 0 ? 'dialogs.close' : 'dialogs.cancel')}</Button>
          {step.at === 'input' ? (
            <Button type="submit" form={form?.formId} variant="primary" isBusy={form?.isWaiting ?? true}>
              {t('jobs.preview')}
            </Button>
          ) : null}
          {isPreview && willRun > 0 ? (
            <Button
              variant={risk === 'low' || kind === 'run' || kind === 'move' ? 'primary' : 'danger-fill'}
              isBusy={isStarting}
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
        {failure === undefined ? null : <StartFailure failure={failure} onRetry={step.at === 'loading' ? () => void begin() : undefined} />}
        {step.at === 'loading' && failure === undefined ? <Skeleton height={96} /> : null}
        {hasInput ? (
          <div hidden={isPreview}>
            <Suspense fallback={<Skeleton height={140} />}>
              <JobFormStep
                module={module}
                job={{ kind, form: formId, risk, selection, count, name }}
                onData={handleData}
                onLeave={close}
                onReady={setForm}
              />
            </Suspense>
          </div>
        ) : null}
        {isPreview ? (
          <>
            {kind === 'run' && typeof input['command'] === 'string' ? (
              <div className={styles.input}>
                <pre>{input['command']}</pre>
              </div>
            ) : null}
            <JobPreview
              kind={kind}
              preview={step.preview}
              name={name}
              isInWaves={waves !== undefined}
              companyId={kind === 'move' ? Number(input['company_id']) : undefined}
            />
            <ScheduleChoice schedule={schedule ?? {}} canWait={runsOnDevices(kind)} onChange={(next) => void handleSchedule(next)} />
            {step.preview.windows ? (
              <WindowChoice windows={step.preview.windows} onChange={(window) => void showAgain({ window })} />
            ) : null}
            {willRun > 1 && runsOnDevices(kind) ? (
              <WaveChoice willRun={willRun} waves={waves} isForQuery={selection.selection !== undefined} onChange={setWaves} />
            ) : null}
            {willRun > 0 && (risk !== 'low' || step.preview.asks_reason === true) ? (
              <ReasonChoice
                {...reason}
                isRequired={step.preview.asks_reason === true}
                onChange={(value) => setReason({ value, isMissing: false })}
              />
            ) : null}
            {typedField ? (
              <form
                noValidate
                onSubmit={(event) => {
                  event.preventDefault();
                  handleStart();
                }}
              >
                {typedField}
              </form>
            ) : null}
          </>
        ) : null}
      </div>
    </DialogWindow>
  );
};
export default JobStartDialog;

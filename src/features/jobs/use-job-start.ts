import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { DialogHandle, DialogPropsOf } from '../../engine/dialogs/registry.ts';
import { openJobOf, useReload } from '../../engine/form/after-submit.ts';
import { loadForm } from '../../engine/form/load-form.ts';
import { isCancelled } from '../../kernel/http/index.ts';
import type { JobPreview as Preview } from './job-api.ts';
import type { JobFormStepProps } from './JobFormStep.tsx';
import {
  makeKey,
  previewJob,
  retriesAtOnce,
  startJob,
  startsAtOnce,
  WAIT_FOR_OFFLINE_SECONDS,
  waitsForAll,
  withoutDevices,
  type JobOrder,
  type Schedule,
  type WindowRule,
} from './start-job.ts';

/*
 * Starting a job (docs/checks.md B1 and B2).
 *
 *   loading ──▶ input ── data checked, dry run ──▶ preview ── start ──▶ (closed, the job's own dialog opens)
 *      │          ▲────────── back ───────────────────┤
 *      └── nothing to ask: dry run at once ───────────┘ refused: stays, with the reason
 */
export type Step = { at: 'loading' } | { at: 'input' } | { at: 'preview'; order: JobOrder; preview: Preview };

type JobStartOptions = Omit<DialogPropsOf<'job.start'>, 'count' | 'name'> & { dialog: DialogHandle<{ channel: string }> };

/** The steps of starting a job, and what leads from one to the next. */
export function useJobStart({ kind, form: formId, data: known, risk, selection, undoes, retries, onCompleted, dialog }: JobStartOptions) {
  const reload = useReload();
  const [module, setModule] = useState<FormModule>();
  const [step, setStep] = useState<Step>({ at: 'loading' });
  const [failure, setFailure] = useState<unknown>();
  const [isStarting, setStarting] = useState(false);
  const [schedule, setSchedule] = useState<Schedule>();
  const [isTimeWrong, setTimeWrong] = useState(false);
  const asked = useRef(0);
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

  return {
    module,
    step,
    failure,
    isStarting,
    schedule,
    isTimeWrong,
    form,
    hasInput,
    begin,
    start,
    setForm,
    handleData,
    handleSchedule,
    showAgain,
    goBack: () => setStep({ at: 'input' }),
  };
}

export type JobStart = ReturnType<typeof useJobStart>;

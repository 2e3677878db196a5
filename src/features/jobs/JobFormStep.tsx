import { useEffect } from 'react';
import { DraftNotice } from '../../engine/form/DraftNotice.tsx';
import { FormView } from '../../engine/form/FormView.tsx';
import { startData } from '../../engine/form/prepare.ts';
import { confirmLoss, useUnsavedGuard } from '../../engine/form/use-unsaved-guard.ts';
import { useFormController } from '../../engine/form/use-form-controller.ts';
import type { JobStartProps } from '../../engine/actions/job-start.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { ErrorItem, JsonValue } from '../../../schemas/kit/form/types.ts';

export interface JobFormStepProps {
  module: FormModule;
  /** What the dialog around was opened with, to open it again. */
  job: JobStartProps;
  /** Gets the checked data; throws `ApiError`, whose items are put at their fields. */
  onData: (data: Record<string, JsonValue>) => Promise<void>;
  /** Another page was chosen over these entries. */
  onLeave: () => void;
  /** Reports to the buttons outside which form to send, and whether it is busy. */
  onReady: (ready: {
    formId: string;
    isWaiting: boolean;
    place: (items: readonly ErrorItem[]) => ErrorItem[];
    guard: () => Promise<boolean>;
  }) => void;
}

/** What a job needs to know, asked before its preview. */
export default function JobFormStep({ module, job, onData, onLeave, onReady }: JobFormStepProps) {
  const controller = useFormController({
    module,
    start: startData(module.form),
    target: { devices: job.selection },
    isWindow: true,
    job,
    onSuccess: () => undefined,
    send: async (data) => {
      await onData(data);
      return { data: null, meta: {} };
    },
  });
  const { model, formId, phase } = controller;
  useUnsavedGuard(model, { onLeave });
  const isWaiting = phase.state === 'waiting';
  useEffect(() => {
    onReady({ formId, isWaiting, place: (items) => model.placeServerErrors(items), guard: () => confirmLoss(model) });
  }, [onReady, formId, isWaiting, model]);
  return (
    <>
      <DraftNotice controller={controller} />
      <FormView controller={controller} />
    </>
  );
}

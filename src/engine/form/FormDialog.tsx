import { Suspense, useEffect, useState } from 'react';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { Button, Segmented } from '../../ui/index.ts';
import { DialogWindow } from '../dialogs/DialogWindow.tsx';
import { DraftNotice } from './DraftNotice.tsx';
import { FormView } from './FormView.tsx';
import { UploadBar, uploadPercent } from './UploadBar.tsx';
import { openMade, showSuccess, useReload } from './after-submit.ts';
import { loadFormOrExplain } from './load-form.ts';
import { startData, type FormData } from './prepare.ts';
import { findWidget } from './theme/widgets.ts';
import { hasResultView, renderResult } from './result-views.ts';
import { confirmLoss, useUnsavedGuard } from './use-unsaved-guard.ts';
import { useFormController } from './use-form-controller.ts';
import styles from './form.module.css';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { DialogHandle } from '../dialogs/registry.ts';
import type { FormTarget, FormResult } from './submit.ts';

export interface FormDialogProps {
  module: FormModule;
  start: JsonValue | undefined;
  target: FormTarget;
  /** The record that was loaded for it. */
  record?: FormData | undefined;
  /** A line over the fields instead of the form's own description. */
  intro?: string;
  /** Sends the data once the window is closed. */
  sendAtOnce?: (data: Record<string, JsonValue>) => void;
  typed?: string | undefined;
  /** On the button in place of the form's own words. */
  submitLabel?: string;
}

/** Forms for the same purpose, and what was entered in those that are not shown. */
interface Alternatives {
  options: { value: string; label: string }[];
  hasEntries: boolean;
  choose: (formId: string, entered: { data: FormData; isDirty: boolean }) => void;
}

/**
 * A form in a window: title, fields, Cancel and the submit button; a switch where the form has alternatives, which keeps what was entered in
 * each, and what two have in common. Answers what the server said; `undefined` when left.
 */
export default function FormDialog(props: FormDialogProps & { dialog: DialogHandle<FormResult> }) {
  const text = useText();
  const [shown, setShown] = useState<{ module: FormModule; start: JsonValue | undefined; entered?: FormData }>({
    module: props.module,
    start: props.start,
  });
  const [entered, setEntered] = useState<Readonly<Record<string, { data: FormData; isDirty: boolean }>>>({});
  const current = shown.module.form;
  const choose: Alternatives['choose'] = (formId, left) => {
    void loadFormOrExplain(formId).then((module) => {
      if (!module) return;
      setEntered({ ...entered, [current.id]: left });
      const fields = Object.keys(module.form.schema.properties ?? {});
      const common = Object.entries(left.data).filter(([name]) => name in (current.schema.properties ?? {}) && fields.includes(name));
      setShown({
        module,
        start: startData(module.form, {}, { ...entered[formId]?.data, ...Object.fromEntries(common) }),
        entered: { ...entered[formId]?.data, ...left.data },
      });
    });
  };
  const options = Object.entries(current.alternatives ?? {}).map(([value, label]) => ({ value, label: text(label) }));
  return (
    <FormWindow
      {...props}
      {...shown}
      key={current.id}
      {...(options.length > 1
        ? { alternatives: { options, choose, hasEntries: Object.values(entered).some(({ isDirty }) => isDirty) } }
        : {})}
    />
  );
}

function FormWindow({
  dialog,
  alternatives,
  module,
  start,
  entered,
  target,
  record,
  intro,
  typed,
  sendAtOnce,
  submitLabel,
}: FormDialogProps & { dialog: DialogHandle<FormResult>; alternatives?: Alternatives; entered?: FormData }) {
  const t = useT();
  const text = useText();
  const reload = useReload();
  const [result, setResult] = useState<FormResult>();
  const { form } = module;
  const { success } = form.submit;

  const controller = useFormController({
    module,
    start,
    target,
    record,
    typed,
    isWindow: true,
    ...(entered ? { entered } : {}),
    ...(sendAtOnce
      ? {
          send: (data) => {
            sendAtOnce(data);
            return Promise.resolve({ data: null, meta: {} });
          },
        }
      : {}),
    onSuccess: (answer) => {
      if (sendAtOnce) {
        dialog.close(answer);
        return;
      }
      const reloadAll = (): void => void reload(success.reload ?? []);
      reloadAll();
      showSuccess(form, answer, reloadAll);
      if (hasResultView(form.id)) setResult(answer);
      else if (success.then !== 'stay') dialog.close(answer);
      openMade(form, answer);
    },
  });
  const { model, formId, phase } = controller;
  const percent = uploadPercent(controller);
  const hasEntries = alternatives?.hasEntries === true;
  const isWaiting = phase.state === 'waiting';

  useUnsavedGuard(model, { isMinimized: dialog.minimized, onLeave: dialog.close });
  useEffect(() => {
    // Closing what is shown after the success means that it was done: what was open below is loaded again.
    const leaveResult = (): Promise<boolean> => {
      dialog.close(result);
      return Promise.resolve(false);
    };
    dialog.setGuard(result ? leaveResult : () => confirmLoss({ isDirty: () => hasEntries || model.isDirty() }));
  }, [dialog, model, result, hasEntries]);
  useEffect(() => dialog.setTray({ title: text(form.title), percent }), [dialog, form, text, percent]);
  // The answer to what is under way must find its form.
  useEffect(() => dialog.setLocked(isWaiting), [dialog, isWaiting]);

  if (result) {
    return (
      <DialogWindow dialog={dialog} title={text(form.title)}>
        <Suspense fallback={null}>{renderResult(form.id, { result, close: () => dialog.close(result) })}</Suspense>
      </DialogWindow>
    );
  }
  const hasFields = Object.keys(form.schema.properties ?? form.schema).length > 0;
  const isWide = Object.values(form.ui ?? {}).some((ui) => findWidget(ui['ui:widget'] ?? '')?.isWide);
  return (
    <DialogWindow
      dialog={dialog}
      title={text(form.title)}
      size={isWide ? 'large' : hasFields ? 'medium' : 'small'}
      isAlert={!hasFields && form.danger}
      canMinimize={hasFields}
      canFullscreen={hasFields}
      help={form.help}
      footer={
        <>
          <UploadBar controller={controller} />
          {percent === undefined ? (
            <Button onClick={dialog.requestClose} data-autofocus={(!hasFields && form.danger) || undefined}>
              {t('dialogs.cancel')}
            </Button>
          ) : null}
          <Button
            type="submit"
            form={formId}
            variant={form.danger ? 'danger-fill' : 'primary'}
            isBusy={isWaiting}
            data-autofocus={(!hasFields && !form.danger) || undefined}
          >
            {submitLabel ?? (form.submitLabel === undefined ? t('form.submit') : text(form.submitLabel))}
          </Button>
        </>
      }
    >
      {alternatives ? (
        <div className={styles.alternatives}>
          <Segmented
            label={t('form.alternatives')}
            value={form.id}
            options={alternatives.options}
            onChange={(id) => alternatives.choose(id, { data: model.data(), isDirty: model.isDirty() })}
          />
        </div>
      ) : null}
      <DraftNotice controller={controller} />
      <FormView controller={controller} intro={intro} />
    </DialogWindow>
  );
}

import { useEffect, useId, useReducer, useRef, useState } from 'react';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate, textOf } from '../../kernel/i18n/index.ts';
import { can, findUser, onSessionLost } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { confirm } from '../dialogs/modal.ts';
import { findDraft, forgetDraft, keepableData } from './drafts.ts';
import { releaseFiles } from './files.ts';
import { confirmText, saysAmounts } from './confirm-words.ts';
import { failureWords } from './after-submit.ts';
import { keepOnLeave } from './keep-on-leave.ts';
import { itemText } from './item-text.ts';
import { mergeRecord } from './merge-record.ts';
import { createFormModel } from './model.ts';
import { useFollowingFields, usePrefilledFields } from './use-following-fields.ts';
import { placeOfRest, reduceSubmit, requestOf, sendForm } from './submit.ts';
import { membersIn } from './prepare.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { FormFile, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { JobStartProps } from '../actions/job-start.ts';
import type { CallOptions } from '../../kernel/http/index.ts';
import type { FormModel } from './model-types.ts';
import type { FormData } from './prepare.ts';
import type { FormTarget, SubmitEvent, SubmitPhase } from './submit.ts';
import type { FormResult } from './submit.ts';

export interface FormController {
  model: FormModel;
  /** What it is sent for. */
  target: FormTarget;
  /** Id of the `<form>` element, for buttons outside of it. */
  formId: string;
  phase: SubmitPhase;
  /** Counts refused attempts, so that the view moves the focus once for each. */
  attempts: number;
  submit: () => Promise<void>;
  /** Stops files that are on their way; back to the entries. */
  cancelUpload: () => void;
  /** Back to an empty form, when it was filled from a draft. */
  discardDraft: (() => void) | undefined;
}

export interface FormControllerOptions {
  module: FormModule;
  start: JsonValue | undefined;
  target: FormTarget;
  /** The record that the form changes, as it was loaded: what becomes of it elsewhere is not overwritten unseen. */
  record?: FormData | undefined;
  onSuccess: (result: FormResult) => void;
  /** What has to be typed before it is sent, by the form's `submit.typed`. */
  typed?: string | undefined;
  /** It is in a window, which no address leads back to. */
  isWindow?: boolean;
  /** The window starts this job. */
  job?: JobStartProps;
  /** Does something else with checked data than the plain call, such as asking first; throws `ApiError` like it. The entries stay unsaved. */
  send?: (data: Record<string, JsonValue>) => Promise<FormResult>;
  /** What was entered before in fields that may come by what is chosen here. */
  entered?: FormData;
  /** Drawn as holders of other permissions see it; nothing of it is kept as a draft. */
  preview?: { can: (permission: string) => boolean };
}

/** One form on screen: its model, its sending and what happens after. The options are read when the form is made. */
export function useFormController(options: FormControllerOptions): FormController {
  const formId = useId();
  const [draft] = useState(() => findDraftOf(options));
  const [{ model, isDraft }, setMade] = useState(() => makeModel(options, draft));
  const [phase, dispatch] = useReducer(reduceSubmit, { state: 'idle' });
  const [attempts, setAttempts] = useState(0);
  const latest = useRef(options);
  // A second click can come before the phase is drawn.
  const isBusy = useRef(false);
  const upload = useRef<AbortController>(undefined);
  const known = useRef(options.record);
  useEffect(() => void (latest.current = options));
  useEffect(() => {
    const user = findUser();
    // Not while it is made: a form that React makes and throws away would lose them.
    if (isDraft && user) forgetDraft(user.id, latest.current.module.form.id, latest.current.target);
  }, [isDraft]);
  useEffect(() => onSessionLost(() => keepEntries(latest.current, model)), [model]);
  const present = useRef(model);
  useEffect(() => void (present.current = model));
  useEffect(() => () => releaseFiles(present.current.data()), []);
  usePrefilledFields(model);
  useFollowingFields(model, {
    shipped: options.module,
    entered: { ...options.entered, ...draft },
    replace: (module, fill) => {
      const made = makeModel({ ...latest.current, module }, undefined);
      fill(made.model);
      setMade({ ...made, isDraft });
    },
  });

  async function submit(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    upload.current = new AbortController();
    try {
      const result = await sendOnce(latest.current, model, dispatch, { signal: upload.current.signal, known });
      if (result === 'refused') setAttempts((count) => count + 1);
      else if (result) latest.current.onSuccess(result);
    } finally {
      isBusy.current = false;
    }
  }

  function discard(): void {
    releaseFiles(model.data());
    setMade(makeModel(options, undefined));
  }

  return {
    model,
    target: options.target,
    formId,
    phase,
    attempts,
    submit,
    cancelUpload: () => upload.current?.abort('Upload cancelled'),
    discardDraft: isDraft && phase.state !== 'success' ? discard : undefined,
  };
}

function makeModel({ module, start, preview }: FormControllerOptions, draft: FormData | undefined): { model: FormModel; isDraft: boolean } {
  const model = createFormModel({ module, start, can: preview?.can ?? can });
  for (const [name, value] of Object.entries(draft ?? {}))
    if (Object.hasOwn(module.form.schema.properties ?? {}, name) || !model.schemaData.isPlain) model.setValue([name], value);
  return { model, isDraft: draft !== undefined };
}

function findDraftOf({ module: { form }, target, preview }: FormControllerOptions): FormData | undefined {
  const user = preview ? undefined : findUser();
  return user && findDraft(user.id, form.id, target);
}

/** Keeps what was entered for after signing in again, because the session ended. */
function keepEntries({ target, isWindow = false, job, preview }: FormControllerOptions, model: FormModel): void {
  const { form } = model.module;
  // The value of a form that is no object has no names that it could be kept under.
  if (preview || !model.isDirty() || Object.keys(model.data()).length === 0) return;
  keepOnLeave(() => ({ formId: form.id, title: form.title, target, isWindow, job, data: keepableData(form, model.data()) }));
}

/** One attempt: check, ask, send. Answers what the server said, `refused`, or `undefined` when the user thought better of it. */
async function sendOnce(
  { module: { form }, target, typed, send }: FormControllerOptions,
  model: FormModel,
  dispatch: (event: SubmitEvent) => void,
  { signal, known }: { signal: AbortSignal; known: { current: FormData | undefined } },
): Promise<FormResult | 'refused' | undefined> {
  let checked = model.check();
  if (!checked) return 'refused';
  const { unchanged } = form.submit;
  if (unchanged && !model.isDirty()) return tellUnchanged(model, dispatch, textOf(unchanged));
  const question = confirmText(form, membersIn(checked.data));
  if ((question || typed !== undefined) && !(await askFirst(form, question, typed))) return undefined;
  dispatch({ type: 'send' });
  if (!send && form.submit.encoding === 'multipart') dispatch({ type: 'uploaded', sent: 0, total: 0 });
  try {
    const merged = send ? undefined : await mergeRecord(model, known.current, target);
    if (merged) {
      known.current = merged.record;
      checked = model.check();
      const rest = model.placeServerErrors(merged.items);
      if (!checked || merged.items.length > 0) {
        dispatch({ type: 'refused', rest: rest.map((item) => item.message) });
        return 'refused';
      }
    }
    const { data } = checked;
    const onUpload = (sent: number, total: number): void => dispatch({ type: 'uploaded', sent, total });
    const result = send ? await send(membersIn(data)) : await plainSend(form, data, target, { signal, onUpload });
    if (!send) model.markSaved();
    // What it was before is no measure any more for one that stays open.
    known.current = undefined;
    dispatch({ type: 'ok' });
    return result;
  } catch (error) {
    if (isCancelled(error)) {
      dispatch({ type: 'cancelled' });
      return undefined;
    }
    dispatch({ type: 'refused', rest: tellRest(form, model, error) });
    return 'refused';
  }
}

/** At the form's only field; beside the form when there are several. */
function tellUnchanged(model: FormModel, dispatch: (event: SubmitEvent) => void, message: string): 'refused' {
  const { fields } = model.visible();
  const rest = model.placeServerErrors([{ code: 'UNCHANGED', message, ...(fields.length === 1 ? { source: fields[0] } : {}) }]);
  dispatch({ type: 'send' });
  dispatch({ type: 'refused', rest: rest.map((item) => item.message) });
  return 'refused';
}

/** A harmless question can be turned off. */
function askFirst(form: FormFile, question: string, typed: string | undefined): Promise<boolean> {
  return confirm({
    title: textOf(form.title),
    promptContent: question || undefined,
    typed,
    confirmText: typed === undefined ? undefined : textOf(form.submitLabel),
    danger: form.danger,
    // Keys of settings hold no slash.
    reminderKey: form.danger || typed !== undefined || saysAmounts(form.id) ? undefined : `form.${form.id.replace('/', '.')}`,
  });
}

async function plainSend(
  form: FormFile,
  data: JsonValue,
  target: FormTarget,
  upload: Pick<CallOptions, 'signal' | 'onUpload'>,
): Promise<FormResult> {
  const request = requestOf(form, data, target);
  const answer = await sendForm(request, request.isMultipart ? upload : {});
  return { data: answer.data, meta: answer.meta, errors: answer.errors };
}

/** Marks the fields and answers the sentences for beside the form; a toast or a dialog is shown at once, if the form asks for one. */
function tellRest(form: FormFile, model: FormModel, error: unknown): string[] {
  const items = error instanceof ApiError ? error.items : [];
  const rest = model.placeServerErrors(items);
  if (items.length === 0)
    return [failureMessage(error, error instanceof ApiError ? failureWords(form) : { fallback: translate('form.failed') })];
  const sentences = [...new Set(rest.map((item) => itemText(item)))];
  const place = placeOfRest(form, rest);
  if (sentences.length === 0 || place === 'list') return sentences;
  if (place === 'toast') toasts.error(sentences.join(' '));
  else
    void confirm({
      title: translate('form.refused'),
      promptContent: sentences.join('\n\n'),
      confirmText: translate('dialogs.close'),
      hasNoCancel: true,
    });
  return [];
}

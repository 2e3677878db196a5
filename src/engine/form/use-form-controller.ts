import { useEffect, useId, useReducer, useRef, useState } from 'react';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate, textOf } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { confirm } from '../dialogs/dialogs.ts';
import { itemText } from './item-text.ts';
import { createFormModel } from './model.ts';
import { placeOfRest, reduceSubmit, requestOf, sendForm } from './submit.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { AnswerMeta, FormFile, JsonValue } from '../../../schemas/kit/types.ts';
import type { FormModel } from './model.ts';
import type { FormData } from './prepare.ts';
import type { FormTarget, SubmitEvent, SubmitPhase } from './submit.ts';

/** What the server answered to a form. */
export interface FormResult<T = JsonValue> {
  data: T;
  meta: AnswerMeta;
}

export interface FormController {
  model: FormModel;
  /** Id of the `<form>` element, for buttons outside of it. */
  formId: string;
  phase: SubmitPhase;
  /** Counts refused attempts, so that the view moves the focus once for each. */
  attempts: number;
  submit: () => Promise<void>;
}

export interface FormControllerOptions {
  module: FormModule;
  start: FormData;
  target: FormTarget;
  onSuccess: (result: FormResult) => void;
  /** Does something else with checked data than the plain call, such as asking first; throws `ApiError` like it. The entries stay unsaved. */
  send?: (data: Record<string, JsonValue>) => Promise<FormResult>;
}

/** One form on screen: its model, its sending and what happens after. The options are read when the form is made. */
export function useFormController(options: FormControllerOptions): FormController {
  const formId = useId();
  const [model] = useState(() => createFormModel({ module: options.module, start: options.start, can }));
  const [phase, dispatch] = useReducer(reduceSubmit, { state: 'idle' });
  const [attempts, setAttempts] = useState(0);
  const latest = useRef(options);
  // A second click can come before the phase is drawn.
  const isBusy = useRef(false);
  useEffect(() => void (latest.current = options));

  async function submit(): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      const result = await sendOnce(latest.current, model, dispatch);
      if (result === 'refused') setAttempts((count) => count + 1);
      else if (result) latest.current.onSuccess(result);
    } finally {
      isBusy.current = false;
    }
  }

  return { model, formId, phase, attempts, submit };
}

/** One attempt: check, ask, send. Answers what the server said, `refused`, or `undefined` when the user thought better of it. */
async function sendOnce(
  { module: { form }, target, send }: FormControllerOptions,
  model: FormModel,
  dispatch: (event: SubmitEvent) => void,
): Promise<FormResult | 'refused' | undefined> {
  const data = model.check();
  if (!data) return 'refused';
  const question = form.submit.confirm;
  if (question && !(await confirm({ title: textOf(form.title), body: textOf(question), danger: form.danger }))) return undefined;
  dispatch({ type: 'send' });
  try {
    const result = await (send ?? plainSend(form, target))(data);
    if (!send) model.markSaved();
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

function plainSend(form: FormFile, target: FormTarget): (data: Record<string, JsonValue>) => Promise<FormResult> {
  return async (data) => {
    const answer = await sendForm(requestOf(form, data, target));
    return { data: answer.data, meta: answer.meta };
  };
}

/** Marks the fields and answers the sentences for beside the form; a toast or a dialog is shown at once, if the form asks for one. */
function tellRest(form: FormFile, model: FormModel, error: unknown): string[] {
  const items = error instanceof ApiError ? error.items : [];
  const rest = model.placeServerErrors(items);
  if (items.length === 0) return [failureMessage(error, { fallback: error instanceof ApiError ? undefined : translate('form.failed') })];
  const sentences = [...new Set(rest.map((item) => itemText(item)))];
  const place = placeOfRest(form, rest);
  if (sentences.length === 0 || place === 'list') return sentences;
  if (place === 'toast') toasts.error(sentences.join(' '));
  else
    void confirm({
      title: translate('form.refused'),
      body: sentences.join('\n\n'),
      confirmText: translate('dialogs.close'),
      hasNoCancel: true,
    });
  return [];
}

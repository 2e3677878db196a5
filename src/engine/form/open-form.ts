import { fieldsOf } from '../../../schemas/kit/form/form-fields.ts';
import { requireUser, seesBelow } from '../../kernel/session/index.ts';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { openDialog } from '../dialogs/dialogs.ts';
import { extendForm } from './form-extensions.ts';
import { loadFormOrExplain, loadRecord } from './load-form.ts';
import { startData, typedOf } from './prepare.ts';
import type { FormFile, JsonValue, SelectionInput } from '../../../schemas/kit/form/types.ts';
import type { WindowOptions } from '../dialogs/descriptor.ts';
import type { FormDialogProps } from './FormDialog.tsx';
import type { FormData } from './prepare.ts';
import type { FormTarget, FormResult } from './submit.ts';

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    form: { props: FormDialogProps; result: FormResult };
    /** The action-status dialog; registered by the jobs room. */
    'job.status': {
      props: {
        jobId: number;
        /** The job is over: loads again what it changed. Also called for a retry of it. */
        onCompleted?: () => void;
      };
      result: undefined;
    };
  }
}

export interface OpenFormOptions {
  /** The record that the form is about, as it is known; its `id` fills the path. */
  record?: Readonly<Record<string, unknown>> & { id?: number | string };
  /** The chosen devices, for forms that are sent for several. */
  ids?: readonly number[];
  selection?: SelectionInput;
  /** Values to start with, over those of the record. */
  initial?: FormData;
  intro?: string;
  /** Sends a form that can be undone, in place of the window, which closes at once. */
  sendAtOnce?: (sending: { form: FormFile; data: Record<string, JsonValue>; target: FormTarget }) => void;
  /** Takes the checked entries in place of the server: the window is for entering them only. `label` is on its button. */
  collect?: { label: string; take: (data: Record<string, JsonValue>) => void };
  /** Options of the window. */
  window?: WindowOptions;
}

/**
 * Opens a form in a dialog: loads its rules and its record first. Answers what the server said to it, `undefined` when the user left it.
 * A record that cannot be loaded is shown in a toast.
 */
export async function openForm<T = JsonValue>(formId: string, options: OpenFormOptions = {}): Promise<FormResult<T> | undefined> {
  const id = options.record?.id;
  try {
    const shipped = await loadFormOrExplain(formId);
    if (!shipped) return undefined;
    const module = await extendForm(shipped, id);
    const record = await loadRecord(module, id);
    const devices = options.selection ?? (options.ids ? { device_id: [...options.ids] } : undefined);
    const { form } = module;
    const { sendAtOnce, collect } = options;
    const target: FormTarget = { id, devices: devices ?? (id === undefined ? undefined : { device_id: [Number(id)] }) };
    const props: FormDialogProps = {
      module,
      start: startData(form, record, { ...(record || devices ? {} : ownCompany(form)), ...options.initial }),
      target,
      record,
      intro: options.intro,
      typed: typedOf(form, record),
      ...(sendAtOnce && form.submit.undo ? { sendAtOnce: (data) => sendAtOnce({ form, data, target }) } : {}),
      ...(collect ? { sendAtOnce: collect.take, submitLabel: collect.label } : {}),
    };
    const answer = await openDialog('form', props, { id: `form-${formId}-${id ?? ''}`, ...options.window });
    // The contract test holds the server to the type that the caller names.
    return answer as FormResult<T> | undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!isCancelled(error)) toasts.error(failureMessage(error));
    return undefined;
  }
}

/** The company of the user in the fields of a new record that start with it; none in a choice of parents where there is no level below. */
function ownCompany(form: FormFile): FormData {
  const fields = [...fieldsOf(form).values()].filter(({ ui }) => ui['ui:options']?.own === true);
  if (fields.length === 0) return {};
  const user = requireUser();
  const allowed = fields.filter(({ ui }) => ui['ui:options']?.lookup === 'companies' || seesBelow(user));
  return Object.fromEntries(allowed.map(({ path, schema }) => [path, schema.type === 'array' ? [user.company.id] : user.company.id]));
}

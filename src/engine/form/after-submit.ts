import { useInvalidate } from '@refinedev/core';
import { successMessage } from '../../kernel/http/index.ts';
import { hasText, textOf, translate } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import { toasts, type ToastInit } from '../../kernel/toasts/index.ts';
import { openDialog } from '../dialogs/dialogs.ts';
import { resources } from '../resources/all.ts';
import { collectionPath, recordPath } from '../resources/resource.ts';
import { itemText } from './item-text.ts';
import { jobOfChannel } from './job-channel.ts';
import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import type { DoneWord, FailureContext } from '../../kernel/http/index.ts';
import type { FormResult } from './submit.ts';

/** Loads the lists and records of these resources again. */
export function useReload(): (resources: readonly string[]) => Promise<void> {
  const invalidate = useInvalidate();
  return async (resources) => {
    await Promise.all(
      resources.map((resource) =>
        // What was on its way before the change shows the time before it.
        invalidate({ resource, invalidates: ['resourceAll'], invalidationOptions: { cancelRefetch: true } }),
      ),
    );
  };
}

/** Opens the action-status dialog of the job that an answer names; answers whether it names one. */
export function openJobOf(result: FormResult, onCompleted?: () => void): boolean {
  const id = jobOfChannel(result.meta.channel);
  if (id === undefined) return false;
  void openDialog('job.status', { jobId: id, onCompleted }, { id: `job-${id}` });
  return true;
}

/**
 * Says that it worked: the form's own words, else "{Item} created successfully" by its method. A job says it by its dialog, except where the record's page
 * is opened; `onCompleted` is called when it is over.
 */
export function showSuccess(form: FormFile, result: FormResult, onCompleted?: () => void): void {
  const { message, then } = form.submit.success;
  if (then !== 'open' && openJobOf(result, onCompleted)) return;
  if (result.errors && result.errors.length > 0) {
    const sentences = [...new Set(result.errors.map((item) => itemText(item)))];
    toasts.warning(translate('form.partly', { count: result.errors.length, problems: sentences.join(' ') }), { durationMs: Infinity });
    return;
  }
  if (message !== undefined) toasts.success(textOf(message), wayTo(form, result));
  else if (then !== 'stay') toasts.success(successMessage(WORDS[wordOf(form)], itemOf(form)), wayTo(form, result));
}

let navigate: (path: string) => void = () => undefined;

/** How pages are opened from here: messages, and forms in windows, are outside the router. */
export function setNavigate(go: (path: string) => void): void {
  navigate = go;
}

/** The resource that a form makes records of: the first that it reloads. */
const resourceOf = ({ submit }: FormFile) => resources.find(({ name }) => name === submit.success.reload?.[0]);

/** The page of the record that an answer names, where records of its kind have one that the user may see. */
function pageOf(form: FormFile, { data }: FormResult): string | undefined {
  const resource = resourceOf(form);
  if (!resource || !isMembers(data) || typeof data['id'] !== 'number') return undefined;
  return can(resource.permission.show ?? resource.permission.list) ? recordPath(resource, { ...data, id: data['id'] }) : undefined;
}

/** Opens the page of the record that a form has made, where its file says so (`then: 'open'`). */
export function openMade(form: FormFile, result: FormResult): void {
  const path = form.submit.success.then === 'open' ? pageOf(form, result) : undefined;
  if (path !== undefined) navigate(path);
}

/** The way from the message to a record that was made. */
function wayTo(form: FormFile, result: FormResult): Pick<ToastInit, 'action'> {
  const { method, path: address, success } = form.submit;
  const resource = resourceOf(form);
  if (!resource || method !== 'POST' || address !== collectionPath(resource) || success.then === 'open') return {};
  const path = pageOf(form, result);
  return path === undefined ? {} : { action: { label: translate('common.open'), run: () => navigate(path) } };
}

/** What a form does, for "Failed to {action} {item}". */
export function failureWords(form: FormFile): FailureContext {
  const item = itemOf(form);
  return item === undefined ? { fallback: translate('form.failed') } : { action: translate(`common.${wordOf(form)}`), item };
}

const WORDS = { create: 'created', update: 'updated', remove: 'removed', upload: 'uploaded' } satisfies Record<string, DoneWord>;

function wordOf({ submit }: FormFile): keyof typeof WORDS {
  if (submit.encoding === 'multipart') return 'upload';
  return submit.method === 'POST' ? 'create' : submit.method === 'PUT' ? 'update' : 'remove';
}

/** What a form is about: a record of the first resource that it changes. */
function itemOf({ submit }: FormFile): string | undefined {
  const entity = resources.find((resource) => resource.name === submit.success.reload?.[0])?.entity;
  const key = `entities.${entity ?? ''}`;
  return hasText(key) ? translate(key) : undefined;
}

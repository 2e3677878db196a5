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
import { showsItsJob } from './result-views.ts';
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
 * Says that it worked: the form's own words, else "{Item} created successfully" by its method. A job says it by its dialog, but where the form shows it itself; `onCompleted` is
 * called when it is over.
 */
export function showSuccess(form: FormFile, result: FormResult, onCompleted?: () => void): void {
  if (!showsItsJob(form.id) && openJobOf(result, onCompleted)) return;
  if (result.errors && result.errors.length > 0) {
    const sentences = [...new Set(result.errors.map((item) => itemText(item)))];
    toasts.warning(translate('form.partly', { count: result.errors.length, problems: sentences.join(' ') }), { durationMs: Infinity });
    return;
  }
  const { message, then } = form.submit.success;
  if (message !== undefined) toasts.success(textOf(message), wayTo(form, result));
  else if (then !== 'stay') toasts.success(successMessage(WORDS[wordOf(form)], itemOf(form)), wayTo(form, result));
}

let goTo: ((path: string) => void) | undefined;

/** How pages are opened from messages, which are outside the router. */
export function openRecordsBy(go: (path: string) => void): void {
  goTo = go;
}

/** The way to a record that was made, where records of its kind have a page that the user may see. */
function wayTo({ submit }: FormFile, { data }: FormResult): Pick<ToastInit, 'action'> {
  const resource = resources.find(({ name }) => name === submit.success.reload?.[0]);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  const { id } = data;
  if (!goTo || !resource || typeof id !== 'number' || submit.method !== 'POST' || submit.path !== collectionPath(resource)) return {};
  const permission = resource.permission.show ?? resource.permission.list;
  const path = recordPath(resource, { ...data, id });
  if (path === undefined || !can(permission)) return {};
  const go = goTo;
  return { action: { label: translate('common.open'), run: () => go(path) } };
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

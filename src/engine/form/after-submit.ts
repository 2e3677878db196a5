import { useInvalidate } from '@refinedev/core';
import { textOf, translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { openDialog } from '../dialogs/dialogs.ts';
import { jobOfChannel } from './job-channel.ts';
import type { FormFile } from '../../../schemas/kit/types.ts';
import type { FormResult } from './use-form-controller.ts';

/** Loads the lists and records of these resources again. */
export function useReload(): (resources: readonly string[]) => Promise<void> {
  const invalidate = useInvalidate();
  return async (resources) => {
    await Promise.all(resources.map((resource) => invalidate({ resource, invalidates: ['list', 'many', 'detail'] })));
  };
}

/** Opens the action-status dialog of the job that an answer names; answers whether it names one. */
export function openJobOf(result: FormResult): boolean {
  const id = jobOfChannel(result.meta.channel);
  if (id === undefined) return false;
  void openDialog('job.status', { jobId: id }, { id: `job-${id}` });
  return true;
}

/** Says that it worked: the form's own words, else none; a job says it by its dialog. */
export function tellSuccess(form: FormFile, result: FormResult): void {
  if (openJobOf(result)) return;
  const message = form.submit.success.message;
  if (message !== undefined) toasts.success(textOf(message));
  else if (form.submit.success.then !== 'stay') toasts.success(translate('form.done'));
}

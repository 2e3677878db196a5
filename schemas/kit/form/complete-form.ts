import type { FormFile, FormSubmit } from './types.ts';

/** A form file as it is written: forms that start a job or call a webhook name no route. */
export type WrittenForm = Omit<FormFile, 'submit'> & {
  submit: Omit<FormSubmit, 'method' | 'path'> & Partial<Pick<FormSubmit, 'method' | 'path'>>;
};

/**
 * Fills in what a form file may leave out: a form with `job` or `webhook` is sent to `POST /forms/<id>/run`, a job together with the chosen devices.
 * Pure; a form that names its route comes back as it is.
 */
export function completeForm<T extends WrittenForm>(written: T): Omit<T, 'submit'> & Pick<FormFile, 'submit'> {
  const { job, webhook, method, path } = written.submit;
  if (!job && !webhook) return { ...written, submit: { ...written.submit, method: method ?? 'POST', path: path ?? '' } };
  const payload = job ? 'devices' : (written.submit.payload ?? 'data');
  return { ...written, submit: { ...written.submit, method: 'POST', path: `/forms/${written.id}/run`, payload } };
}

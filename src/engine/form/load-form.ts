import { forms } from 'virtual:canopy-forms';
import { dataProvider } from '../data/data-provider.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { ApiError, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { loadTexts, textOf, translate } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { findAddedForm, reloadAddedForms, type AddedForm } from './added-forms.ts';
import type { FormData } from './prepare.ts';

const shipped: Readonly<Record<string, (() => Promise<FormModule>) | undefined>> = forms;

/** There is no form of this id for this user. */
export class UnknownForm extends Error {
  override name = 'UnknownForm';
}

/** The permission that a form asks for; undefined for forms that everybody, or everybody signed in, may send. */
export function permissionOf({ permission }: Pick<FormModule['form'], 'permission'>): string | undefined {
  return permission === 'public' || permission === 'signed-in' ? undefined : permission;
}

/**
 * A form with its compiled rules: one that ships, or one that was added, which comes from the server under a name that holds the hash of its
 * content. Throws UnknownForm, naming it, when there is none.
 */
export async function loadForm(id: string): Promise<FormModule> {
  const texts = loadTexts('form', 'errors', 'dialogs', `forms-${id.split('/')[0] ?? ''}`);
  const [added] = await Promise.all([findAddedForm(id), texts]);
  if (added) return loadAdded(added);
  const load = Object.hasOwn(shipped, id) ? shipped[id] : undefined;
  if (!load) throw new UnknownForm(`No form named "${id}".`);
  return madeReady(load());
}

/** The form of this id; undefined, with a message to the user, who may not use it or where it cannot be loaded. */
export async function loadFormOrExplain(id: string): Promise<FormModule | undefined> {
  try {
    const module = await loadForm(id);
    if (can(permissionOf(module.form))) return module;
    toasts.error(translate('form.no_right', { form: textOf(module.form.title) }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!isCancelled(error)) toasts.error(failureMessage(error));
  }
  return undefined;
}

/** A form by the hash of its code: one that is in use, or a text under edit that the server has just judged. */
export function importForm({ id, hash }: { id: string; hash: string }): Promise<FormModule> {
  return madeReady(import(/* @vite-ignore */ `/forms-code/${id}.${hash}.js`));
}

/** What draws a form is loaded beside the form. */
async function madeReady(loading: Promise<FormModule>): Promise<FormModule> {
  const [module, { withValidator }] = await Promise.all([loading, import('./validators.ts')]);
  return withValidator(module);
}

async function loadAdded(form: AddedForm): Promise<FormModule> {
  try {
    return await importVersion(form);
  } catch (error) {
    // Changed since the list was read: the code of the former version is gone.
    await reloadAddedForms();
    const now = await findAddedForm(form.id);
    if (!now || now.hash === form.hash) throw error;
    return importVersion(now);
  }
}

/** An added form under the number of its saved version, whatever its file says. */
async function importVersion(added: AddedForm): Promise<FormModule> {
  const { form, ...module } = await importForm(added);
  return madeReady(Promise.resolve({ ...module, form: { ...form, version: added.version } }));
}

/** The record that a form edits, from its `load` path; `undefined` for a form that loads nothing. Throws `ApiError`. */
export async function loadRecord(
  { form }: FormModule,
  id: number | string | undefined,
  signal?: AbortSignal,
): Promise<FormData | undefined> {
  if (!form.load || (id === undefined && form.load.path.includes('{id}'))) return undefined;
  const { data } = await dataProvider.custom<FormData>({
    url: form.load.path.replaceAll('{id}', encodeURIComponent(String(id ?? ''))),
    method: 'get',
    meta: { signal, survivesRouteChange: true },
  });
  return data;
}

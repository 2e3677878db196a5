import { forms } from 'virtual:canopy-forms';
import { api } from '../../kernel/http/index.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
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
  const added = await findAddedForm(id);
  if (added) return loadAdded(added);
  const load = Object.hasOwn(shipped, id) ? shipped[id] : undefined;
  if (!load) throw new UnknownForm(`No form named "${id}".`);
  return load();
}

/** A form by the hash of its code: one that is in use, or a text under edit that the server has just judged. */
export function importForm({ id, hash }: { id: string; hash: string }): Promise<FormModule> {
  return import(/* @vite-ignore */ `/forms-code/${id}.${hash}.js`);
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
  return { ...module, form: { ...form, version: added.version } };
}

/** The record that a form edits, from its `load` path; `undefined` for a form that loads nothing. Throws `ApiError`. */
export async function loadRecord(
  { form }: FormModule,
  id: number | string | undefined,
  signal?: AbortSignal,
): Promise<FormData | undefined> {
  if (!form.load || (id === undefined && form.load.path.includes('{id}'))) return undefined;
  const { data } = await api.get<FormData>(form.load.path.replaceAll('{id}', encodeURIComponent(String(id ?? ''))), {
    signal,
    survivesRouteChange: true,
  });
  return data;
}

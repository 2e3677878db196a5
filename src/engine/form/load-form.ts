import { forms } from 'virtual:canopy-forms';
import { api } from '../../kernel/http/index.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { FormData } from './prepare.ts';

const loaders: Readonly<Record<string, (() => Promise<FormModule>) | undefined>> = forms;

/** Whether there is a form of that id. */
export function isFormId(id: string): boolean {
  return Object.hasOwn(loaders, id);
}

/** A form with its compiled rules; throws, naming it, when there is none. */
export async function loadForm(id: string): Promise<FormModule> {
  const load = isFormId(id) ? loaders[id] : undefined;
  if (!load) throw new Error(`No form named "${id}".`);
  return load();
}

/** The record that a form edits, from its `load` path; `undefined` for a form that loads nothing. Throws `ApiError`. */
export async function loadRecord(
  { form }: FormModule,
  id: number | string | undefined,
  signal?: AbortSignal,
): Promise<FormData | undefined> {
  if (!form.load || id === undefined) return undefined;
  const { data } = await api.get<FormData>(form.load.path.replaceAll('{id}', encodeURIComponent(String(id))), {
    signal,
    survivesRouteChange: true,
  });
  return data;
}

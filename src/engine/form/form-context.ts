import { createContext, use, useCallback, useMemo, useSyncExternalStore } from 'react';
import { lookupParams } from './lookup.ts';
import type { ErrorItem, JsonValue, LookupEntry } from '../../../schemas/kit/types.ts';
import type { FormModel } from './model.ts';

export interface FormContextValue {
  model: FormModel;
  /** Element ids of this form's fields start with it. */
  idPrefix: string;
}

/** What of a form is drawn now. */
export interface Shown {
  fields: ReadonlySet<string>;
  alerts: ReadonlySet<string>;
}
export const ShownContext = createContext<Shown>({ fields: new Set(), alerts: new Set() });

export const FormContext = createContext<FormContextValue | undefined>(undefined);

/** The form around; throws outside of one. */
export function useForm(): FormContextValue {
  const form = use(FormContext);
  if (!form) throw new Error('A form field stands outside of a form.');
  return form;
}

function useField<T>(path: string, read: (model: FormModel) => T): T {
  const { model } = useForm();
  const subscribe = useCallback((listener: () => void) => model.subscribeField(path, listener), [model, path]);
  return useSyncExternalStore(subscribe, () => read(model));
}

/** One field's value; renders again only when it changes. */
export function useFieldValue(path: string): JsonValue | undefined {
  return useField(path, (model) => model.field(path).value);
}

/** What is wrong with one field or group: what the server says, then what our rules say. Renders again only when that changes. */
export function useFieldErrors(path: string): readonly ErrorItem[] {
  const client = useField(path, (model) => model.field(path).client);
  const server = useField(path, (model) => model.field(path).server);
  return useMemo(() => (server.length === 0 ? client : [...server, ...client]), [client, server]);
}

/** The filled query parameters of a lookup; renders again only when one of the fields they name changes. */
export function useLookupParams(entry: LookupEntry, params: Record<string, string> | undefined): Record<string, string> {
  const { model } = useForm();
  const read = () => JSON.stringify(lookupParams(entry, params, model.data()));
  const key = useSyncExternalStore(model.subscribe, read);
  // The key stands for the values that were read.
  return useMemo(() => (key ? lookupParams(entry, params, model.data()) : {}), [key, entry, params, model]);
}

import { createContext, use, useCallback, useMemo, useSyncExternalStore } from 'react';
import { lookupParams } from './lookup.ts';
import type { LookupEntry } from '../../../schemas/kit/types.ts';
import type { ControlAttributes } from '../../ui/fields/FieldFrame.tsx';
import type { FieldState, FormModel } from './model.ts';

export interface FormContextValue {
  model: FormModel;
  /** Element ids of this form's fields start with it. */
  idPrefix: string;
}

export const FormContext = createContext<FormContextValue | undefined>(undefined);

/** What the frame of a field hands to the control inside it. */
export interface FieldContextValue {
  name: string;
  label: string;
  control: ControlAttributes;
}
export const FieldContext = createContext<FieldContextValue | undefined>(undefined);

/** The form around; throws outside of one. */
export function useForm(): FormContextValue {
  const form = use(FormContext);
  if (!form) throw new Error('A form field stands outside of a form.');
  return form;
}

/** One field's state; renders again only when that field changes. */
export function useFieldState(name: string): FieldState {
  const { model } = useForm();
  const subscribe = useCallback((listener: () => void) => model.subscribeField(name, listener), [model, name]);
  return useSyncExternalStore(subscribe, () => model.field(name));
}

/** The filled query parameters of a lookup; renders again only when one of the fields they name changes. */
export function useLookupParams(entry: LookupEntry, params: Record<string, string> | undefined): Record<string, string> {
  const { model } = useForm();
  const read = () => JSON.stringify(lookupParams(entry, params, model.data()));
  const key = useSyncExternalStore(model.subscribe, read);
  // The key stands for the values that were read.
  return useMemo(() => (key ? lookupParams(entry, params, model.data()) : {}), [key, entry, params, model]);
}

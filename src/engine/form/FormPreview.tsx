import { createElement, lazy, Suspense, useDeferredValue, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { FormController } from './use-form-controller.ts';
import type { FormData } from './prepare.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** Shown below the fields of a form: what becomes of the entries, as they are typed, or what else they may be made of. */
export interface FormPreviewProps {
  formId: string;
  /** The record that the form edits. */
  id: string | number | undefined;
  /** The devices that the form acts on, where they were chosen one by one. */
  devices?: readonly number[] | undefined;
  data: FormData;
  /** Enters a value into a field of the form, whole. */
  setValue: (field: string, value: JsonValue) => void;
}

const previews = new Map<string, ComponentType<FormPreviewProps>>();

/** Registers what a form shows below its fields while it is filled in. */
export function registerFormPreview(formId: string, load: () => Promise<{ default: ComponentType<FormPreviewProps> }>): void {
  previews.set(formId, lazy(load));
}

/** The preview of a form, if its room has one. */
export function FormPreview({ controller: { model, target } }: { controller: FormController }): ReactNode {
  const data = useDeferredValue(useSyncExternalStore(model.subscribe, model.data));
  const preview = previews.get(model.module.form.id);
  return preview ? (
    <Suspense fallback={null}>
      {createElement(preview, {
        formId: model.module.form.id,
        id: target.id,
        devices: target.devices?.device_id,
        data,
        setValue: (field, value) => model.setValue([field], value, true),
      })}
    </Suspense>
  ) : null;
}

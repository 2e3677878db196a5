import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { FormResult } from './use-form-controller.ts';

/** Shown in place of a form after its success, such as a secret that is told once. */
export interface ResultViewProps {
  result: FormResult;
  close: () => void;
}

const views = new Map<string, ComponentType<ResultViewProps>>();

/** Registers what a form shows after its success. */
export function registerResultView(formId: string, load: () => Promise<{ default: ComponentType<ResultViewProps> }>): void {
  views.set(formId, lazy(load));
}

/** The result view of a form, if it has one. */
export function findResultView(formId: string): ComponentType<ResultViewProps> | undefined {
  return views.get(formId);
}

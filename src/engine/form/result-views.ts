import { createElement, lazy } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { FormResult } from './submit.ts';

/** Shown in place of a form after its success, such as a secret that is shown once. */
export interface ResultViewProps {
  result: FormResult;
  close: () => void;
}

const views = new Map<string, ComponentType<ResultViewProps>>();

/** Registers what a form shows after its success. */
export function registerResultView(formId: string, load: () => Promise<{ default: ComponentType<ResultViewProps> }>): void {
  views.set(formId, lazy(load));
}

/** Whether a form has something to show after its success. */
export function hasResultView(formId: string): boolean {
  return views.has(formId);
}

/** What a form shows after its success. */
export function renderResult(formId: string, props: ResultViewProps): ReactNode {
  const view = views.get(formId);
  return view ? createElement(view, props) : null;
}

import { textOf, translate } from '../../kernel/i18n/index.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import type { FormData } from './prepare.ts';

type Words = (data: FormData) => Record<string, string | number>;

const words = new Map<string, Words>();

/** Registers what the question before a form is sent says of the form's data: `{count}` in its text. */
export function registerConfirmWords(formId: string, wordsOf: Words): void {
  words.set(formId, wordsOf);
}

/** Whether the question states amounts: such a question is always asked. */
export function saysAmounts(formId: string): boolean {
  return words.has(formId);
}

/** The question before a form is sent; empty for a form that asks nothing. */
export function confirmText({ id, submit: { confirm } }: FormFile, data: FormData): string {
  return typeof confirm === 'string' ? translate(confirm, words.get(id)?.(data)) : textOf(confirm);
}

import { failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { isPromptOn, turnPromptOff } from '../../kernel/settings/reminders.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { newDialogId, openDialog } from './dialogs.ts';
import type { QuestionModal, WindowOptions } from './descriptor.ts';
import type { DialogName, DialogResultOf, DialogPropsOf } from './registry.ts';

/**
 * Opens a window by its descriptor: a registered component or a question. Answers what it was closed with; `undefined`, or `false`
 * with `useCancelResolve`, when it was cancelled. Confirming a question answers its `returnValue`, else the descriptor with what was entered:
 * `input.value`, and the choice in `props` under `selectionKey`. A question that the user has turned off counts as confirmed.
 */
export function openModal<N extends DialogName>(modal: ComponentModal<N>): Promise<DialogResultOf<N> | false | undefined>;
export function openModal<R>(modal: QuestionModal<R>): Promise<R | QuestionModal<R> | false | undefined>;
export async function openModal(modal: ComponentModal<DialogName> | QuestionModal): Promise<unknown> {
  const answer = await answerOf(modal);
  return answer === undefined && modal.useCancelResolve ? false : answer;
}

async function answerOf(modal: ComponentModal<DialogName> | QuestionModal): Promise<unknown> {
  return 'component' in modal ? openDialog(modal.component, modal.props, modal) : ask(modal);
}

async function ask(question: QuestionModal): Promise<unknown> {
  const { reminderKey, title, input, selectBox, selectionKey = 'selection', props, returnValue } = question;
  if (reminderKey !== undefined && !isPromptOn(reminderKey)) return returnValue ?? question;
  const answer = await openDialog('question', question, { id: newDialogId('question'), prompt: true, ...question });
  if (!answer) return undefined;
  if (answer.isLast && reminderKey !== undefined) {
    // What was confirmed goes on either way.
    turnPromptOff(reminderKey, title).catch((error: unknown) =>
      toasts.error(failureMessage(error, { fallback: translate('dialogs.not_kept') })),
    );
  }
  return (
    returnValue ?? {
      ...question,
      input: input && { ...input, value: answer.text ?? '' },
      props: selectBox ? { ...props, [selectionKey]: answer.selection } : props,
    }
  );
}

/** Asks a yes-or-no question; `true` only when it was confirmed. */
export async function confirm(question: Omit<QuestionModal<true>, 'returnValue'>): Promise<boolean> {
  return (await openModal({ ...question, returnValue: true as const })) === true;
}

/** Asks for one line of text, trimmed and never empty; `undefined` when cancelled. */
export async function prompt(
  question: Omit<QuestionModal, 'returnValue'> & Required<Pick<QuestionModal, 'input'>>,
): Promise<string | undefined> {
  const answer = await openModal<undefined>(question);
  return answer ? answer.input?.value : undefined;
}

export interface ComponentModal<N extends DialogName> extends WindowOptions {
  component: N;
  props: DialogPropsOf<N>;
}

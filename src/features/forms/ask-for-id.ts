import { NEW_FORM_KINDS, isNewFormKind, type NewFormKind } from '../../../schemas/kit/form/new-form.ts';
import { openModal, type QuestionModal } from '../../engine/dialogs/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { isFormId, type FormSummary } from './studio-api.ts';

type Named = Pick<FormSummary, 'id'>;

/** Asks for the id of a new form until it is one that none of `taken` has; `undefined` when the user gave up. */
export async function askForId(title: string, taken: readonly Named[]): Promise<string | undefined> {
  return (await ask({ title }, taken))?.id;
}

/** Asks for the id of a new form and for what it does; `undefined` when the user gave up. */
export async function askForNewForm(taken: readonly Named[]): Promise<{ id: string; kind: NewFormKind } | undefined> {
  const answer = await ask(
    {
      title: translate('studio.new'),
      selectBox: {
        label: translate('studio.does'),
        // Chosen already, so that the way on is never closed without a word.
        value: NEW_FORM_KINDS[0],
        choices: NEW_FORM_KINDS.map((kind) => ({ value: kind, label: translate(`studio.does.${kind}`) })),
      },
    },
    taken,
  );
  return answer && isNewFormKind(answer.selection) ? { id: answer.id, kind: answer.selection } : undefined;
}

async function ask(question: QuestionModal<undefined>, taken: readonly Named[]): Promise<{ id: string; selection: unknown } | undefined> {
  let { selectBox } = question;
  let hint = translate('studio.id_hint');
  for (let value = ''; ;) {
    const answer = await openModal<undefined>({
      ...question,
      selectBox,
      input: { label: translate('studio.id'), hint, value, maxLength: 129 },
      confirmText: translate('studio.go_on'),
    });
    if (!answer) return undefined;
    value = answer.input?.value ?? '';
    const selection = answer.props?.['selection'];
    // What was chosen is kept when the id is asked for again.
    if (selectBox && isNewFormKind(selection)) selectBox = { ...selectBox, value: selection };
    if (!isFormId(value)) hint = translate('studio.id_wrong');
    else if (taken.some((form) => form.id === value)) hint = translate('studio.id_taken', { id: value });
    else return { id: value, selection };
  }
}

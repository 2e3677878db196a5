import { prompt } from '../../engine/dialogs/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { isFormId, type FormSummary } from './studio-api.ts';

/** Asks for the id of a new form until it is one that none of `taken` has; `undefined` when the user gave up. */
export async function askForId(title: string, taken: readonly Pick<FormSummary, 'id'>[]): Promise<string | undefined> {
  let id: string | undefined = '';
  let hint = translate('studio.id_hint');
  for (;;) {
    id = await prompt({
      title,
      input: { label: translate('studio.id'), hint, value: id, maxLength: 129 },
      confirmText: translate('studio.go_on'),
    });
    if (id === undefined) return undefined;
    const wanted = id;
    if (!isFormId(wanted)) hint = translate('studio.id_wrong');
    else if (taken.some((form) => form.id === wanted)) hint = translate('studio.id_taken', { id: wanted });
    else return wanted;
  }
}

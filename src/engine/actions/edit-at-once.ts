import { failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { textOf, translate } from '../../kernel/i18n/index.ts';
import { onSessionLost } from '../../kernel/session/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import type { FormFile, JsonValue } from '../../../schemas/kit/form/types.ts';
import { dataProvider } from '../data/data-provider.ts';
import { failureWords, itemText, keepOnLeave, requestOf, sendForm, withoutSecrets } from '../form/index.ts';
import type { FormTarget } from '../form/index.ts';
import { showEdit } from '../live/edits.ts';
import type { Patches } from '../live/edits.ts';
import type { Row } from '../resources/resource.ts';

/** What a form changes in a record that is on screen; nothing where only the server can know. */
export type EditPatch = (row: Row, data: Readonly<Record<string, JsonValue>>) => Readonly<Record<string, unknown>> | undefined;

/** How long Undo is offered; docs/checks.md T11 asks for 8 s at least. */
const UNDO_MS = 10_000;

const patches = new Map<string, EditPatch>();

/** Says what a form changes in a record, where its fields are not the record's own. */
export function registerEditPatch(formId: string, patch: EditPatch): void {
  patches.set(formId, patch);
}

/** What a toast says was done, with the names of what was chosen; undefined where the form's own words say it. */
export type DoneWords = (data: Readonly<Record<string, JsonValue>>, count: number) => Promise<string | undefined>;

const doneWords = new Map<string, DoneWords>();

/** Registers what is said after a form was sent at once. */
export function registerDoneWords(formId: string, wordsOf: DoneWords): void {
  doneWords.set(formId, wordsOf);
}

/** The words of the form's room, else those of the form. Names that cannot be read are left out. */
async function wordsAfter({ form, data, target, rows }: EditAtOnce): Promise<string> {
  const { message } = form.submit.success;
  const devices = target.devices;
  const count = devices?.selection?.count ?? devices?.device_id?.length ?? rows.length;
  const own = await doneWords
    .get(form.id)?.(data, count)
    .catch(() => undefined);
  return own ?? (message === undefined ? translate('table.changed') : textOf(message));
}

const ownFields: EditPatch = (row, data) => Object.fromEntries(Object.entries(data).filter(([name]) => name in row));

export interface EditAtOnce {
  form: FormFile;
  data: Record<string, JsonValue>;
  target: FormTarget;
  /** The list that the records are of. */
  resource: string;
  /** Those that are on screen. */
  rows: readonly Row[];
  reload: () => void;
  /** Opens the form again with what was entered. */
  reopen: () => void;
}

/**
 * Sends a form in the background: its records are shown changed at once, and again as they were when the server refuses, with the reason and the way
 * back to what was entered. Then it can be undone as a whole.
 */
export async function editAtOnce(edit: EditAtOnce): Promise<void> {
  const { form, data, target, resource, rows, reload } = edit;
  const shown = showEdit(resource, patchesFor(form.id, rows, data));
  const stopKeeping = onSessionLost(() =>
    keepOnLeave(() => ({ formId: form.id, title: form.title, target, isWindow: true, data: withoutSecrets(data, form.ui) })),
  );
  try {
    const answer = await sendForm(requestOf(form, data, target));
    shown.settle();
    const problems = answer.errors ?? [];
    const undo = once(() => void takeBack(edit, answer.requestId ?? ''));
    const action = { label: translate('table.undo'), run: undo };
    if (problems.length > 0) toasts.warning(partly(problems), { durationMs: Infinity, action });
    else toasts.success(await wordsAfter(edit), { durationMs: UNDO_MS, action });
  } catch (error) {
    shown.drop();
    if (!isCancelled(error))
      toasts.error(failureMessage(error, failureWords(form)), { action: { label: translate('table.editAgain'), run: edit.reopen } });
  } finally {
    stopKeeping();
  }
  reload();
}

async function takeBack({ resource, rows, form, data, reload }: EditAtOnce, requestId: string): Promise<void> {
  const changed = patchesFor(form.id, rows, data);
  const former = new Map(
    rows.map((row) => [row.id, Object.fromEntries(Object.keys(changed.get(row.id) ?? {}).map((name) => [name, row[name]]))]),
  );
  const shown = showEdit(resource, former);
  try {
    const answer = await dataProvider.custom({ url: '/history/undo', method: 'post', payload: { request_id: requestId } });
    shown.settle();
    const problems = answer.errors ?? [];
    if (problems.length > 0) toasts.warning(partly(problems), { durationMs: Infinity });
    else toasts.success(translate('table.undone'));
  } catch (error) {
    shown.drop();
    if (!isCancelled(error)) toasts.error(failureMessage(error));
  }
  reload();
}

function patchesFor(formId: string, rows: readonly Row[], data: EditAtOnce['data']): Patches {
  const patch = patches.get(formId) ?? ownFields;
  return new Map(rows.flatMap((row) => [[row.id, patch(row, data) ?? {}] as const]));
}

function partly(items: Parameters<typeof itemText>[0][]): string {
  const sentences = [...new Set(items.map((item) => itemText(item)))];
  return translate('form.partly', { count: items.length, problems: sentences.join(' ') });
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

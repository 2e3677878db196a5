import { fieldsOf, valueAt } from '../../../schemas/kit/form/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { ApiError, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { loadRecord } from './load-form.ts';
import { isSameData, startData, type FormData } from './prepare.ts';
import type { FormField } from '../../../schemas/kit/form/form-fields.ts';
import type { ErrorItem, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { FormModel } from './model-types.ts';
import type { FormTarget } from './submit.ts';

const LONGEST_SHOWN = 60;

/** What has become of a record since its form was opened. */
export interface MergedRecord {
  /** As it is now. */
  record: FormData;
  /** One for each field that was edited here and elsewhere. */
  items: ErrorItem[];
}

/**
 * Reads the record of a form that changes it once more, before the form is sent. A field that was changed elsewhere and not here takes that, so that
 * sending does not put the former value back; one that was changed on both sides is told. `undefined` where nothing was changed elsewhere, and where
 * the record cannot be read: the answer to sending says why.
 */
export async function mergeRecord(model: FormModel, known: FormData | undefined, target: FormTarget): Promise<MergedRecord | undefined> {
  const { module } = model;
  const { form } = module;
  if (!known || form.submit.method !== 'PUT' || form.load?.path.includes('{id}') !== true) return undefined;
  let record: FormData | undefined;
  try {
    record = await loadRecord(module, target.id);
  } catch (error) {
    if (!(error instanceof ApiError) || isCancelled(error)) throw error;
  }
  if (!record) return undefined;
  const [before, now] = [startData(form, known), startData(form, record)];
  const changed = [...fieldsOf(form).values()].filter(
    ({ path, isGroup }) => !isGroup && !isSameData(valueAt(before, path), valueAt(now, path)),
  );
  if (changed.length === 0) return undefined;
  const items: ErrorItem[] = [];
  for (const field of changed) {
    const path = field.path.split('.');
    const [mine, theirs] = [model.valueAt(path), valueAt(now, field.path)];
    if (isSameData(mine, theirs)) continue;
    if (isSameEntry(mine, valueAt(before, field.path))) model.setValue(path, theirs, true);
    else items.push({ code: 'CHANGED_MEANWHILE', source: field.path, message: changedMessage(field, theirs) });
  }
  return { record, items };
}

/** An emptied field and one that was never filled in are the same entry. */
function isSameEntry(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const plain = (value: JsonValue | undefined): JsonValue | undefined => (value === '' ? undefined : value);
  return isSameData(plain(one), plain(other));
}

function changedMessage({ schema, ui }: FormField, theirs: JsonValue | undefined): string {
  const isShown =
    (typeof theirs === 'number' || (typeof theirs === 'string' && theirs !== '' && theirs.length <= LONGEST_SHOWN)) &&
    ['text', 'textarea', 'number'].includes(widgetOf(schema, ui));
  return isShown ? translate('form.changed_meanwhile_to', { value: String(theirs) }) : translate('form.changed_meanwhile');
}

import { englishText } from '../../../schemas/kit/messages.ts';
import { findFieldKind } from './kinds.ts';
import { widgetOf } from './prepare.ts';
import type { ErrorItem, FormFile } from '../../../schemas/kit/types.ts';
import type { FormData } from './prepare.ts';

/** What the kinds of the fields find wrong with the entries, beyond what the form's schema says: one item a field at most. Pure. */
export function checkEntries(form: FormFile, data: FormData, fields: readonly string[]): ErrorItem[] {
  return fields.flatMap((name): ErrorItem[] => {
    const property = form.schema.properties[name] ?? {};
    const ui = form.ui?.[name] ?? {};
    const value = data[name];
    const fault = value === undefined ? undefined : findFieldKind(widgetOf(property, ui))?.check?.(value, { property, ui });
    if (!fault) return [];
    const { key, params } = fault;
    return [{ code: 'INVALID_FIELD', message: englishText(key, params), source: name, params: { ...params, key } }];
  });
}

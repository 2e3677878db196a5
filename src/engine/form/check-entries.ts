import { checkForm } from '../../../schemas/kit/form-validator.ts';
import { englishText } from '../../../schemas/kit/messages.ts';
import { findFieldKind } from './kinds.ts';
import { widgetOf } from './prepare.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { ErrorItem, FormFile } from '../../../schemas/kit/types.ts';
import type { FormData } from './prepare.ts';

/** What the kinds of the fields find wrong with the entries, beyond what a schema can say: one item a field at most. */
function kindFaults(form: FormFile, data: FormData, fields: readonly string[]): ErrorItem[] {
  return fields.flatMap((path): ErrorItem[] => {
    const property = form.schema.properties[path] ?? {};
    const ui = form.ui?.[path] ?? {};
    const value = data[path];
    const fault = value === undefined ? undefined : findFieldKind(widgetOf(property, ui))?.check?.(value, { property, ui });
    if (!fault) return [];
    const { key, params } = fault;
    return [{ code: 'INVALID_FIELD', message: englishText(key, params), source: path, params: { ...params, key } }];
  });
}

/** Checks a form's data by its schema (`checkForm`) and by the kinds of its fields, whose word on a field is the only one said. */
export function checkEntries(module: FormModule, data: FormData, fields: readonly string[]): ErrorItem[] {
  const faults = kindFaults(module.form, data, fields);
  const decided = faults.map(({ source }) => source ?? '');
  const isOpen = ({ source = '' }: ErrorItem) => !decided.some((path) => source === path || source.startsWith(`${path}.`));
  return [...faults, ...checkForm(module, data, fields).filter(isOpen)];
}

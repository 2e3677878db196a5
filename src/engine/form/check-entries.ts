import { fieldsOf, valueAt } from '../../../schemas/kit/form-fields.ts';
import { checkForm } from '../../../schemas/kit/form-validator.ts';
import { englishText } from '../../../schemas/kit/messages.ts';
import { findFieldKind } from './kinds.ts';
import { widgetOf } from './prepare.ts';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';
import type { ErrorItem, FormFile } from '../../../schemas/kit/types.ts';
import type { FormData } from './prepare.ts';

/** What the kinds of the fields find wrong with the entries, beyond what a schema can say: one item a field at most. */
function kindFaults(form: FormFile, data: FormData, paths: readonly string[]): ErrorItem[] {
  const fields = fieldsOf(form);
  return paths.flatMap((path): ErrorItem[] => {
    const { schema: property = {}, ui = {}, isGroup = false } = fields.get(path) ?? {};
    const check = isGroup ? undefined : findFieldKind(widgetOf(property, ui))?.check;
    const value = check && valueAt(data, path);
    const fault = value === undefined ? undefined : check?.(value, { property, ui });
    if (!fault) return [];
    const { key, params } = fault;
    return [{ code: 'INVALID_FIELD', message: englishText(key, params), source: path, params: { ...params, key } }];
  });
}

/** Checks a form's data by its schema (`checkForm`) and by the kinds of its fields, whose word on a field is the only one said. */
export function checkEntries(module: FormModule, data: FormData, paths: readonly string[]): ErrorItem[] {
  const faults = kindFaults(module.form, data, paths);
  const decided = faults.map(({ source }) => source ?? '');
  const isOpen = ({ source = '' }: ErrorItem) => !decided.some((path) => source === path || source.startsWith(`${path}.`));
  return [...faults, ...checkForm(module, data, paths).filter(isOpen)];
}

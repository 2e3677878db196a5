import { faultItem, sayFirst } from '../../../schemas/kit/form/entry-faults.ts';
import { fieldsOf, valueAt } from '../../../schemas/kit/form/form-fields.ts';
import { checkForm } from '../../../schemas/kit/form/form-validator.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { findWidget } from './theme/widgets.ts';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { ErrorItem, FormFile, JsonValue } from '../../../schemas/kit/form/types.ts';

/** What only this page can find wrong, such as the size of a file that was not sent yet: one item a field at most. */
function kindFaults(form: FormFile, data: JsonValue | undefined, paths: readonly string[]): ErrorItem[] {
  const fields = fieldsOf(form);
  return paths.flatMap((path): ErrorItem[] => {
    const { schema: property = {}, ui = {}, isGroup = false } = fields.get(path) ?? {};
    const check = isGroup ? undefined : findWidget(widgetOf(property, ui))?.check;
    const value = check && valueAt(data, path);
    const fault = value === undefined ? undefined : check?.(value, { property, ui });
    return fault ? [faultItem(path, fault)] : [];
  });
}

/** Checks a form's data by the rules that the server has too (`checkForm`) and by the kinds of its fields, whose word on a field is the only one said. */
export function checkEntries(module: FormModule, data: JsonValue | undefined, paths: readonly string[]): ErrorItem[] {
  return sayFirst(kindFaults(module.form, data, paths), checkForm(module, data, paths));
}

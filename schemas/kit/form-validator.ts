import { withEntryFaults } from './entry-faults.ts';
import { fieldAt } from './form-fields.ts';
import type { ErrorItem, FormFile, JsonSchema } from './types.ts';
import { itemsFromErrors } from './validation-items.ts';
import type { RawError } from './validation-items.ts';

/** A validator as Ajv compiles it. */
export interface CompiledValidator {
  (data: unknown): boolean;
  errors?: RawError[] | null;
}

/** What a compiled form's module exports; `virtual:canopy-forms` answers this. */
export interface FormModule {
  form: FormFile;
  /** `fieldsSchema(form)`. */
  schema: JsonSchema;
  validate: CompiledValidator;
}

/**
 * Checks a form's data in the browser with the rules that the server enforces. Pass the data of `visibleSchema`, and its `fields`, so that
 * a field that this person cannot see is not asked for. Answers the same items as the server; none when the data is right.
 */
export function checkForm(
  { form, schema, validate }: Pick<FormModule, 'form' | 'schema' | 'validate'>,
  data: unknown,
  visible: readonly string[],
): ErrorItem[] {
  const shown = new Set(visible);
  const items = (validate(data) ? [] : itemsFromErrors(validate.errors, schema, data)).filter(({ source }) => {
    if (source === undefined) return true;
    return shown.has(fieldAt(form, source)?.path ?? source.split('.')[0] ?? '');
  });
  return withEntryFaults(form, data, items);
}

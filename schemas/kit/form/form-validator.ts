import { dataFaults } from './data-faults.ts';
import { withEntryFaults } from './entry-faults.ts';
import { fieldAt } from './form-fields.ts';
import type { LinearPattern } from '../patterns/compile-pattern.ts';
import type { ErrorItem, FormFile, JsonSchema } from './types.ts';
import { itemsFromErrors } from './validation-items.ts';
import type { RawError } from './validation-items.ts';

/** A validator as Ajv compiles it. */
export interface CompiledValidator {
  (data: unknown): boolean;
  errors?: RawError[] | null;
}

/** What a compiled form's module exports; `virtual:canopy-forms` and `/forms-code/<id>.<hash>.js` answer this. */
export interface FormModule {
  form: FormFile;
  /** `fieldsSchema(form)`. */
  schema: JsonSchema;
  validate: CompiledValidator;
  /**
   * Validators of the parts of `form.schema` that rjsf asks about while it draws (branches of `oneOf`, `anyOf`, `if`, `dependencies`), by
   * `hashForSchema`. Empty for a form without such a choice.
   */
  parts: Readonly<Record<string, CompiledValidator>>;
  /** rjsf may also ask about parts that are not in `parts`, as recursive types are unfolded with the data: an interpreter has to answer those. */
  hasOpenParts: boolean;
  /** Of a form that people wrote, where it has patterns: gives it the engine that they run on, before it judges anything. */
  usePatterns?: (compile: (source: string) => LinearPattern) => void;
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
  const unfit = dataFaults(data);
  if (unfit.length > 0) return unfit;
  const shown = new Set(visible);
  const items = (validate(data) ? [] : itemsFromErrors(validate.errors, schema, data)).filter(({ source }) => {
    if (source === undefined) return true;
    const field = fieldAt(form, source);
    return !field || shown.has(field.path);
  });
  return withEntryFaults(form, data, items);
}

import { JUNK_OPTION_ID } from '@rjsf/utils/lib/constants.js';
import hashForSchema from '@rjsf/utils/lib/hashForSchema.js';
import processRawValidationErrors from '@rjsf/validator-ajv8/lib/processRawValidationErrors.js';
import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import type { CompiledValidator, FormModule } from './form-validator.ts';
import type { JsonSchema } from './types.ts';
import { loadPatterns } from '../patterns/load-patterns.ts';
import { itemsFromErrors } from './validation-items.ts';

type Interpret = (part: JsonSchema, data: unknown, root: JsonSchema) => boolean;
export type FormParts = Pick<FormModule, 'schema' | 'validate' | 'parts' | 'hasOpenParts' | 'usePatterns'>;

async function loadInterpreter(): Promise<Interpret> {
  const { interpretPart } = await import('./interpret-part.ts');
  return interpretPart;
}

/**
 * What rjsf asks about a form's data, answered by functions that were compiled ahead of time: no code is made in the browser. What unfolds only with
 * the data (recursive types) is interpreted. The texts of errors are ours; the verdict of what is sent is `checkForm`'s.
 */
export async function validatorOf({ schema, validate, parts, hasOpenParts, usePatterns }: FormParts): Promise<ValidatorType> {
  if (usePatterns) usePatterns(await loadPatterns());
  const interpret = hasOpenParts ? await loadInterpreter() : undefined;
  const known = new WeakMap<object, CompiledValidator | 'none'>();
  const find = (part: RJSFSchema): CompiledValidator | 'none' => {
    const before = known.get(part);
    if (before) return before;
    const found = parts[part.$id ?? ''] ?? parts[hashForSchema(part)] ?? 'none';
    known.set(part, found);
    return found;
  };
  const errorsOf = (data: unknown) =>
    validate(data)
      ? []
      : (validate.errors ?? []).map((error) => ({ ...error, message: itemsFromErrors([error], schema, data)[0]?.message ?? '' }));
  const validator: ValidatorType = {
    isValid(part, data, root) {
      if (part.$id === JUNK_OPTION_ID) return false;
      const check = find(part);
      return check === 'none' ? (interpret?.(part as JsonSchema, data, root as JsonSchema) ?? false) : check(data);
    },
    rawValidation(_schema, data) {
      const errors = errorsOf(data);
      return errors.length > 0 ? { errors: errors as never[] } : {};
    },
    validateFormData(data, part, customValidate, transformErrors, uiSchema) {
      return processRawValidationErrors(
        validator,
        { errors: errorsOf(data) as never[] },
        data,
        part,
        customValidate,
        transformErrors,
        uiSchema,
      );
    },
  };
  return validator;
}

import { hashForSchema } from '@rjsf/utils';
import type { ValidatorType } from '@rjsf/utils';
import type { FormModule } from '../../../schemas/kit/form-validator.ts';

/**
 * What @rjsf needs of a validator while it only draws: which branch of an `anyOf`/`oneOf` inside a field the data fits, by the
 * validators compiled ahead. Errors are the model's, by the same compiled rules, so it has none to tell.
 */
export function makeRjsfValidator({ validators }: FormModule): ValidatorType {
  return {
    isValid: (schema, data) => validators[hashForSchema(schema)]?.(data) ?? true,
    rawValidation: () => ({}),
    validateFormData: () => ({ errors: [], errorSchema: {} }),
  };
}

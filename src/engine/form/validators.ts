import { validatorOf } from '../../../schemas/kit/form/form-parts.ts';
import type { ValidatorType } from '@rjsf/utils';
import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';

const validators = new WeakMap<FormModule['validate'], ValidatorType>();

/** Makes what rjsf asks of a form's data while it draws answerable; resolves with the form. */
export async function withValidator(module: FormModule): Promise<FormModule> {
  if (!validators.has(module.validate)) validators.set(module.validate, await validatorOf(module));
  return module;
}

/** What rjsf asks of a form's data; throws, naming the form, when it was not loaded by `withValidator`. */
export function validatorFor(module: FormModule): ValidatorType {
  const validator = validators.get(module.validate);
  if (!validator) throw new Error(`The form "${module.form.id}" was not made ready to be drawn.`);
  return validator;
}

import { compileForm } from '../../../schemas/kit/codegen/compile-form.ts';
import { bodySchemaOf } from '../../kernel/form-route.ts';
import type { CompiledForm } from './catalogue.ts';
import { shippedForms } from './present.ts';

let ready: ReadonlyMap<string, CompiledForm> | undefined;

/** The forms that ship and start a device job, by id, ready to be sent as added ones are. They are compiled once. */
export function shippedJobForms(): ReadonlyMap<string, CompiledForm> {
  ready ??= compileJobForms();
  return ready;
}

function compileJobForms(): ReadonlyMap<string, CompiledForm> {
  const forms = Object.values(shippedForms()).filter((form) => form.submit.job !== undefined);
  return new Map(
    forms.map((form) => [
      form.id,
      { form, code: '', hash: '', version: { number: form.version ?? 1 }, check: compileForm(form, bodySchemaOf(form)) },
    ]),
  );
}

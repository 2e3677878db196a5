import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';

/** Gives a form fields that follow from the record that it edits. */
export type FormExtension = (module: FormModule, recordId: number | string) => Promise<FormModule>;

const extensions = new Map<string, FormExtension>();

/** Registers what extends the form of an id wherever it is opened for a record. */
export function registerFormExtension(formId: string, extend: FormExtension): void {
  extensions.set(formId, extend);
}

/** The form as it is for a record; throws `ApiError` where that cannot be read. */
export async function extendForm(module: FormModule, recordId: number | string | undefined): Promise<FormModule> {
  const extend = extensions.get(module.form.id);
  return extend && recordId !== undefined ? extend(module, recordId) : module;
}

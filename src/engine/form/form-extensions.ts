import type { FormModule } from '../../../schemas/kit/form/form-validator.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';

/** Gives a form fields that follow from the record that it edits. */
export type FormExtension = (module: FormModule, recordId: number | string) => Promise<FormModule>;

/** Gives a form fields that follow from the value of one of its fields; answers the form itself where nothing follows. */
export interface FollowingExtension {
  /** The path of that field. */
  field: string;
  extend: (module: FormModule, value: JsonValue | undefined) => Promise<FormModule>;
}

const extensions = new Map<string, FormExtension>();
const following = new Map<string, FollowingExtension>();

/** Registers what extends the form of an id wherever it is opened for a record. */
export function registerFormExtension(formId: string, extend: FormExtension): void {
  extensions.set(formId, extend);
}

/** Registers what extends the form of an id by what is entered in one of its fields, also while it is filled in. */
export function registerFollowingExtension(formId: string, extension: FollowingExtension): void {
  following.set(formId, extension);
}

export const findFollowing = (formId: string): FollowingExtension | undefined => following.get(formId);

/** The form as it is for a record; throws `ApiError` where that cannot be read. */
export async function extendForm(module: FormModule, recordId: number | string | undefined): Promise<FormModule> {
  const extend = extensions.get(module.form.id);
  return extend && recordId !== undefined ? extend(module, recordId) : module;
}

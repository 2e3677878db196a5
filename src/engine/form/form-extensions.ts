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

/** What other fields hold as long as nobody enters something else, by the value of one field. */
export interface Prefill {
  /** The path of that field. */
  field: string;
  /** By field, and by the value of that one. */
  values: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}

const extensions = new Map<string, FormExtension>();
const following = new Map<string, FollowingExtension>();
const prefills = new Map<string, Prefill>();

/** Registers what extends the form of an id wherever it is opened for a record. */
export function registerFormExtension(formId: string, extend: FormExtension): void {
  extensions.set(formId, extend);
}

/** Registers what extends the form of an id by what is entered in one of its fields, also while it is filled in. */
export function registerFollowingExtension(formId: string, extension: FollowingExtension): void {
  following.set(formId, extension);
}

/** Registers what the form of an id suggests in some fields, by what is entered in another. */
export function registerPrefill(formId: string, prefill: Prefill): void {
  prefills.set(formId, prefill);
}

export const findPrefill = (formId: string): Prefill | undefined => prefills.get(formId);

export const findFollowing = (formId: string): FollowingExtension | undefined => following.get(formId);

/** The form as it is for a record; throws `ApiError` where that cannot be read. */
export async function extendForm(module: FormModule, recordId: number | string | undefined): Promise<FormModule> {
  const extend = extensions.get(module.form.id);
  return extend && recordId !== undefined ? extend(module, recordId) : module;
}

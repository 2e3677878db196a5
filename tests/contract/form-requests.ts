import { loadContract } from '../../schemas/kit/codegen/load.ts';
import type { FormFile, JsonValue } from '../../schemas/kit/form/types.ts';

/** A call that the form files promise: the server has this route, for holders of this permission, and takes this body. */
export interface FormRequest {
  form: string;
  method: FormFile['submit']['method'];
  /** Below `/api`, with the record's number filled in. */
  path: string;
  /** `public` when nobody needs to be signed in. */
  permission: string;
  body: Record<string, JsonValue>;
}

/**
 * One call for each example of each form. `id` stands for the record, `deviceIds` for the chosen devices of forms that act on devices.
 * Sent by somebody who may, none of these may answer 404 without a record that is missing, 415 or INVALID_FIELD.
 */
export function formRequests({ id = 1, deviceIds = [1] }: { id?: number; deviceIds?: number[] } = {}): FormRequest[] {
  return Object.values(loadContract().forms).flatMap(({ id: form, submit, permission, examples }) =>
    examples.map((example) => ({
      form,
      method: submit.method,
      path: submit.path.replace('{id}', String(id)),
      permission,
      body: submit.payload === 'devices' ? { ...example, device_id: deviceIds } : example,
    })),
  );
}

import { fieldsOf, valueAt, withValueAt } from '../../../schemas/kit/form-fields.ts';
import type { FormFile, JsonValue } from '../../../schemas/kit/types.ts';

const MASK = '***';

type Data = Readonly<Record<string, JsonValue>>;

/** Parts what a form was sent with: passwords by their paths, which are sealed wherever they are kept, and the rest with `***` in their places. */
export function partSecrets(form: FormFile, data: Data): { secrets: Record<string, JsonValue>; shown: Record<string, JsonValue> } {
  const secrets: Record<string, JsonValue> = {};
  let shown = { ...data };
  for (const { path, ui } of fieldsOf(form).values()) {
    const value = ui['ui:widget'] === 'password' ? valueAt(data, path) : undefined;
    if (value === undefined) continue;
    secrets[path] = value;
    shown = withValueAt(shown, path, MASK);
  }
  return { secrets, shown };
}

/** The data with its secrets in their places again. */
export function withSecrets(shown: Data, secrets: Data): Record<string, JsonValue> {
  return Object.entries(secrets).reduce((data, [path, value]) => withValueAt(data, path, value), { ...shown });
}

import type { FormFile, JsonValue } from '../../../schemas/kit/types.ts';

const MASK = '***';

function isSecret(form: FormFile, name: string): boolean {
  return form.ui !== undefined && Object.hasOwn(form.ui, name) && form.ui[name]?.['ui:widget'] === 'password';
}

/** Parts what a form was sent with: passwords, which are sealed wherever they are kept, and the rest with `***` in their places. */
export function partSecrets(
  form: FormFile,
  data: Readonly<Record<string, JsonValue>>,
): { secrets: Record<string, JsonValue>; shown: Record<string, JsonValue> } {
  const entries = Object.entries(data);
  return {
    secrets: Object.fromEntries(entries.filter(([name]) => isSecret(form, name))),
    shown: Object.fromEntries(entries.map(([name, value]): [string, JsonValue] => [name, isSecret(form, name) ? MASK : value])),
  };
}

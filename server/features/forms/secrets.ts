import { fieldsOf, isMembers, valueAt, withValueAt } from '../../../schemas/kit/form/form-fields.ts';
import { mayHoldPassword, uiNodeAt } from '../../../schemas/kit/form/own-widgets.ts';
import type { FormFile, JsonValue } from '../../../schemas/kit/form/types.ts';

const MASK = '***';

type Data = Readonly<Record<string, JsonValue>>;

/** Paths of what is secret: passwords, and whatever may have one somewhere inside, as a whole. */
function secretPaths(form: FormFile, data: Data): string[] {
  const fields = fieldsOf(form);
  const own = [...fields.values()].filter(
    ({ path, schema, ui, isGroup }) => !isGroup && (ui['ui:widget'] === 'password' || mayHoldPassword(form, schema, uiNodeAt(form, path))),
  );
  // Members that come from a condition or a choice are described somewhere in the whole.
  const others = mayHoldPassword(form, form.schema, form.uiSchema) ? Object.keys(data).filter((name) => !fields.has(name)) : [];
  return [...own.map(({ path }) => path), ...others];
}

/** Parts what a form was sent with: passwords by their paths, which are sealed wherever they are kept, and the rest with `***` in their places. */
export function partSecrets(form: FormFile, data: Data): { secrets: Record<string, JsonValue>; shown: Record<string, JsonValue> } {
  const secrets: Record<string, JsonValue> = {};
  let shown = { ...data };
  for (const path of secretPaths(form, data)) {
    const value = valueAt(data, path);
    // A free member whose name is no path: nothing can refer to it, so it is kept nowhere.
    if (value === undefined && Object.hasOwn(data, path)) shown = { ...shown, [path]: MASK };
    if (value === undefined) continue;
    secrets[path] = value;
    shown = withValueAt(shown, path, MASK);
  }
  return { secrets, shown };
}

/** What of any data may be shown and kept: `partSecrets`, and all of it or nothing where it is no object. */
export function shownOf(form: FormFile, data: JsonValue): JsonValue {
  if (isMembers(data)) return partSecrets(form, data as Data).shown;
  return mayHoldPassword(form, form.schema, form.uiSchema) ? MASK : data;
}

/** The data with its secrets in their places again. */
export function withSecrets(shown: Data, secrets: Data): Record<string, JsonValue> {
  return Object.entries(secrets).reduce((data, [path, value]) => withValueAt(data, path, value), { ...shown });
}

import { isMet, permittedFields } from './enforced-schema.ts';
import type { Can } from './enforced-schema.ts';
import { fieldsOf, isMembers, valueAt } from './form-fields.ts';
import { drawnOrder } from './form-layout.ts';
import type { FieldRule, FormFile, JsonPrimitive, JsonSchema, JsonValue } from './types.ts';

type ShownSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema>; required: string[] };

export interface VisibleForm {
  /** What is drawn now, in the file's `order`; plain properties and `required`, no conditions. */
  schema: ShownSchema;
  /** The data without the values of hidden fields: what is kept, checked and sent. A required group is there, if empty, so that its members are asked for. */
  data: Record<string, JsonValue>;
  /** Paths of the fields that exist now, groups before their members, in the order in which they are drawn. */
  fields: string[];
  /** Names of the messages that are shown now. */
  alerts: string[];
}

function isPrimitive(value: JsonValue | undefined): value is JsonPrimitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * What of a form is drawn for this data and this person, and the data with every hidden value cleared (docs/behaviour.md section 4: a field
 * hides when its dependency is unmet, and its value is cleared). A hidden field counts as empty for the fields that depend on it; what stands in a
 * hidden group is hidden. Members of `data` that are no field of the form are dropped, so a loaded record can be passed as it is. Pure.
 */
export function visibleSchema(form: FormFile, data: Readonly<Record<string, JsonValue | undefined>>, can: Can = () => true): VisibleForm {
  const all = fieldsOf(form);
  let shown = new Set(permittedFields(form, can));
  const holds = (path: string, values: readonly JsonPrimitive[]): boolean => {
    const value = shown.has(path) && all.get(path)?.isGroup === false ? valueAt(data, path) : undefined;
    return isPrimitive(value) && values.includes(value);
  };
  const exists = ({ depends, permission }: Pick<FieldRule, 'depends' | 'permission'>): boolean =>
    isMet(depends, holds) && (permission === undefined || can(permission));
  for (;;) {
    const kept = [...shown].filter((path) => {
      const field = all.get(path);
      return field && (field.parent === '' || shown.has(field.parent)) && isMet(field.rule.depends, holds);
    });
    if (kept.length === shown.size) break;
    shown = new Set(kept);
  }
  const fields = drawnOrder(form).filter((path) => shown.has(path));
  const byParent = Map.groupBy(
    fields.flatMap((path) => all.get(path) ?? []),
    ({ parent }) => parent,
  );

  function schemaOf({ allOf: _conditions, ...level }: JsonSchema, path: string): ShownSchema {
    const members = byParent.get(path) ?? [];
    return {
      ...level,
      type: 'object',
      required: members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      properties: Object.fromEntries(
        members.map((field) => [field.name, field.isGroup ? schemaOf(field.schema, field.path) : field.schema]),
      ),
    };
  }
  function dataOf(path: string): Record<string, JsonValue> {
    return Object.fromEntries(
      (byParent.get(path) ?? []).flatMap((field): [string, JsonValue][] => {
        const value = valueAt(data, field.path);
        if (field.isGroup) return isMembers(value) || field.isRequired ? [[field.name, dataOf(field.path)]] : [];
        return value === undefined ? [] : [[field.name, value]];
      }),
    );
  }
  return {
    schema: schemaOf(form.schema, ''),
    data: dataOf(''),
    fields,
    alerts: Object.entries(form.alerts ?? {}).flatMap(([name, alert]) => (exists(alert) ? [name] : [])),
  };
}

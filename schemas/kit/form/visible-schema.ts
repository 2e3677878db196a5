import { isMet, permittedFields } from './enforced-schema.ts';
import type { Can } from './enforced-schema.ts';
import { FORBIDDEN_NAMES, fieldsOf, isMembers, valueAt, type Members } from './form-fields.ts';
import { drawnOrder } from './form-layout.ts';
import type { FieldRule, FormFile, JsonPrimitive, JsonSchema, JsonValue } from './types.ts';

export interface VisibleForm<Data = Record<string, JsonValue>> {
  /** The form's schema with the fields that exist now, in the file's `order`; whatever else it says stays. */
  schema: JsonSchema;
  /**
   * The data without the values of hidden fields: what is kept, checked and sent. A required group is there, if empty, so that its members are asked
   * for. Members that are no fields stay where the schema is open to them.
   */
  data: Data;
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
 * hides when its dependency is unmet, and its value is cleared). A hidden field counts as empty for the fields that depend on it; what is in a
 * hidden group is hidden. Members of `data` that are no field of the form are dropped where no others are allowed, so a loaded record can be passed as
 * it is. The data of a form that is no object stays as it is. Pure.
 */
export function visibleSchema(form: FormFile, data: Members, can?: Can): VisibleForm;
export function visibleSchema(form: FormFile, data: JsonValue | undefined, can?: Can): VisibleForm<JsonValue | undefined>;
export function visibleSchema(
  form: FormFile,
  data: Members | JsonValue | undefined,
  can: Can = () => true,
): VisibleForm<JsonValue | undefined> {
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

  function schemaOf(level: JsonSchema, path: string): JsonSchema {
    if (!level.properties) return level;
    const members = byParent.get(path) ?? [];
    const prefix = path === '' ? '' : `${path}.`;
    const foreign = (level.required ?? []).filter((name) => !all.has(prefix + name));
    return {
      ...level,
      required: [...members.filter(({ isRequired }) => isRequired).map(({ name }) => name), ...foreign],
      properties: Object.fromEntries(
        members.map((field) => [field.name, field.isGroup ? schemaOf(field.schema, field.path) : field.schema]),
      ),
    };
  }
  function dataOf(level: JsonSchema, path: string, given: JsonValue | Members | undefined): Record<string, JsonValue> {
    const prefix = path === '' ? '' : `${path}.`;
    const isOpen = level.additionalProperties !== false || level.patternProperties !== undefined;
    const others = Object.entries(isOpen && isMembers(given) ? given : {}).filter(
      ([name, value]) => value !== undefined && !FORBIDDEN_NAMES.has(name) && !all.has(prefix + name),
    );
    const members = (byParent.get(path) ?? []).flatMap((field): [string, JsonValue | undefined][] => {
      const value = valueAt(data, field.path);
      if (field.isGroup) return isMembers(value) || field.isRequired ? [[field.name, dataOf(field.schema, field.path, value)]] : [];
      return value === undefined ? [] : [[field.name, value]];
    });
    return Object.fromEntries([...members, ...others].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  }
  const isObject = form.schema.properties !== undefined && (data === undefined || isMembers(data));
  return {
    schema: schemaOf(form.schema, ''),
    data: isObject ? dataOf(form.schema, '', data) : (data as JsonValue | undefined),
    fields,
    alerts: Object.entries(form.alerts ?? {}).flatMap(([name, alert]) => (exists(alert) ? [name] : [])),
  };
}

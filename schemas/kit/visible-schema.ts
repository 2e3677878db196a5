import { permittedFields } from './enforced-schema.ts';
import type { Can } from './enforced-schema.ts';
import type { FormFile, JsonPrimitive, JsonSchema, JsonValue } from './types.ts';

export interface VisibleForm {
  /** What is drawn now, in the file's `order`; plain properties and `required`, no conditions. */
  schema: JsonSchema & { type: 'object'; properties: Record<string, JsonSchema>; required: string[] };
  /** The data without the values of hidden fields: what is kept, checked and sent. */
  data: Record<string, JsonValue>;
  /** Names of the fields that exist now, in the order in which they are drawn. */
  fields: string[];
}

function inOrder(names: string[], order: string[] = []): string[] {
  const listed = order.filter((name) => names.includes(name));
  return [...listed, ...names.filter((name) => !listed.includes(name))];
}

function isPrimitive(value: JsonValue | undefined): value is JsonPrimitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * What of a form is drawn for this data and this person, and the data with every hidden value cleared (docs/behaviour.md section 4: a field
 * hides when its dependency is unmet, and its value is cleared). A hidden field counts as empty for the fields that depend on it.
 * Members of `data` that are no field of the form are dropped, so a loaded record can be passed as it is. Pure.
 */
export function visibleSchema(form: FormFile, data: Readonly<Record<string, JsonValue | undefined>>, can?: Can): VisibleForm {
  const rules = form.fields ?? {};
  const valueOf = (name: string): JsonValue | undefined => (Object.hasOwn(data, name) ? data[name] : undefined);
  let names = permittedFields(form, can);
  for (;;) {
    const shown = names.filter((name) =>
      Object.entries((Object.hasOwn(rules, name) ? rules[name]?.depends : undefined) ?? {}).every(([other, values]) => {
        const value = valueOf(other);
        return names.includes(other) && isPrimitive(value) && values.includes(value);
      }),
    );
    if (shown.length === names.length) break;
    names = shown;
  }
  const fields = inOrder(names, form.order);
  const { properties, required = [], allOf: _conditions, ...rest } = form.schema;
  return {
    schema: {
      ...rest,
      type: 'object',
      required: fields.filter((name) => required.includes(name) || (Object.hasOwn(rules, name) && rules[name]?.required === true)),
      properties: Object.fromEntries(fields.map((name) => [name, properties[name] ?? {}])),
    },
    data: Object.fromEntries(
      fields.flatMap((name): [string, JsonValue][] => {
        const value = valueOf(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    fields,
  };
}

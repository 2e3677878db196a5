import { ownUiOf } from './own-widgets.ts';
import type { FieldRule, FieldUi, FormFile, JsonSchema, JsonValue } from './types.ts';

/** One field of a form, at its level or inside groups. */
export interface FormField {
  /** Names from the form down to the field, dots between: `name`, `address.city`. */
  path: string;
  name: string;
  /** Path of the group around; empty at the form's own level. */
  parent: string;
  schema: JsonSchema;
  rule: FieldRule;
  ui: FieldUi;
  /** A fieldset with fields of its own (an object with `properties`), as opposed to one value. */
  isGroup: boolean;
  /** Its level says so, or its rule: must be there while it exists and the group around it is sent. */
  isRequired: boolean;
}

/** How deep groups may be nested, in the forms that ship. */
export const MAX_GROUP_DEPTH = 3;

/** Names that no field, group or member may have. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const known = new WeakMap<FormFile, ReadonlyMap<string, FormField>>();

/** The member of that very name, never one of the prototype. */
function own<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

function isGroup(schema: JsonSchema, ui: FieldUi): boolean {
  const widget = ui['ui:widget'];
  // What is put together of several schemas has members that come and go: it is one value to the rules of `fields`.
  if (schema.$ref !== undefined || schema.allOf || schema.oneOf || schema.anyOf) return widget === 'group';
  return schema.type === 'object' && schema.properties !== undefined && (widget === undefined || widget === 'group');
}

function collect(form: FormFile, level: JsonSchema, parent: string, into: Map<string, FormField>): void {
  for (const [name, schema] of Object.entries(level.properties ?? {})) {
    if (FORBIDDEN_NAMES.has(name)) continue;
    const path = parent === '' ? name : `${parent}.${name}`;
    const rule = own(form.fields, path) ?? {};
    const short = own(form.ui, path) ?? {};
    const ui = form.uiSchema ? { ...short, ...ownUiOf(form, path, schema) } : short;
    const field: FormField = {
      path,
      name,
      parent,
      schema,
      rule,
      ui,
      isGroup: isGroup(schema, ui),
      isRequired: level.required?.includes(name) === true || rule.required === true,
    };
    into.set(path, field);
    if (field.isGroup) collect(form, schema, path, into);
  }
}

/** Every field of a form by its path, a group before its members. The same map for the same form. */
export function fieldsOf(form: FormFile): ReadonlyMap<string, FormField> {
  const before = known.get(form);
  if (before) return before;
  const fields = new Map<string, FormField>();
  collect(form, form.schema, '', fields);
  known.set(form, fields);
  return fields;
}

const levels = new WeakMap<FormFile, ReadonlyMap<string, readonly FormField[]>>();

/** The fields of one level, in the order of the schema: the form's own for an empty path, else those of that group. */
export function membersOf(form: FormFile, group = ''): readonly FormField[] {
  const byParent = levels.get(form) ?? Map.groupBy(fieldsOf(form).values(), ({ parent }) => parent);
  levels.set(form, byParent);
  return byParent.get(group) ?? [];
}

/** The field that a path leads to or into: `rows.2.port` → the field `rows`, `address.city` → that field. `undefined` when it leads nowhere. */
export function fieldAt(form: FormFile, path: string): FormField | undefined {
  const fields = fieldsOf(form);
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const field = fields.get(path.slice(0, end));
    if (field) return field;
  }
  return undefined;
}

/** Whether a field has to be filled in: it is required, and so is every group around it, or its group holds what it depends on. */
export function isAskedFor(form: FormFile, field: FormField): boolean {
  if (!field.isRequired) return false;
  const parent = fieldsOf(form).get(field.parent);
  if (!parent || Object.keys(field.rule.depends ?? {}).some((other) => other.startsWith(`${parent.path}.`))) return true;
  return isAskedFor(form, parent);
}

/** An object of named values, as the data of most forms is. */
export type Members = Readonly<Record<string, JsonValue | undefined>>;

/** Whether a value is an object with members, as the value of a group is. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; `undefined` where there is none. Own members only. */
export function valueAt(data: unknown, path: string): JsonValue | undefined {
  let value: JsonValue | undefined;
  let here: unknown = data;
  for (const name of path.split('.')) {
    if (!isMembers(here)) return undefined;
    value = own(here, name);
    here = value;
  }
  return value;
}

/** The data with another value at a path, `undefined` to take it away; groups on the way are made. The data itself stays as it is. */
export function withValueAt<T extends Members>(data: T, path: string, value: JsonValue | undefined): T {
  const [name = '', ...rest] = path.split('.');
  if (FORBIDDEN_NAMES.has(name)) return data;
  if (rest.length === 0) {
    const { [name]: _before, ...others } = data;
    return (value === undefined ? others : { ...data, [name]: value }) as T;
  }
  const inner = own(data, name);
  if (value === undefined && !isMembers(inner)) return data;
  return { ...data, [name]: withValueAt(isMembers(inner) ? inner : {}, rest.join('.'), value) };
}

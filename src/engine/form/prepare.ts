import { isMembers, membersOf, valueAt } from '../../../schemas/kit/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/widget-of.ts';
import type { FormField } from '../../../schemas/kit/form-fields.ts';
import type { FormFile, JsonSchema, JsonValue } from '../../../schemas/kit/types.ts';

export type FormData = Readonly<Record<string, JsonValue | undefined>>;

/**
 * The data that a form starts with: the schema's defaults, over them the loaded record, over them what the caller gives.
 * Members of the record that are no fields of the form are left out, and so is null where the field cannot hold it.
 */
export function startData(form: FormFile, record: FormData = {}, given: FormData = {}, group = ''): Record<string, JsonValue> {
  const data: Record<string, JsonValue> = {};
  for (const { path, name, schema, isGroup } of membersOf(form, group)) {
    if (isGroup) {
      const members = startData(form, record, given, path);
      if (Object.keys(members).length > 0) data[name] = members;
      continue;
    }
    const value = [valueAt(given, path), valueAt(record, path)].find((candidate) => candidate !== undefined && fits(schema, candidate));
    const start = value === undefined ? schema.default : value;
    if (start !== undefined) data[name] = start;
  }
  return data;
}

function fits(property: JsonSchema, value: JsonValue): boolean {
  if (value !== null) return true;
  return property.type === 'null' || (Array.isArray(property.type) && property.type.includes('null'));
}

/** What has to be typed before the form is sent: this member of the loaded record, as text. */
export function typedOf({ submit }: Pick<FormFile, 'submit'>, record: FormData = {}): string | undefined {
  const value = submit.typed === undefined ? undefined : record[submit.typed];
  return value === undefined || value === null ? undefined : String(value);
}

/** Whether a field holds the devices that the form is sent for. */
export function isDevicesField({ submit }: Pick<FormFile, 'submit'>, path: string): boolean {
  return submit.payload === 'devices' && path === 'device_id';
}

/** The query that stands for devices in such a field, with the number of them that the user saw; `undefined` where it holds numbers. */
export function matchingOf(value: JsonValue | undefined): { query: Record<string, string>; count: number } | undefined {
  if (!isMembers(value) || typeof value['count'] !== 'number' || !isMembers(value['query'])) return undefined;
  const query = Object.entries(value['query']).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
  return { query: Object.fromEntries(query), count: value['count'] };
}

/**
 * Makes entered data ready to be checked and sent: text is trimmed (not passwords), and an emptied field is left out, unless it held
 * something at the start and the schema lets it be empty: then emptying it is what the user wants to save. A group with nothing in it is left out
 * unless it is required. Devices that are chosen by a query become `selection`.
 */
export function prepareData(form: FormFile, data: FormData, start: FormData, group = ''): Record<string, JsonValue> {
  const ready: Record<string, JsonValue> = {};
  for (const field of membersOf(form, group)) {
    const { path, name } = field;
    const value = valueAt(data, path);
    if (value === undefined) continue;
    if (field.isGroup) {
      const members = prepareData(form, data, start, path);
      if (field.isRequired || Object.keys(members).length > 0) ready[name] = members;
      continue;
    }
    const matching = isDevicesField(form, path) ? matchingOf(value) : undefined;
    if (matching) {
      ready['selection'] = matching;
      continue;
    }
    const trimmed = typeof value === 'string' && widgetOf(field.schema, field.ui) !== 'password' ? value.trim() : value;
    if (!isEmpty(trimmed) || mayBeEmptied(field, valueAt(start, path))) ready[name] = trimmed;
  }
  return ready;
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function mayBeEmptied({ schema, isRequired }: FormField, start: JsonValue | undefined): boolean {
  if (start === undefined || isEmpty(start) || isRequired) return false;
  return (
    !schema.minLength &&
    !schema.minItems &&
    !schema.pattern &&
    !schema.enum &&
    (schema.format === undefined || schema.format === 'name' || schema.format === 'line')
  );
}

/** Whether two prepared values are the same, whatever the order of members. */
export function isSameData(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameData(item, b[index]));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSameData(a[key], b[key]));
}

import { fieldsOf, isMembers, membersOf, valueAt } from '../../../schemas/kit/form/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { isMoving } from './schema-parts.ts';
import type { FormField } from '../../../schemas/kit/form/form-fields.ts';
import type { FormFile, JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';

export type FormData = Readonly<Record<string, JsonValue | undefined>>;

/**
 * The data that a form starts with: the schema's defaults, over them the loaded record, over them what the caller gives.
 * Members of the record that the form has no place for are left out, and so is null where the field cannot hold it.
 */
export function startData(form: FormFile, record: FormData = {}, given: JsonValue | FormData = {}): JsonValue | undefined {
  if (form.schema.properties) return startLevel(form, record, isMembers(given) ? given : {}, '');
  if (!isMembers(given)) return given;
  const all = definedMembers({ ...record, ...given });
  return Object.keys(all).length > 0 ? all : undefined;
}

function startLevel(form: FormFile, record: FormData, given: FormData, group: string): Record<string, JsonValue> {
  const data: Record<string, JsonValue> = {};
  for (const { path, name, schema, isGroup } of membersOf(form, group)) {
    if (isGroup) {
      const members = startLevel(form, record, given, path);
      if (Object.keys(members).length > 0) data[name] = members;
      continue;
    }
    const value = [valueAt(given, path), valueAt(record, path)].find((candidate) => candidate !== undefined && fits(schema, candidate));
    const start = value === undefined ? schema.default : value;
    if (start !== undefined) data[name] = start;
  }
  const others = isOpen(form, group) ? { ...levelIn(record, group), ...levelIn(given, group) } : {};
  for (const [name, value] of Object.entries(others))
    if (value !== undefined && !fieldsOf(form).has(group === '' ? name : `${group}.${name}`)) data[name] = value;
  return data;
}

/** Whether a level has a place for members that it does not name. */
function isOpen(form: FormFile, group: string): boolean {
  const schema = group === '' ? form.schema : (fieldsOf(form).get(group)?.schema ?? {});
  const { properties: _named, ...rest } = schema;
  return typeof schema.additionalProperties === 'object' || schema.additionalProperties === true || isMoving(rest);
}

function levelIn(data: FormData, group: string): FormData {
  const level = group === '' ? data : valueAt(data, group);
  return isMembers(level) ? level : {};
}

/** A form's data as an object; an empty one where it is none. */
export function membersIn(data: JsonValue | undefined): Record<string, JsonValue> {
  return isMembers(data) ? definedMembers(data) : {};
}

function definedMembers(data: FormData): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, JsonValue][] => (value === undefined ? [] : [[name, value]])),
  );
}

function fits(property: JsonSchema, value: JsonValue): boolean {
  if (value !== null) return true;
  return property.type === undefined || property.type === 'null' || (Array.isArray(property.type) && property.type.includes('null'));
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
 * unless it is required. Devices that are chosen by a query become `selection`. What no field of the form stands for stays as it is.
 */
export function prepareData(form: FormFile, data: FormData, start: FormData): Record<string, JsonValue>;
export function prepareData(form: FormFile, data: JsonValue | undefined, start: JsonValue | undefined): JsonValue | undefined;
export function prepareData(
  form: FormFile,
  data: JsonValue | FormData | undefined,
  start: JsonValue | FormData | undefined,
): JsonValue | undefined {
  if (!isMembers(data)) return data;
  return form.schema.properties ? prepareLevel(form, data, start, '') : definedMembers(data);
}

function prepareLevel(form: FormFile, level: FormData, start: JsonValue | FormData | undefined, group: string): Record<string, JsonValue> {
  const ready: Record<string, JsonValue> = {};
  for (const field of membersOf(form, group)) {
    const { path, name } = field;
    const value = Object.hasOwn(level, name) ? level[name] : undefined;
    if (value === undefined) continue;
    if (field.isGroup) {
      const members = isMembers(value) ? prepareLevel(form, value, start, path) : {};
      if (field.isRequired || Object.keys(members).length > 0) ready[name] = members;
      continue;
    }
    const matching = isDevicesField(form, path) ? matchingOf(value) : undefined;
    if (matching) {
      ready['selection'] = matching;
      continue;
    }
    const trimmed = typeof value === 'string' && widgetOf(field.schema, field.ui) !== 'password' ? value.trim() : value;
    if (!isEmpty(trimmed) || isAskedList(field) || mayBeEmptied(field, valueAt(start, path))) ready[name] = trimmed;
  }
  const prefix = group === '' ? '' : `${group}.`;
  for (const [name, value] of Object.entries(level)) if (value !== undefined && !fieldsOf(form).has(prefix + name)) ready[name] = value;
  return ready;
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether rjsf draws it item by item and it is asked for: a list without items is a list too. */
function isAskedList({ schema, ui, isRequired }: FormField): boolean {
  const { type, items } = schema;
  if (!isRequired || type !== 'array' || ui['ui:widget'] !== undefined || schema.uniqueItems === true) return false;
  return typeof items === 'object' && (Array.isArray(items) || items.enum === undefined);
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

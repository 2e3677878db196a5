import { emptyOf } from '../../../schemas/kit/form/empty-value.ts';
import { fieldsOf, isMembers, membersOf, valueAt } from '../../../schemas/kit/form/form-fields.ts';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { isMoving } from './schema-parts.ts';
import { isNothing, isUnfilledList, withRows } from './unfilled.ts';
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
  for (const { path, name, schema, ui, isGroup } of membersOf(form, group)) {
    if (isGroup) {
      const members = startLevel(form, record, given, path);
      if (Object.keys(members).length > 0) data[name] = members;
      continue;
    }
    const value = [valueAt(given, path), valueAt(record, path)].find((candidate) => candidate !== undefined && fits(schema, candidate));
    const start = value === undefined ? (isDrawnByItem(schema, ui) ? withRows(schema, schema.default) : schema.default) : value;
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

/** What a form's data was at the start, and which of its fields exist now: all where nothing is said. */
export interface PrepareFrom {
  start: JsonValue | FormData | undefined;
  shown?: readonly string[];
}

/**
 * Makes entered data ready to be checked and sent: text is trimmed (not passwords), and an empty field is left out, unless it held something at the
 * start: then emptying it is what the user wants to save, and it is sent as the schema has it empty (`emptyOf`). A group with nothing in it is left out
 * unless it is required. Devices that are chosen by a query become `selection`. What no field of the form stands for stays as it is.
 */
export function prepareData(form: FormFile, data: FormData, from: PrepareFrom): Record<string, JsonValue>;
export function prepareData(form: FormFile, data: JsonValue | undefined, from: PrepareFrom): JsonValue | undefined;
export function prepareData(form: FormFile, data: JsonValue | FormData | undefined, { start, shown }: PrepareFrom): JsonValue | undefined {
  if (!isMembers(data)) return data;
  if (!form.schema.properties) return definedMembers(data);
  return prepareLevel(form, data, { start, shown: shown && new Set(shown) }, '');
}

interface LevelFrom {
  start: JsonValue | FormData | undefined;
  shown: ReadonlySet<string> | undefined;
}

function prepareLevel(form: FormFile, level: FormData, from: LevelFrom, group: string): Record<string, JsonValue> {
  const ready: Record<string, JsonValue> = {};
  for (const field of membersOf(form, group)) {
    const { path, name } = field;
    const value = Object.hasOwn(level, name) ? level[name] : undefined;
    if (field.isGroup) {
      if (value === undefined && (!field.isRequired || from.shown?.has(path) === false)) continue;
      const members = prepareLevel(form, isMembers(value) ? value : {}, from, path);
      if (field.isRequired || !isBlank(members)) ready[name] = members;
      continue;
    }
    const matching = isDevicesField(form, path) && value !== undefined ? matchingOf(value) : undefined;
    if (matching) {
      ready['selection'] = matching;
      continue;
    }
    const sent = sentValue(field, value, from);
    if (sent !== undefined) ready[name] = sent;
  }
  const prefix = group === '' ? '' : `${group}.`;
  for (const [name, value] of Object.entries(level)) if (value !== undefined && !fieldsOf(form).has(prefix + name)) ready[name] = value;
  return ready;
}

/** Whether a group has nothing but groups and rows of lists with nothing in them. */
function isBlank(members: Readonly<Record<string, JsonValue>>): boolean {
  return Object.values(members).every((value) => value !== null && typeof value === 'object' && isNothing(value));
}

/** What is sent of a field that holds a value; `undefined` when nothing is. */
function sentValue(field: FormField, value: JsonValue | undefined, { start, shown }: LevelFrom): JsonValue | undefined {
  const entered = !field.isRequired && isUnfilledList(field.schema, value) ? undefined : value;
  const trimmed = typeof entered === 'string' && widgetOf(field.schema, field.ui) !== 'password' ? entered.trim() : entered;
  if (!isEmpty(trimmed) || (value !== undefined && field.schema.enum?.includes(value))) return trimmed;
  if (isAskedList(field)) return [];
  if (shown?.has(field.path) === false) return undefined;
  const empty = emptyOf(field.schema);
  const former = valueAt(start, field.path);
  if (field.isRequired) return empty === null && field.schema.enum === undefined ? null : keptEmpty(former, empty);
  return isEmpty(former) || former === null ? keptEmpty(former, empty) : empty;
}

/** What was empty from the start stays as it was, where the schema takes that. */
function keptEmpty(former: JsonValue | undefined, empty: JsonValue | undefined): JsonValue | undefined {
  return former !== undefined && isSameData(former, empty) ? empty : undefined;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether it is drawn item by item and asked for: a list without items is a list too. */
function isAskedList({ schema, ui, isRequired }: FormField): boolean {
  return isRequired && isDrawnByItem(schema, ui);
}

/** Whether rjsf draws a list item by item. */
function isDrawnByItem({ type, items, uniqueItems }: JsonSchema, ui: FormField['ui']): boolean {
  if (type !== 'array' || ui['ui:widget'] !== undefined || uniqueItems === true) return false;
  return typeof items === 'object' && (Array.isArray(items) || items.enum === undefined);
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

import { fieldsOf } from './form-fields.ts';
import { targetOf } from './refs.ts';
import type { FormFile, JsonSchema } from './types.ts';

/** `starts_on`, `startsOn`, `starts-on` → `Starts on`; a name of capitals (`APN`) stays as it is. */
export function wordsOfName(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A list whose columns have a title each. */
function withColumnTitles(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  if (typeof items !== 'object' || Array.isArray(items) || !items.properties) return schema;
  const columns = Object.entries(items.properties).map(([name, column]): [string, JsonSchema] => [
    name,
    column.title === undefined && column.$ref === undefined ? { title: wordsOfName(name), ...column } : column,
  ]);
  return { ...schema, items: { ...items, properties: Object.fromEntries(columns) } };
}

function withTitledColumns(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => [
    name,
    withTitledColumns(withColumnTitles(member)),
  ]);
  return { ...schema, properties: Object.fromEntries(members) };
}

/**
 * An added form whose fields are called by their own names where it says nothing else: the texts of this console's own fields (`fields.link`) mean
 * something else than a field of an integrator that happens to have the same name. Pure.
 */
export function withOwnLabels<F extends FormFile>(form: F): F {
  const isOfEngine = (path: string): boolean => form.submit.payload === 'devices' && path === 'device_id';
  const titleOf = ({ title, $ref }: JsonSchema): string | undefined =>
    title ?? ($ref === undefined ? undefined : targetOf($ref, form.schema)?.title);
  const unnamed = [...fieldsOf(form).values()].filter(
    ({ path, ui, schema }) => ui['ui:label'] === undefined && titleOf(schema) === undefined && !isOfEngine(path),
  );
  const labels = unnamed.map(({ path, name }) => [path, { ...form.ui?.[path], 'ui:label': { en: wordsOfName(name) } }] as const);
  return { ...form, schema: withTitledColumns(form.schema), ui: { ...form.ui, ...Object.fromEntries(labels) } };
}

import type { UiSchema } from '@rjsf/utils';
import { membersOf, type FormField } from './form-fields.ts';
import { isSchema, itemOf, typesOf } from './schema-parts.ts';
import { UI_SCHEMA_TEXTS } from './text-keys.ts';
import type { FormFile, JsonValue, Text } from './types.ts';

/** Says a text in the reader's language. A key without a text is answered as itself. */
export type Say = (text: Text) => string;

type Node = Record<string, unknown>;

/** The name of rjsf's `fields` entry that draws a whole object with one of our controls. */
export const CONTROL_FIELD = 'ControlField';

function defined(node: Node): Node {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));
}

/** What says how a control looks and works, by the names that our widgets read. */
function optionsOf({ ui, path }: FormField, say: Say): Node {
  const { labels: _labels, ...own } = ui['ui:options'] ?? {};
  return defined({
    ...own,
    path,
    mask: ui['ui:mask'],
    generate: ui['ui:generate'],
    width: ui['ui:width'],
    addon: ui['ui:addon'] && say(ui['ui:addon']),
    subtext: ui['ui:subtext'] && say(ui['ui:subtext']),
  });
}

/** A label: the file's own, else the schema's title (which rjsf takes by itself), else the usual one of a field of this name. */
function titleOf({ ui, name, schema }: FormField, say: Say): string | undefined {
  const label = ui['ui:label'];
  if (label !== undefined) return say(label);
  if (schema.title !== undefined) return undefined;
  const key = `fields.${name}`;
  const words = say(key);
  return words === key ? name : words;
}

function choiceTexts({ ui, schema }: FormField, say: Say): string[] | undefined {
  const labels = ui['ui:options']?.labels;
  const values = schema.enum ?? itemOf(schema)?.enum;
  if (!labels || !values) return undefined;
  return values.map((value: JsonValue) => {
    const label = labels[String(value)];
    return label === undefined ? String(value) : say(label);
  });
}

function nodeOf(field: FormField, say: Say): Node {
  const { ui, schema } = field;
  const widget = ui['ui:widget'] === 'group' ? undefined : ui['ui:widget'];
  const isWhole = widget !== undefined && widget !== 'hidden' && typesOf(schema).includes('object');
  const texts = choiceTexts(field, say);
  return defined({
    'ui:title': titleOf(field, say),
    'ui:help': ui['ui:hint'] && say(ui['ui:hint']),
    'ui:placeholder': ui['ui:placeholder'] && say(ui['ui:placeholder']),
    'ui:autofocus': ui['ui:autofocus'],
    'ui:disabled': ui['ui:disabled'],
    'ui:autocomplete': ui['ui:autocomplete'],
    'ui:classNames': ui['ui:class'] && `canopy-${ui['ui:class']}`,
    'ui:widget': widget,
    'ui:field': isWhole ? CONTROL_FIELD : undefined,
    'ui:enumNames': schema.enum ? texts : undefined,
    items: !schema.enum && texts ? { 'ui:enumNames': texts } : undefined,
    'ui:options': optionsOf(field, say),
  });
}

/** The names of one level, those that `order` of the file names first; `*` stands for the others. */
function orderOf(form: FormFile, group: string): string[] | undefined {
  const ranks = new Map((form.order ?? []).map((path, index) => [path, index]));
  const named = membersOf(form, group).filter(({ path }) => ranks.has(path));
  if (named.length === 0) return undefined;
  return [...named.toSorted((a, b) => (ranks.get(a.path) ?? 0) - (ranks.get(b.path) ?? 0)).map(({ name }) => name), '*'];
}

function levelOf(form: FormFile, group: string, say: Say): Node {
  const members = membersOf(form, group).map((field): [string, Node] => [
    field.name,
    { ...nodeOf(field, say), ...(field.isGroup ? levelOf(form, field.path, say) : {}) },
  ]);
  return defined({ 'ui:order': orderOf(form, group), ...Object.fromEntries(members) });
}

function rootOptions({ sections, sectionsAs = 'headings', alerts }: FormFile, say: Say): Node {
  if (!sections && !alerts) return {};
  const options = defined({
    sections: sections?.map(({ title, description, ...rest }) =>
      defined({ ...rest, title: say(title), description: description && say(description) }),
    ),
    sectionsAs: sections && sectionsAs,
    alerts: alerts && Object.fromEntries(Object.entries(alerts).map(([name, { type, text }]) => [name, { type, text: say(text) }])),
  });
  return { 'ui:options': options };
}

/** One over the other, members of objects one by one. */
function merged(under: unknown, over: unknown): unknown {
  if (!isSchema(under) || !isSchema(over)) return over;
  const entries = Object.entries(over).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(under, key) ? merged(Reflect.get(under, key), value) : value,
  ]);
  return { ...under, ...Object.fromEntries(entries) };
}

const SAID: ReadonlySet<string> = new Set(UI_SCHEMA_TEXTS);

/** A `uiSchema` with its texts said; what is no key of a text stays as it is. */
function saidIn(node: unknown, say: Say): unknown {
  if (Array.isArray(node)) return node.map((item) => saidIn(item, say));
  if (!isSchema(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]): [string, unknown] => {
      if (!SAID.has(key)) return [key, saidIn(value, say)];
      if (typeof value === 'string') return [key, say(value)];
      return [key, Array.isArray(value) ? value.map((text: unknown) => (typeof text === 'string' ? say(text) : text)) : value];
    }),
  );
}

/**
 * How a form looks, as rjsf reads it: the file's short `ui`, `order`, `sections` and `alerts`, and over them its own `uiSchema`, whose members win
 * and go through unchanged, keys of texts aside. It says nothing about who sees a field and when; `visibleSchema` does. Pure.
 */
export function uiSchemaOf(form: FormFile, say: Say): UiSchema {
  return merged({ ...levelOf(form, '', say), ...rootOptions(form, say) }, saidIn(form.uiSchema ?? {}, say)) as UiSchema;
}

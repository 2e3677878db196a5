import { fieldsOf } from './form-fields.ts';
import { validationTexts } from './messages.ts';
import type { ActionPlace } from '../resources/resource-types.ts';
import type { Contract, EntityFile, FormFile, JsonSchema, PermissionsFile, Text } from './types.ts';

function keysIn(...texts: (Text | undefined)[]): string[] {
  return texts.filter((text) => typeof text === 'string');
}

/**
 * The i18n key of a field's label by its path: `ui:label` when it is a key, else `fields.<name>`, where a member of a group goes by its own name;
 * `undefined` when the label is a text itself.
 */
export function labelKeyOf(form: FormFile, path: string): string | undefined {
  const label = form.ui && Object.hasOwn(form.ui, path) ? form.ui[path]?.['ui:label'] : undefined;
  if (label === undefined) return `fields.${path.slice(path.lastIndexOf('.') + 1)}`;
  return typeof label === 'string' ? label : undefined;
}

/** Every text of a form with its position, labels that follow from a field's name aside. */
export function textsOfForm(form: FormFile): { text: Text; at: (string | number)[] }[] {
  const { submit } = form;
  const parts: [Text | undefined, (string | number)[]][] = [
    [form.title, ['title']],
    [form.description, ['description']],
    [form.submitLabel, ['submitLabel']],
    ...Object.entries(form.alternatives ?? {}).map(([id, text]): [Text, string[]] => [text, ['alternatives', id]]),
    [submit.confirm, ['submit', 'confirm']],
    [submit.unchanged, ['submit', 'unchanged']],
    [submit.success.message, ['submit', 'success', 'message']],
    ...Object.entries(form.ui ?? {}).flatMap(([name, ui]): [Text | undefined, (string | number)[]][] => [
      ...UI_TEXTS.map((part): [Text | undefined, string[]] => [ui[part], ['ui', name, part]]),
      ...Object.entries(ui['ui:options']?.labels ?? {}).map(([value, label]): [Text, string[]] => [
        label,
        ['ui', name, 'ui:options', 'labels', value],
      ]),
    ]),
    ...Object.entries(form.fields ?? {}).map(([name, rule]): [Text | undefined, string[]] => [
      rule.deprecated,
      ['fields', name, 'deprecated'],
    ]),
    ...(form.sections ?? []).flatMap(({ title, description }, index): [Text | undefined, (string | number)[]][] => [
      [title, ['sections', index, 'title']],
      [description, ['sections', index, 'description']],
    ]),
    ...Object.entries(form.alerts ?? {}).map(([name, { text }]): [Text, string[]] => [text, ['alerts', name, 'text']]),
  ];
  return parts.flatMap(([text, at]) => (text === undefined ? [] : [{ text, at }]));
}

const UI_TEXTS = ['ui:label', 'ui:hint', 'ui:placeholder', 'ui:subtext', 'ui:addon'] as const;

/** Members of a `uiSchema` that are texts, or keys of texts. */
export const UI_SCHEMA_TEXTS = ['ui:title', 'ui:help', 'ui:description', 'ui:placeholder', 'ui:enumNames'] as const;

// `forms.tags.new.title`; a sentence or a word has no dots between its words.
const KEY = /^[a-z_]+(?:\.[\w-]+)+$/;

function keysInUiSchema(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(keysInUiSchema);
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) => {
    if (!UI_SCHEMA_TEXTS.some((text) => text === name)) return keysInUiSchema(value);
    return [value].flat().filter((text): text is string => typeof text === 'string' && KEY.test(text));
  });
}

/** Every i18n key that a form shows. */
export function textKeysOfForm(form: FormFile): string[] {
  const labels = [...fieldsOf(form).keys()].flatMap((path) => labelKeyOf(form, path) ?? []);
  return [...keysIn(...textsOfForm(form).map(({ text }) => text)), ...labels, ...keysInUiSchema(form.uiSchema)];
}

/** The i18n key of a choice: `values.device.status.1`; null is `none`. */
export function valueKey(entity: string, field: string, value: string | number | boolean | null): string {
  return `values.${entity}.${field}.${value === null ? 'none' : String(value)}`;
}

function enumOf(schema: JsonSchema): (string | number | boolean | null)[] {
  return (schema.enum ?? []).filter((value) => typeof value !== 'object' || value === null);
}

/** Every i18n key that a record shows: its name, the labels of its fields (`title` in the schema, else `fields.<name>`) and its choices. */
export function textKeysOfEntity(entity: EntityFile): string[] {
  const properties = Object.entries(entity.schema.properties);
  return [
    ...keysIn(entity.title),
    ...properties.map(([name, schema]) => schema.title ?? `fields.${name}`),
    ...properties.flatMap(([name, schema]) => enumOf(schema).map((value) => valueKey(entity.id, name, value))),
  ];
}

/** The i18n key of a permission category: `Device actions` → `permission_categories.device_actions`. */
export function categoryKey(category: string): string {
  return `permission_categories.${category.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
}

function textKeysOfPermissions({ roles, permissions }: PermissionsFile): string[] {
  return [
    ...roles.flatMap(({ key }) => [`roles.${key}`, `roles.${key}.description`]),
    ...permissions.flatMap(({ name, category }) => [`permissions.${name}`, `permissions.${name}.description`, categoryKey(category)]),
  ];
}

/** What is read of a resource entry; the entries of `resources.config.ts` fit. */
export interface ResourceTexts {
  readonly name: string;
  readonly entity: string;
  readonly table?: {
    readonly columns: readonly { readonly key: string }[];
    readonly filters: readonly { readonly key: string; readonly kind: string; readonly values?: readonly (string | number)[] }[];
  };
  readonly actions?: readonly { readonly id: string; readonly on: readonly ActionPlace[]; readonly job?: string }[];
}

/** Every i18n key that a resource entry shows: `resources.<name>.title`, `actions.<id>`, labels and choices of its filters, what starts the jobs of its actions and what the history says of them. */
export function textKeysOfResource(resource: ResourceTexts): string[] {
  const filters = resource.table?.filters ?? [];
  return [
    `resources.${resource.name}.title`,
    ...(resource.table?.columns ?? []).map(({ key }) => `fields.${key}`),
    ...filters.map(({ key }) => `fields.${key}`),
    ...filters.flatMap(({ key, values = [] }) => values.map((value) => valueKey(resource.entity, key, value))),
    ...(resource.actions ?? []).flatMap(({ id, job }) => [
      `actions.${id}`,
      ...(job === undefined ? [] : [`jobs.start.${job}`, `history.actions.devices.${job}`]),
    ]),
  ];
}

/** Every i18n key that the contract and the resource list show, sorted, without repetition; plural keys without their suffix. */
export function textKeysOf(contract: Contract, resources: readonly ResourceTexts[] = []): string[] {
  const keys = [
    ...Object.values(contract.forms).flatMap(textKeysOfForm),
    ...Object.values(contract.entities).flatMap(textKeysOfEntity),
    ...textKeysOfPermissions(contract.permissions),
    ...Object.keys(contract.errors.errors).map((code) => `errors.${code}`),
    ...Object.keys(validationTexts).map(withoutPlural),
    ...resources.flatMap(textKeysOfResource),
  ];
  return [...new Set(keys)].sort();
}

/** `validation.minItems_one` → `validation.minItems`. */
export function withoutPlural(key: string): string {
  return key.replace(/_(?:zero|one|two|few|many|other)$/, '');
}

/** Whether a text exists for a key, in one form or in plural forms. */
export function hasTextFor(key: string, texts: ReadonlySet<string>): boolean {
  return texts.has(key) || texts.has(`${key}_other`);
}

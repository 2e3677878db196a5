import { Errors } from 'typebox/schema';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import type { CompiledValidator, FormModule } from '../../../schemas/kit/form/form-validator.ts';
import { interpretable } from '../../../schemas/kit/form/interpretable-schema.ts';
import { loadPatterns } from '../../../schemas/kit/patterns/load-patterns.ts';
import { entryProperties } from '../../../schemas/kit/devices/entry-lists.ts';
import type { EntryList } from '../../../schemas/kit/devices/configuration-types.ts';
import type { FieldUi, FormFile, JsonSchema, JsonValue, Text } from '../../../schemas/kit/form/types.ts';
import { withValidator } from '../../engine/form/validators.ts';

/** Judges data without making code, which the page's content policy forbids. */
function validatorFor(schema: JsonSchema): CompiledValidator {
  const rules = interpretable(schema);
  const validate: CompiledValidator = (data) => {
    const [isRight, errors] = Errors(rules, data);
    validate.errors = isRight
      ? null
      : errors.map(({ keyword, instancePath, schemaPath, params }) => ({ keyword, instancePath, schemaPath, params: { ...params } }));
    return isRight;
  };
  return validate;
}

/** Both texts, one after the other. */
function joined(help: Text | undefined, hint: Text | undefined): Text | undefined {
  if (typeof help !== 'object' || typeof hint !== 'object') return hint ?? help;
  const both = Object.entries(help).map(([language, text]) => [language, `${hint[language as keyof typeof hint] ?? hint.en} · ${text}`]);
  return { en: hint.en, ...Object.fromEntries(both) };
}

/** How a list of objects is drawn: its entries are added, copied, moved and removed. */
function listUi(section: ConfigSection, [option, list]: [string, EntryList], text: (text: Text | undefined) => string): JsonValue {
  const entry = Object.entries(entryProperties(section, option)).map(([key, { type }]): [string, Record<string, JsonValue>] => [
    key,
    {
      'ui:title': text(list.labels[key]) || key,
      ...(list.help?.[key] ? { 'ui:help': text(list.help[key]) } : {}),
      ...(list.secrets.includes(key) ? { 'ui:widget': 'password', 'ui:options': { autocomplete: 'new-password' } } : {}),
      ...(type === 'boolean' ? { 'ui:widget': 'select' } : {}),
    },
  ]);
  return { 'ui:copyable': true, items: Object.fromEntries(entry) };
}

/** The form of one section of settings, as rjsf draws it. `hints` are shown below the options, before what the document says of them. */
export async function sectionForm(
  section: ConfigSection,
  hints: Readonly<Record<string, Text>>,
  text: (text: Text | undefined) => string,
): Promise<FormModule> {
  const { labels, secrets, help = {}, lists = {} } = section;
  // Items of a list are named after its title.
  const titled = Object.entries(section.schema.properties).map(([key, property]) => [
    key,
    Object.hasOwn(lists, key) ? { ...property, title: text(labels[key]) || key } : property,
  ]);
  const schema: ConfigSection['schema'] = { ...section.schema, properties: Object.fromEntries(titled) };
  const ui = Object.fromEntries(
    Object.keys(schema.properties).map((key): [string, FieldUi] => {
      const [label, hint] = [labels[key], joined(help[key], hints[key])];
      const isBoolean = schema.properties[key]?.type === 'boolean';
      return [
        key,
        {
          ...(label === undefined ? {} : { 'ui:label': label }),
          ...(hint === undefined ? {} : { 'ui:hint': hint }),
          ...(secrets.includes(key) ? { 'ui:widget': 'password' as const, 'ui:autocomplete': 'new-password' } : {}),
          // Three answers: yes, no, and as it is.
          ...(isBoolean ? { 'ui:widget': 'select' as const } : {}),
        },
      ];
    }),
  );
  const form: FormFile = {
    $schema: '',
    id: `configuration/${section.id}`,
    title: section.title,
    surface: 'page',
    permission: 'create_multi_configuration',
    schema,
    ui,
    uiSchema: Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, listUi(section, [key, list], text)])),
    submit: { method: 'POST', path: '/devices/configurator/configure', success: { then: 'stay' } },
    examples: [],
  };
  // Items of a list are tried before they are added.
  await loadPatterns();
  return withValidator({ form, schema, validate: validatorFor(schema), parts: {}, hasOpenParts: false });
}

import type { WrittenForm } from './complete-form.ts';
import { exampleOf } from './example-of.ts';
import type { JsonSchema, JsonValue } from './types.ts';

export interface ImportedSchema {
  schema: JsonSchema;
  /** As react-jsonschema-form takes it. */
  uiSchema?: Record<string, JsonValue>;
  /** Data that fits; made up from the schema without one. */
  data?: JsonValue;
}

/**
 * A form file of a JSON schema: a page that hands what was entered to a program elsewhere (the webhook `elsewhere`), for those who manage forms. The
 * schema is taken over as it is. Pure; the linter says what of it cannot be used.
 */
export function importForm(id: string, { schema, uiSchema, data }: ImportedSchema): WrittenForm {
  const [, name = id] = id.split('/');
  const words = name.replaceAll('-', ' ');
  const { title = words.charAt(0).toUpperCase() + words.slice(1), description } = schema;
  return {
    $schema: '/schemas/form-v1.json',
    id,
    title: { en: title },
    ...(description === undefined ? {} : { description: { en: description } }),
    surface: 'page',
    permission: 'manage_forms',
    version: 1,
    schema,
    ...(uiSchema && Object.keys(uiSchema).length > 0 ? { uiSchema } : {}),
    submit: { webhook: { to: 'elsewhere' }, success: { message: { en: 'Handed over' }, then: 'stay' } },
    examples: [data ?? exampleOf(schema)],
  };
}

import type { FieldUi, JsonSchema, ObjectForm } from '../../schemas/kit/form/types.ts';

/** Numbers of fields that are measured. */
export const SIZES = [20, 100, 300] as const;
const IN_SECTION = 20;

const CHOICES = ['open', 'wpa2', 'wpa3', 'enterprise'];

function property(index: number): JsonSchema {
  const kind = index % 10;
  if (kind === 3 || kind === 7) return { type: 'integer', minimum: 0, maximum: 65_535 };
  if (kind === 4) return { type: 'string', enum: CHOICES };
  if (kind === 9) return { type: 'boolean' };
  return { type: 'string', maxLength: 100 };
}

/** A form of so many fields, six texts, two numbers, a choice and a checkbox in ten; from 100 on in sections of 20. Each tenth field depends on its section's first checkbox. */
export function bigForm(size: number): ObjectForm {
  const names = Array.from({ length: size }, (_, index) => `field_${index}`);
  const label = (name: string): FieldUi => ({ 'ui:label': { en: name.replace('_', ' ') }, 'ui:hint': { en: 'What to enter here' } });
  const sections = Array.from({ length: Math.ceil(size / IN_SECTION) }, (_, index) => ({
    title: { en: `Part ${index + 1}` },
    fields: names.slice(index * IN_SECTION, (index + 1) * IN_SECTION),
  }));
  return {
    $schema: '',
    id: `bench/size-${size}`,
    title: { en: 'Bench' },
    surface: 'page',
    permission: 'public',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: names.filter((_, index) => index % 10 === 0),
      properties: Object.fromEntries(names.map((name, index) => [name, property(index)])),
    },
    fields: Object.fromEntries(
      names.flatMap((name, index) => (index % 10 === 8 ? [[name, { depends: { [`field_${index + 1}`]: [true, false] } }]] : [])),
    ),
    ui: Object.fromEntries(names.map((name) => [name, label(name)])),
    ...(size > IN_SECTION ? { sections } : {}),
    submit: { method: 'POST', path: `/bench/${size}`, success: {} },
    examples: [],
  };
}

/** Where the keys are typed: a text in the middle of the first twenty fields. */
export const TYPED = 'field_10';

/** Every field has a value, so that those that depend on a checkbox are drawn. */
export function bigData(size: number): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Array.from({ length: size }, (_, index) => {
      const { type, enum: choices } = property(index);
      return [`field_${index}`, choices ? 'wpa2' : type === 'string' ? `value ${index}` : type === 'integer' ? index : false];
    }),
  );
}

import { FORBIDDEN_NAMES } from '../form/form-fields.ts';
import type { JsonSchema } from '../form/types.ts';

/** What a custom field holds. */
export const CUSTOM_TYPES = ['text', 'number', 'date', 'boolean', 'choice'] as const;
export type CustomType = (typeof CUSTOM_TYPES)[number];

/** A field that a company added to its devices. */
export interface CustomField {
  /** Its name in the API: `asset_number`. */
  name: string;
  /** Its name on screen; the same in all languages. */
  title: string;
  type: CustomType;
  /** Of a choice. */
  choices?: string[];
  required?: boolean;
}

export type CustomValue = string | number | boolean;
export type CustomValues = Record<string, CustomValue>;

/** How custom fields are named as columns, filters, sort keys and fields of files: `custom.asset_number`. */
export const CUSTOM_PREFIX = 'custom.';
/** The longest text that a field holds, in characters. */
export const MOST_CUSTOM_TEXT = 500;
const MOST_NUMBER = 1e15;
// `asset_number`
const NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Whether a field may be called so: `asset_number`. */
export const isCustomName = (name: string): boolean => NAME.test(name) && !FORBIDDEN_NAMES.has(name);

/** `custom.asset_number` → `asset_number`; undefined for a key that is none of these. */
export function customNameOf(key: string): string | undefined {
  const name = key.startsWith(CUSTOM_PREFIX) ? key.slice(CUSTOM_PREFIX.length) : '';
  return isCustomName(name) ? name : undefined;
}

function schemaOf({ title, type, choices = [] }: CustomField): JsonSchema {
  if (type === 'choice') return { title, type: 'string', enum: [...choices] };
  if (type === 'number') return { title, type: 'number', minimum: -MOST_NUMBER, maximum: MOST_NUMBER };
  if (type === 'boolean') return { title, type: 'boolean' };
  if (type === 'date') return { title, type: 'string', format: 'date' };
  return { title, type: 'string', minLength: 1, maxLength: MOST_CUSTOM_TEXT, format: 'line' };
}

/** The JSON Schema of an object with these fields as members; no others are allowed. */
export function customSchema(fields: readonly CustomField[]): JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> } {
  const required = fields.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function typeOf({ type, enum: choices, format }: JsonSchema): CustomType {
  if (choices) return 'choice';
  if (type === 'number' || type === 'boolean') return type;
  return format === 'date' ? 'date' : 'text';
}

/** The fields of a schema that `customSchema` made. */
export function customFields({ properties = {}, required = [] }: JsonSchema): CustomField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    title: typeof schema.title === 'string' ? schema.title : name,
    type: typeOf(schema),
    ...(schema.enum ? { choices: schema.enum.map(String) } : {}),
    ...(required.includes(name) ? { required: true } : {}),
  }));
}

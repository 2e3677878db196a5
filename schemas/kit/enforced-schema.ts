import type { FieldRule, FormFile, JsonSchema } from './types.ts';

/** Answers whether the person at hand holds a permission. */
export type Can = (permission: string) => boolean;

/** A schema of an object, as every form and body has one. */
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

/** The most devices that one call may name; more go by a query. */
export const MAX_DEVICE_IDS = 10_000;

const ID_LIMIT = Number.MAX_SAFE_INTEGER;

/** What `payload: "devices"` adds to a form's body: `device_id`, or `selection` with the count that the user saw, never both; `dry_run` asks for a preview; with `waves` devices get their turn so many at a time. */
export const selectionProperties: Record<string, JsonSchema> = {
  device_id: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: ID_LIMIT },
    minItems: 1,
    maxItems: MAX_DEVICE_IDS,
    uniqueItems: true,
  },
  selection: {
    type: 'object',
    additionalProperties: false,
    required: ['query', 'count'],
    properties: {
      query: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 2000 } },
      count: { type: 'integer', minimum: 0, maximum: ID_LIMIT },
    },
  },
  dry_run: { type: 'boolean' },
  waves: {
    type: 'object',
    additionalProperties: false,
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: MAX_DEVICE_IDS },
      stop_percent: { type: 'integer', minimum: 1, maximum: 100 },
    },
  },
};

const FORBIDDEN: JsonSchema = { not: {} };
const ONE_SELECTION: JsonSchema = {
  if: { type: 'object', required: ['selection'] },
  then: { properties: { device_id: FORBIDDEN } },
  else: { required: ['device_id'] },
};

function ruleOf(form: FormFile, name: string): FieldRule {
  const fields = form.fields ?? {};
  return Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {};
}

/** The names of the fields that somebody may see at all, whatever the data: a field that depends on a field out of reach is out of reach too. */
export function permittedFields(form: FormFile, can: Can = () => true): string[] {
  const all = Object.keys(form.schema.properties);
  let permitted = new Set(
    all.filter((name) => {
      const { permission } = ruleOf(form, name);
      return permission === undefined || can(permission);
    }),
  );
  for (;;) {
    const kept = new Set(
      [...permitted].filter((name) => Object.keys(ruleOf(form, name).depends ?? {}).every((other) => permitted.has(other))),
    );
    if (kept.size === permitted.size) return all.filter((name) => kept.has(name));
    permitted = kept;
  }
}

function whileShown(depends: NonNullable<FieldRule['depends']>): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(depends),
    properties: Object.fromEntries(Object.entries(depends).map(([name, values]) => [name, { enum: values }])),
  };
}

/**
 * The rules for a form's own fields: the file's schema, with each `depends` turned into a condition (a hidden field that is sent is refused;
 * a required one must be there while it exists) and without the fields that `can` refuses. Pure; the console checks with this one.
 */
export function fieldsSchema(form: FormFile, can?: Can): ObjectSchema {
  const permitted = permittedFields(form, can);
  const { properties, required = [], allOf = [], ...rest } = form.schema;
  const isRequired = (name: string): boolean => required.includes(name) || ruleOf(form, name).required === true;
  const conditions = permitted.flatMap((name): JsonSchema[] => {
    const { depends } = ruleOf(form, name);
    if (!depends) return [];
    return [{ if: whileShown(depends), then: isRequired(name) ? { required: [name] } : {}, else: { properties: { [name]: FORBIDDEN } } }];
  });
  const needed = permitted.filter((name) => isRequired(name) && !ruleOf(form, name).depends);
  const all = [...allOf, ...conditions];
  return {
    ...rest,
    type: 'object',
    ...(needed.length > 0 ? { required: needed } : {}),
    properties: Object.fromEntries(permitted.map((name) => [name, properties[name] ?? {}])),
    ...(all.length > 0 ? { allOf: all } : {}),
  };
}

/**
 * The JSON Schema that a body sent for this form must pass: the rules for its fields and, with `payload: "devices"`, for the selection
 * of devices that goes with them. Pure; the server compiles the answer.
 */
export function enforcedSchema(form: FormFile, can?: Can): ObjectSchema {
  const schema = fieldsSchema(form, can);
  if (form.submit.payload !== 'devices') return schema;
  return { ...schema, properties: { ...schema.properties, ...selectionProperties }, allOf: [...(schema.allOf ?? []), ONE_SELECTION] };
}

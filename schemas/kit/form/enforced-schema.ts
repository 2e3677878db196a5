import { withDefaultBounds } from './default-bounds.ts';
import { fieldsOf } from './form-fields.ts';
import type { FormField } from './form-fields.ts';
import type { FieldRule, FormFile, JsonPrimitive, JsonSchema } from './types.ts';

/** Answers whether the person at hand holds a permission. */
export type Can = (permission: string) => boolean;

/** A schema of an object, as a body has one. */
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

/** The most devices that one call may name; more go by a query. */
export const MAX_DEVICE_IDS = 10_000;

/** A job waits at most this long for devices that are offline: 30 days. */
export const MAX_WAIT_SECONDS = 30 * 24 * 3600;

const ID_LIMIT = Number.MAX_SAFE_INTEGER;

/** What `payload: "devices"` adds to a form's body: `device_id`, or `selection` with the count that the user saw, never both; `dry_run` asks for a preview; with `waves` devices get their turn so many at a time (`size`, or `size_percent` of them; `first` in the first wave, or all with the tag `first_tag_id`, with `approve` each further one waits to be let go on, and more failures than `stop_percent` end the job or, with `on_stop: "hold"`, pause it; with `newcomers` devices that match a selection later get their turn too); `starts_at` puts it off, and `wait_seconds` lets devices that are offline come back; `maintenance_window` says what becomes of devices outside their maintenance window; `reason` says why it is done, which companies may ask for. */
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
    if: { required: ['size_percent'] },
    else: { required: ['size'] },
    properties: {
      size: { type: 'integer', minimum: 1, maximum: MAX_DEVICE_IDS },
      size_percent: { type: 'integer', minimum: 1, maximum: 100 },
      first: { type: 'integer', minimum: 1, maximum: MAX_DEVICE_IDS },
      first_tag_id: { type: 'integer', minimum: 1, maximum: ID_LIMIT },
      newcomers: { type: 'boolean' },
      approve: { type: 'boolean' },
      stop_percent: { type: 'integer', minimum: 1, maximum: 100 },
      on_stop: { type: 'string', enum: ['end', 'hold'] },
      pause_seconds: { type: 'integer', minimum: 1, maximum: 3600 },
    },
  },
  starts_at: { type: 'string', format: 'timestamp' },
  wait_seconds: { type: 'integer', minimum: 60, maximum: MAX_WAIT_SECONDS },
  maintenance_window: { type: 'string', enum: ['wait', 'refuse', 'now'] },
  reason: { type: 'string', maxLength: 500 },
};

const FORBIDDEN: JsonSchema = { not: {} };
const ONE_SELECTION: JsonSchema = {
  if: { type: 'object', required: ['selection'] },
  then: { properties: { device_id: FORBIDDEN } },
  else: { required: ['device_id'] },
};

type Depends = NonNullable<FieldRule['depends']>;

/** Whether each named field exists and holds one of the listed values. `holds` answers for one of them. */
export function isMet(depends: Depends | undefined, holds: (path: string, values: readonly JsonPrimitive[]) => boolean): boolean {
  return Object.entries(depends ?? {}).every(([path, values]) => holds(path, values));
}

/**
 * The paths of the fields that somebody may see at all, whatever the data: a field in a group out of reach, or that depends on a field out of
 * reach, is out of reach too.
 */
export function permittedFields(form: FormFile, can: Can = () => true): string[] {
  const fields = [...fieldsOf(form).values()];
  let permitted = new Set(fields.filter(({ rule }) => rule.permission === undefined || can(rule.permission)).map(({ path }) => path));
  for (;;) {
    const kept = fields.filter(
      ({ path, parent, rule }) =>
        permitted.has(path) && (parent === '' || permitted.has(parent)) && isMet(rule.depends, (other) => permitted.has(other)),
    );
    if (kept.length === permitted.size) return kept.map(({ path }) => path);
    permitted = new Set(kept.map(({ path }) => path));
  }
}

/** Everything that a dependency asks for: each value is there, and is one of those listed. */
function whileShown(depends: Depends): JsonSchema {
  const conditions = Object.entries(depends).map(([path, values]) =>
    path
      .split('.')
      .reduceRight<JsonSchema>((inner, name) => ({ type: 'object', required: [name], properties: { [name]: inner } }), { enum: values }),
  );
  return { allOf: conditions };
}

/** A rule for the group at a path, put where the whole form is checked; for the form itself when the path is empty. */
function inside(group: string, rule: JsonSchema): JsonSchema {
  return group === '' ? rule : group.split('.').reduceRight<JsonSchema>((inner, name) => ({ properties: { [name]: inner } }), rule);
}

/**
 * The rules for a form's own fields: the file's schema, with each `depends` turned into a condition (a hidden field that is sent is refused;
 * a required one must be there while it exists) and without the fields that `can` refuses. Pure; the console checks with this one.
 * What the file leaves unbounded gets `DEFAULT_BOUNDS`. `asks` says of whom a required field with a permission is asked, where that is not everybody who may send it.
 */
export function fieldsSchema(form: FormFile, can?: Can, asks: Can = () => true): JsonSchema {
  const all = fieldsOf(form);
  const permitted = permittedFields(form, can).flatMap((path) => all.get(path) ?? []);
  const isAsked = ({ isRequired, rule }: FormField): boolean => isRequired && (rule.permission === undefined || asks(rule.permission));
  const byParent = Map.groupBy(permitted, ({ parent }) => parent);

  function levelSchema(level: JsonSchema, path: string): JsonSchema {
    if (!level.properties) return level;
    const { required: listed = [], ...rest } = level;
    const prefix = path === '' ? '' : `${path}.`;
    const fields = byParent.get(path) ?? [];
    // What is required without being a field of this level may come from a condition.
    const foreign = listed.filter((name) => !all.has(prefix + name));
    // Where other members may be, one that is out of reach would be one of those.
    const isOpen = level.additionalProperties !== false || level.patternProperties !== undefined;
    const refused = isOpen ? Object.keys(level.properties).filter((name) => !fields.some((field) => field.name === name)) : [];
    const needed = [...fields.filter((field) => isAsked(field) && !field.rule.depends).map(({ name }) => name), ...foreign];
    return {
      ...rest,
      ...(needed.length > 0 ? { required: needed } : {}),
      properties: Object.fromEntries([
        ...fields.map((field): [string, JsonSchema] => [field.name, field.isGroup ? levelSchema(field.schema, field.path) : field.schema]),
        ...refused.map((name): [string, JsonSchema] => [name, FORBIDDEN]),
      ]),
    };
  }

  const conditions = permitted.flatMap((field): JsonSchema[] => {
    const { name, parent, rule } = field;
    if (!rule.depends) return [];
    return [
      {
        if: whileShown(rule.depends),
        then: isAsked(field) ? inside(parent, { required: [name] }) : {},
        else: inside(parent, { properties: { [name]: FORBIDDEN } }),
      },
    ];
  });
  const { allOf = [], ...schema } = withDefaultBounds(levelSchema(form.schema, ''));
  return allOf.length + conditions.length > 0 ? { ...schema, allOf: [...allOf, ...conditions] } : schema;
}

/**
 * The JSON Schema that a body sent for this form must pass: the rules for its fields and, with `payload: "devices"`, for the selection
 * of devices that goes with them, no more than the form's own field for devices may hold. Pure; the server compiles the answer.
 */
export function enforcedSchema(form: FormFile, can?: Can, asks?: Can): JsonSchema {
  const schema = fieldsSchema(form, can, asks);
  if (form.submit.payload !== 'devices') return schema;
  const { maxItems = MAX_DEVICE_IDS } = form.schema.properties?.['device_id'] ?? {};
  const device_id = { ...selectionProperties['device_id'], maxItems: Math.min(maxItems, MAX_DEVICE_IDS) };
  return {
    ...schema,
    properties: { ...schema.properties, ...selectionProperties, device_id },
    allOf: [...(schema.allOf ?? []), ONE_SELECTION],
  };
}

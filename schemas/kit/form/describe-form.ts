import { enforcedSchema, permittedFields, type Can } from './enforced-schema.ts';
import { fieldsOf, isMembers } from './form-fields.ts';
import { targetOf } from './refs.ts';
import { itemOf, typesOf } from './schema-parts.ts';
import type { FormFile, JsonPrimitive, JsonSchema, JsonValue, Text } from './types.ts';

/** A rule of a field in words: an i18n key (`form_docs.rules.<name>`) and its parameters. */
export interface RuleWords {
  key: string;
  params: Record<string, JsonPrimitive>;
}

/** A field, or a member of one that is no field of the form itself. */
export interface MemberDescription {
  name: string;
  /** `integer`, `string`, `array of string`. */
  type: string;
  required: boolean;
  rules: RuleWords[];
  /** What is in a group, or in each item of a list of groups, where those are no fields of the form; those of a type that holds itself are said once. */
  members: MemberDescription[];
}

export interface FieldDescription extends MemberDescription {
  /** `undefined`: the usual label of a field of this name. */
  label: Text | undefined;
  hint: Text | undefined;
  /** The field exists only while these hold one of these values. */
  depends: Record<string, JsonPrimitive[]>;
  permission: string | undefined;
  since: number | undefined;
  deprecated: Text | undefined;
}

/** A form as on its page of documentation. */
export interface FormDescription {
  id: string;
  title: Text;
  description: Text | undefined;
  permission: string;
  version: number;
  place: FormFile['place'];
  fields: FieldDescription[];
  /** The call that it makes: `path` below `/api`, with `{id}` in place of a record's number. */
  request: { method: string; path: string; body: JsonValue; schema: JsonSchema };
}

const COUNTED = ['minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems'] as const;

/** A type in words; what is put together of several schemas names them: `one of string, integer`. */
function typeOf(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  if (schema.$ref !== undefined) {
    const target = targetOf(schema.$ref, root);
    return target && depth < 3 ? typeOf(target, root, depth + 1) : (schema.$ref.split('/').at(-1) ?? 'any');
  }
  const item = itemOf(schema);
  const types = typesOf(schema).map((one) => (one === 'array' && item ? `array of ${typeOf(item, root, depth + 1)}` : one));
  const choices = schema.oneOf ?? schema.anyOf;
  if (types.length === 0 && choices && depth < 3)
    return `one of ${[...new Set(choices.map((choice) => typeOf(choice, root, depth + 1)))].join(', ')}`;
  if (types.length > 0) return types.join(' | ');
  if (schema.enum)
    return [...new Set(schema.enum.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))].join(' | ');
  return schema.properties ? 'object' : 'any';
}

const MAX_REFS = 20;

/** A schema with what its reference leads to in it. */
function followed(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let whole = schema;
  for (let count = 0; whole.$ref !== undefined && count < MAX_REFS; count++) {
    const { $ref, ...others } = whole;
    const target = targetOf($ref, root);
    if (!target || target === root) return others;
    whole = { ...target, ...others };
  }
  return whole;
}

/** That an empty text or list is none, and that a number is one that computers count with. */
function goesWithoutSaying(rule: (typeof COUNTED)[number], value: JsonPrimitive | undefined): boolean {
  return value === (rule === 'maximum' ? Number.MAX_SAFE_INTEGER : rule === 'minLength' || rule === 'minItems' ? 1 : undefined);
}

function rulesOf(schema: JsonSchema): RuleWords[] {
  const words = (name: string, value?: JsonPrimitive): RuleWords => ({
    key: `form_docs.rules.${name}`,
    params: value === undefined ? {} : { value },
  });
  return [
    ...COUNTED.filter((name) => schema[name] !== undefined && !goesWithoutSaying(name, schema[name])).map((name) =>
      words(name, schema[name]),
    ),
    ...(schema.uniqueItems ? [words('uniqueItems')] : []),
    ...(schema.enum ? [words('enum', schema.enum.map((value) => JSON.stringify(value)).join(', '))] : []),
    ...(schema.format === undefined ? [] : [words('format', schema.format)]),
    ...(schema.pattern === undefined ? [] : [words('pattern', schema.pattern)]),
    ...(schema.default === undefined ? [] : [words('default', JSON.stringify(schema.default))]),
  ];
}

/** The members of a group, or of each item of a list; `path`: the schemas that it is in. */
function membersOf(schema: JsonSchema, root: JsonSchema, path: readonly JsonSchema[] = []): MemberDescription[] {
  const whole = followed(schema, root);
  const item = itemOf(whole);
  if (item) return membersOf(item, root, path);
  const { properties = {}, required = [] } = whole;
  if (path.some((outer) => outer.properties === whole.properties)) return [];
  return Object.entries(properties).map(([name, member]) => ({
    name,
    type: typeOf(member, root),
    required: required.includes(name),
    rules: rulesOf(followed(member, root)),
    members: membersOf(member, root, [...path, whole]),
  }));
}

/** What there is to say about a form, from the file alone; fields that `can` refuses are left out. Pure. */
export function describeForm(form: FormFile, can?: Can): FormDescription {
  const schema = enforcedSchema(form, can);
  const whole = followed(form.schema, form.schema);
  const ownFields = permittedFields(form, can);
  const foreignFields = form.schema.properties ? [] : Object.keys(whole.properties ?? {});
  const fields = [...ownFields, ...foreignFields].map((name): FieldDescription => {
    const property = fieldsOf(form).get(name)?.schema ?? whole.properties?.[name] ?? {};
    const rule = form.fields && Object.hasOwn(form.fields, name) ? form.fields[name] : undefined;
    const ui = form.ui && Object.hasOwn(form.ui, name) ? form.ui[name] : undefined;
    return {
      name,
      label: ui?.['ui:label'],
      hint: ui?.['ui:hint'],
      type: typeOf(property, form.schema),
      required: (fieldsOf(form).get(name)?.isRequired ?? whole.required?.includes(name)) === true,
      depends: rule?.depends ?? {},
      permission: rule?.permission,
      since: rule?.since,
      deprecated: rule?.deprecated,
      rules: rulesOf(followed(property, form.schema)),
      members: ownFields.some((other) => other.startsWith(`${name}.`)) ? [] : membersOf(property, form.schema),
    };
  });
  const known = new Set(fields.map(({ name }) => name));
  const [example = {}] = form.examples;
  const isClosed = form.schema.properties !== undefined && form.schema.additionalProperties === false;
  const refused = (name: string): boolean => (isClosed || Object.hasOwn(form.schema.properties ?? {}, name)) && !known.has(name);
  const body = isMembers(example) ? Object.fromEntries(Object.entries(example).filter(([name]) => !refused(name))) : example;
  const { method, path, payload } = form.submit;
  return {
    id: form.id,
    title: form.title,
    description: form.description,
    permission: form.permission,
    version: form.version ?? 1,
    place: form.place,
    fields,
    request: {
      method,
      path,
      body: payload === 'devices' && isMembers(body) && !('device_id' in body) ? { ...body, device_id: [1] } : body,
      schema,
    },
  };
}

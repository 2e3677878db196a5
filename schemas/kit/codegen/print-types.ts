import { itemOf } from '../form/schema-parts.ts';
import type { Contract, EventPayload, FormFile, JsonSchema } from '../form/types.ts';

const HEADER = '// Made by `npm run gen` from the files in schemas/. Do not edit.\n';

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map(quote).join(' | ');
}

const PRIMITIVES: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

function printOne(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'array') {
    if (Array.isArray(schema.items))
      return `[${schema.items.map((one) => printType(one, indent)).join(', ')}${schema.additionalItems === false ? '' : ', ...unknown[]'}]`;
    const one = itemOf(schema);
    const item = one ? printType(one, indent) : 'unknown';
    return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object') return printObject(schema, indent);
  return PRIMITIVES[type] ?? 'unknown';
}

/** The TypeScript type of a value that the schema accepts; bounds, patterns and conditions are left to the validators. */
export function printType(schema: JsonSchema, indent = ''): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const choices = schema.oneOf ?? schema.anyOf;
  // A reference may lead round in a circle, and what conditions add is not known before there is data.
  if (schema.$ref !== undefined || (choices && !schema.properties)) {
    return choices && schema.$ref === undefined
      ? [...new Set(choices.map((choice) => printType({ ...schema, oneOf: undefined, anyOf: undefined, ...choice }, indent)))].join(' | ')
      : 'unknown';
  }
  if (schema.type === undefined) return schema.properties ? printObject(schema, indent) : 'unknown';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => printOne(type, schema, indent)).join(' | ');
}

function printObject(schema: JsonSchema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const comment = property.description ? `${inner}/** ${property.description} */\n` : '';
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment}${inner}${propertyName(name)}${mark}: ${printType(property, inner)};`;
  });
  const isOpen = [schema.allOf, schema.oneOf, schema.anyOf, schema.if, schema.dependencies, schema.patternProperties].some(
    (part) => part !== undefined,
  );
  return `{\n${lines.join('\n')}\n${indent}}${isOpen ? ' & Record<string, unknown>' : ''}`;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function formData(form: FormFile): string {
  return printType(form.schema, '  ');
}

function eventPayload(payload: EventPayload): string {
  if (!('entity' in payload)) return printType(payload, '  ');
  const record = pascal(payload.entity);
  return payload.partial ? `Partial<${record}> & { id: number }` : record;
}

function map(name: string, comment: string, entries: [string, string][]): string {
  const lines = entries.map(([key, type]) => `  ${propertyName(key)}: ${type};`);
  return `/** ${comment} */\nexport interface ${name} {\n${lines.join('\n')}\n}\n`;
}

/** The text of a module that types what each of some forms takes: `FormData['ops/set-apn']`, device selection aside. */
export function printFormTypes(forms: readonly FormFile[]): string {
  return map(
    'FormData',
    'What each form sends, device selection aside.',
    forms.map((form) => [form.id, formData(form)]),
  );
}

/** The text of `_generated/contract.ts` for a contract: one import gives both sides every name and record type. */
export function printContract(contract: Contract): string {
  const entities = Object.values(contract.entities);
  const permissions = contract.permissions.permissions.map((permission) => permission.name);
  const parts = [
    HEADER,
    ...entities.map((entity) => `export interface ${pascal(entity.id)} ${printType(entity.schema)}\n`),
    map(
      'Entities',
      'The record of each entity, as the API returns it.',
      entities.map(({ id }) => [id, pascal(id)]),
    ),
    `export type EntityName = keyof Entities;\n`,
    map(
      'EntityFields',
      'The field names of each entity.',
      entities.map(({ id, schema }) => [id, union(Object.keys(schema.properties))]),
    ),
    printFormTypes(Object.values(contract.forms)),
    `export type FormId = keyof FormData;\n`,
    `export const permissionNames = [\n${permissions.map((name) => `  ${quote(name)},\n`).join('')}] as const;\n`,
    `export type PermissionName = (typeof permissionNames)[number];\n`,
    `export type ErrorCode =\n${Object.keys(contract.errors.errors)
      .map((code) => `  | ${quote(code)}`)
      .join('\n')};\n`,
    `export type LookupName = ${union(Object.keys(contract.lookups.lookups))};\n`,
    `export type HelpKey = ${union(Object.keys(contract.help.help))};\n`,
    map(
      'EventPayloads',
      'What each live event carries.',
      Object.entries(contract.events.events).map(([name, event]) => [name, eventPayload(event.payload)]),
    ),
    `export type EventName = keyof EventPayloads;\n`,
  ];
  return parts.join('\n');
}

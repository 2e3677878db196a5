import { targetOf } from '../form/refs.ts';
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

/** The name of the type that a reference leads to. */
type RefName = (ref: string) => string | undefined;

function printOne(type: string, schema: JsonSchema, indent: string, refName: RefName): string {
  if (type === 'array') {
    if (Array.isArray(schema.items))
      return `[${schema.items.map((one) => printType(one, indent, refName)).join(', ')}${schema.additionalItems === false ? '' : ', ...unknown[]'}]`;
    const one = itemOf(schema);
    const item = one ? printType(one, indent, refName) : 'unknown';
    return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object') return printObject(schema, indent, refName);
  return PRIMITIVES[type] ?? 'unknown';
}

/**
 * The TypeScript type of a value that the schema accepts; bounds, patterns and conditions are left to the validators. `refName` names the types of
 * references, which may lead round in a circle.
 */
export function printType(schema: JsonSchema, indent = '', refName: RefName = () => undefined): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.$ref !== undefined) return refName(schema.$ref) ?? 'unknown';
  const choices = schema.oneOf ?? schema.anyOf;
  // What conditions add is not known before there is data.
  if (choices && !schema.properties) {
    const { oneOf: _oneOf, anyOf: _anyOf, ...shared } = schema;
    return [...new Set(choices.map((choice) => printType({ ...shared, ...choice }, indent, refName)))].join(' | ');
  }
  if (schema.type === undefined) return schema.properties ? printObject(schema, indent, refName) : 'unknown';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => printOne(type, schema, indent, refName)).join(' | ');
}

function printObject(schema: JsonSchema, indent: string, refName: RefName): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const comment = property.description ? `${inner}/** ${property.description} */\n` : '';
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment}${inner}${propertyName(name)}${mark}: ${printType(property, inner, refName)};`;
  });
  const isOpen = [schema.allOf, schema.oneOf, schema.anyOf, schema.if, schema.dependencies, schema.patternProperties].some(
    (part) => part !== undefined,
  );
  return `{\n${lines.join('\n')}\n${indent}}${isOpen ? ' & Record<string, unknown>' : ''}`;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** Types of what references in some forms lead to. */
interface NamedTypes {
  refNameIn: (form: FormFile) => RefName;
  /** The texts of all types that were named so far, and of those that they name. */
  print: () => string[];
}

function nameTypes(): NamedTypes {
  const texts = new Map<string, string>();
  const refNameIn = (form: FormFile): RefName => {
    const names = new Map<string, string>([['#', `FormData[${quote(form.id)}]`]]);
    const refName = (ref: string): string | undefined => {
      const known = names.get(ref);
      const target = targetOf(ref, form.schema);
      if (known !== undefined || !target) return known;
      const own = pascal(`${form.id}-${ref.split('/').at(-1) ?? ''}`.replaceAll(/[^A-Za-z0-9]+/g, '-'));
      const name = texts.has(own) ? `${own}${texts.size}` : own;
      names.set(ref, name);
      texts.set(name, '');
      texts.set(name, `export type ${name} = ${printType(target, '', refName)};\n`);
      return name;
    };
    return refName;
  };
  return { refNameIn, print: () => [...texts.values()] };
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
  const named = nameTypes();
  const formData = map(
    'FormData',
    'What each form sends, device selection aside.',
    forms.map((form) => [form.id, printType(form.schema, '  ', named.refNameIn(form))]),
  );
  return [formData, ...named.print()].join('\n');
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

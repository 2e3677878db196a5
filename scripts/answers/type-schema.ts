import { ts } from '@ts-morph/common';
import type { EntityFile, JsonSchema } from '../../schemas/kit/form/types.ts';
import { projectFolder } from './read-server.ts';

const COMPONENTS = '#/components/schemas/';
/** Components that every description has. */
const TAKEN = new Set(['ErrorItem', 'Meta', 'Envelope', 'ListEnvelope', 'Failure']);
/** Types whose values are as free as JSON Schema or JSON itself. */
const FREE: Readonly<Record<string, JsonSchema>> = {
  JsonValue: {},
  JsonSchema: { type: ['object', 'boolean'], description: 'A JSON Schema.' },
  ObjectSchema: { type: 'object', description: 'A JSON Schema.' },
  FormFile: { type: 'object', description: 'A form file.' },
  ObjectForm: { type: 'object', description: 'A form file.' },
};

/** `device_id` → `DeviceId` */
function toTypeName(entity: string): string {
  return entity.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function isWhole(name: string | undefined): boolean {
  return name !== undefined && /^(id|count|total|.*_(id|ids|count))$/.test(name);
}

/** Joins the schemas of a union: `string | null` is one schema with two types, texts are an enum. */
function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first] = different;
  if (first === undefined) return {};
  if (different.length === 1) return first;
  // One that takes anything takes the others as well.
  if (different.some((schema) => Object.keys(schema).length === 0)) return {};
  const isBare = (schema: JsonSchema): boolean => Object.keys(schema).length === 1 && typeof schema.type === 'string';
  if (different.every(isBare)) return { type: different.flatMap(({ type }) => type ?? []) };
  const [nothing, others] = [different.filter(({ type }) => type === 'null'), different.filter(({ type }) => type !== 'null')];
  const [only, ...more] = others;
  if (nothing.length > 0 && only && more.length === 0 && typeof only.type === 'string')
    return { ...only, type: [only.type, 'null'], ...(only.enum ? { enum: [...only.enum, null] } : {}) };
  return { anyOf: different };
}

/** A writer of JSON Schemas for the values of types as they are sent. Records of the contract are referred to; types that hold themselves go into `components`. */
export function createSchemaWriter(checker: ts.TypeChecker, entities: readonly EntityFile[]) {
  const components = new Map<string, JsonSchema>();
  const entityOf = new Map(entities.map(({ id }) => [toTypeName(id), id]));
  const isOfContract = (symbol: ts.Symbol): boolean =>
    symbol.declarations?.[0]?.getSourceFile().fileName === `${projectFolder}schemas/_generated/contract.ts`;
  const owners = new Map<string, ts.Type>();
  /** The name of an interface of this project, which becomes a component; of two with one name the first does. */
  const ownName = (type: ts.Type): string | undefined => {
    const symbol = type.getSymbol();
    const isInterface = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Interface) !== 0;
    const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
    const isWhole = isInterface && checker.getTypeArguments(type as ts.TypeReference).length === 0;
    return isWhole && file.startsWith(projectFolder) && !file.includes('/node_modules/') && !TAKEN.has(symbol.name)
      ? symbol.name
      : undefined;
  };
  const named = (type: ts.Type): JsonSchema | undefined => {
    const [whole] = type.aliasTypeArguments ?? [];
    // Members of records may be missing anyway.
    if (whole && ['Partial', 'Required', 'Readonly'].includes(type.aliasSymbol?.name ?? '')) return named(whole);
    if (type.isIntersection()) return combine(type.types);
    for (const symbol of [type.aliasSymbol, type.getSymbol()]) {
      if (!symbol) continue;
      const free = FREE[symbol.name];
      if (free) return free;
      const entity = isOfContract(symbol) ? entityOf.get(symbol.name) : undefined;
      if (entity !== undefined) return { $ref: `${COMPONENTS}${entity}` };
    }
    return undefined;
  };
  /** A record of the contract with more members. */
  const combine = (parts: readonly ts.Type[]): JsonSchema | undefined => {
    const records = parts.flatMap((part) => named(part) ?? []);
    if (records.length === 0) return undefined;
    const others = parts.filter((part) => !named(part) && checker.getPropertiesOfType(part).length > 0).map(objectOf);
    const [record] = records;
    // A schema or a form stays one, whatever is known besides.
    if (record && record.$ref === undefined) return record;
    return others.length === 0 && records.length === 1 ? record : { allOf: [...records, ...others] };
  };
  const describe = (symbol: ts.Symbol): { description?: string } => {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
    return text === '' ? {} : { description: text.replaceAll(/\s+/g, ' ') };
  };
  const underWay: ts.Type[] = [];
  const objectOf = (type: ts.Type): JsonSchema => {
    if (underWay.includes(type)) throw new Error(`${checker.typeToString(type)} holds itself: make it an interface`);
    underWay.push(type);
    const schema = membersOf(type);
    underWay.pop();
    return schema;
  };
  const membersOf = (type: ts.Type): JsonSchema => {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const member = checker.getTypeOfSymbol(symbol);
      if (symbol.name.startsWith('__@') || member.getCallSignatures().length > 0) continue;
      const mayMiss = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || contains(member, ts.TypeFlags.Undefined);
      if (!mayMiss) required.push(symbol.name);
      const schema = schemaOf(member, symbol.name);
      properties[symbol.name] = schema.$ref === undefined ? { ...schema, ...describe(symbol) } : schema;
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String) ?? checker.getIndexInfoOfType(type, ts.IndexKind.Number);
    const names = Object.keys(properties);
    return {
      type: 'object',
      ...(names.length > 0 || !index ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index ? { additionalProperties: schemaOf(index.type) } : {}),
    };
  };
  const listOf = (type: ts.TypeReference, name: string | undefined): JsonSchema => {
    const parts = checker.getTypeArguments(type);
    return { type: 'array', items: joinSchemas(parts.map((part) => schemaOf(part, name))) };
  };
  const contains = (type: ts.Type, flag: ts.TypeFlags): boolean =>
    (type.flags & flag) !== 0 || (type.isUnion() && type.types.some((part) => contains(part, flag)));
  const unionOf = (type: ts.UnionType, name: string | undefined): JsonSchema => {
    const parts = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    const texts = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const others = parts.filter((part) => !part.isStringLiteral());
    const schemas = others.map((part) => schemaOf(part, name));
    return joinSchemas([...(texts.length > 0 ? [{ type: 'string', enum: texts.toSorted() } satisfies JsonSchema] : []), ...schemas]);
  };
  const plainOf = ({ flags }: ts.Type, name: string | undefined): JsonSchema | undefined => {
    if (flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: isWhole(name) ? 'integer' : 'number' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
    return flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown) ? {} : undefined;
  };
  const schemaOf = (wrapped: ts.Type, name?: string): JsonSchema => {
    const type = checker.getAwaitedType(wrapped) ?? wrapped;
    const known = named(type);
    if (known) return known;
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
    if (type.isUnion() && (type.flags & ts.TypeFlags.Boolean) === 0) return unionOf(type, name);
    const plain = plainOf(type, name);
    if (plain) return plain;
    if (checker.isArrayType(type) || checker.isTupleType(type)) return listOf(type as ts.TypeReference, name);
    const own = ownName(type);
    if (own === undefined) return objectOf(type);
    const owner = owners.get(own);
    if (owner === undefined) {
      owners.set(own, type);
      components.set(own, objectOf(type));
    }
    return owner === undefined || owner === type ? { $ref: `${COMPONENTS}${own}` } : objectOf(type);
  };
  return { schemaOf, joinSchemas, components };
}

import { isMembers } from '../../../schemas/kit/form/form-fields.ts';
import { isSchema, typesOf } from '../../../schemas/kit/form/schema-parts.ts';
import { targetOf } from '../../../schemas/kit/form/refs.ts';
import { isNothing, isUnfilledList } from './unfilled.ts';
import { ADDITIONAL_PROPERTY_FLAG, type RJSFSchema, type SchemaUtilsType } from '@rjsf/utils';
import type { JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';

/** What a value is drawn by. */
export interface ShownBy {
  utils: SchemaUtilsType;
  root: RJSFSchema;
  /** The position of the choice that is drawn at a node, by `choiceKey`; `undefined` where none is on screen. */
  choiceAt: (key: string) => number | undefined;
  /** Whether somebody has made that choice. */
  isChosen: (key: string) => boolean;
  /** Hears of the schema that is drawn where there are several to choose from. */
  onChoice?: (key: string, choice: JsonSchema) => void;
}

/** What the choice between several schemas at a node goes by: the chosen one may offer a further choice at the same node. */
export function choiceKey(key: string, keyword: 'oneOf' | 'anyOf', count: number): string {
  return `${key} ${keyword} ${count}`;
}

const MAX_LEVELS = 40;
/** Below these are members that are there only sometimes. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'then', 'else'] as const;

/** The names of all members that a schema may draw, whatever the data. */
function namesIn(schema: JsonSchema, root: JsonSchema, into = new Set<string>(), seen = new Set<JsonSchema>()): Set<string> {
  if (seen.has(schema)) return into;
  seen.add(schema);
  for (const name of Object.keys(schema.properties ?? {})) into.add(name);
  const target = schema.$ref === undefined ? undefined : targetOf(schema.$ref, root);
  const parts = [
    target,
    ...BRANCHES.flatMap((keyword): unknown[] => [schema[keyword]].flat()),
    ...Object.values(schema.dependencies ?? {}),
    ...Object.values(schema.dependentSchemas ?? {}),
  ];
  for (const part of parts) if (isSchema(part)) namesIn(part, root, into, seen);
  return into;
}

/**
 * What of a value is drawn, at any depth: members of branches that do not apply are left out (`then`, `else`, `dependencies`, other choices), a choice that
 * has nothing to enter is null, and required lists without an item are there. Members that no branch names stay. Pure.
 */
export function shownValue(by: ShownBy, schema: JsonSchema, value: JsonValue | undefined): JsonValue | undefined {
  return shownAt(by, schema, value, '', 0);
}

function shownAt(by: ShownBy, written: JsonSchema, value: JsonValue | undefined, key: string, level: number): JsonValue | undefined {
  if (level > MAX_LEVELS) return value;
  const schema = by.utils.retrieveSchema(written as RJSFSchema, value) as JsonSchema;
  const { required, ...drawn } = withChoices(by, schema, value, key);
  if (drawn.isChoice && drawn.type === 'null' && isNothing(value)) return null;
  if (Array.isArray(value)) return value.map((item, index) => shownItem(by, drawn, item, { index, key, level }));
  if (!isMembers(value)) return value;
  const active: Record<string, unknown> = drawn.properties ?? {};
  const known = namesIn(written, by.root as JsonSchema, namesIn(schema, by.root as JsonSchema));
  const prefix = key === '' ? '' : `${key}.`;
  const members = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    if (inner === undefined) return [];
    const member = Object.hasOwn(active, name) ? active[name] : undefined;
    if (member === false || (member === undefined && known.has(name))) return [];
    const entered = inner === null && isSchema(member) && ADDITIONAL_PROPERTY_FLAG in member ? emptyAdded(member) : inner;
    const shown = isSchema(member) ? shownAt(by, member, entered, prefix + name, level + 1) : entered;
    if (shown === undefined) return [];
    // What is optional and was only drawn is not there.
    const isEmpty = isSchema(member) && ((isMembers(shown) && isNothing(shown)) || isUnfilledList(member, shown));
    return isEmpty && !required.includes(name) && !(ADDITIONAL_PROPERTY_FLAG in member) ? [] : [[name, shown]];
  });
  const nulls = Object.entries(active).flatMap(([name, member]): [string, null][] => {
    if (value[name] !== undefined || !isSchema(member)) return [];
    const isSent = by.isChosen(prefix + name) || required.includes(name);
    return isSent && isChoice(member, by) && shownAt(by, member, undefined, prefix + name, level + 1) === null ? [[name, null]] : [];
  });
  return Object.fromEntries([...members, ...nulls, ...emptyLists({ ...drawn, required }, value)]);
}

const EMPTY: Readonly<Record<string, JsonValue>> = { boolean: false, string: '', array: [], object: {} };

/** What a new member is while nothing is entered, which rjsf has as null whatever its type. */
function emptyAdded(schema: JsonSchema): JsonValue {
  const [type = '', ...others] = typesOf(schema);
  return others.length === 0 ? (EMPTY[type] ?? null) : null;
}

/** Lists that are asked for and may be without items, where nothing was entered. */
function emptyLists({ required = [], properties = {} }: JsonSchema, value: Readonly<Record<string, unknown>>): [string, JsonValue][] {
  return required.flatMap((name): [string, JsonValue][] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isEmptyList =
      isSchema(member) && member.type === 'array' && !member.minItems && member.uniqueItems !== true && !isSchema(member.contains);
    return isEmptyList && value[name] === undefined ? [[name, []]] : [];
  });
}

function shownItem(
  by: ShownBy,
  { items, prefixItems, additionalItems }: JsonSchema,
  item: JsonValue,
  { index, key, level }: { index: number; key: string; level: number },
): JsonValue {
  const tuple = prefixItems ?? (Array.isArray(items) ? items : undefined);
  const schema = tuple ? (tuple[index] ?? (prefixItems ? items : additionalItems)) : items;
  if (!isSchema(schema)) return item;
  return shownAt(by, schema, item, key === '' ? String(index) : `${key}.${index}`, level + 1) ?? null;
}

function isChoice({ $ref, oneOf, anyOf }: JsonSchema, { root }: ShownBy): boolean {
  const target = $ref === undefined ? undefined : targetOf($ref, root as JsonSchema);
  return oneOf !== undefined || anyOf !== undefined || target?.oneOf !== undefined || target?.anyOf !== undefined;
}

/** A schema with what is drawn of its choices in it, and of the choices in these. */
function withChoices(
  by: ShownBy,
  outer: JsonSchema,
  value: JsonValue | undefined,
  key: string,
): JsonSchema & { required: string[]; isChoice: boolean } {
  let merged = { ...outer, required: outer.required ?? [], isChoice: false };
  let schema: JsonSchema | undefined = outer;
  for (let depth = 0; depth < MAX_LEVELS; depth++) {
    schema = choiceOf(by, schema, value, key);
    if (!schema) break;
    const properties = { ...merged.properties, ...schema.properties };
    merged = { ...merged, ...schema, properties, required: [...merged.required, ...(schema.required ?? [])], isChoice: true };
  }
  return merged;
}

/** The choice that is drawn for a value; `undefined` where the schema offers none, or as a list of values. */
function choiceOf(by: ShownBy, schema: JsonSchema, value: JsonValue | undefined, key: string): JsonSchema | undefined {
  const choices = schema.anyOf ?? schema.oneOf;
  if (!choices || by.utils.isSelect(schema as RJSFSchema)) return undefined;
  const options = choices.map((option) => by.utils.retrieveSchema(isSchema(option) ? (option as RJSFSchema) : {}, value));
  const keyword = schema.anyOf ? 'anyOf' : 'oneOf';
  const index =
    by.choiceAt(choiceKey(key, keyword, choices.length)) ??
    by.utils.getClosestMatchingOption(value, options, 0, schema.discriminator?.propertyName);
  const written = choices[index];
  if (isSchema(written)) by.onChoice?.(key, written);
  return options[index] as JsonSchema | undefined;
}

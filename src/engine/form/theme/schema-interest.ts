import { findSchemaDefinition, type RJSFSchema } from '@rjsf/utils';

/**
 * How much of its data a node has to know to be drawn: nothing (`leaf`: its control follows the value itself), whether it was replaced (`whole`),
 * all that is in it (`deep`), or the members of those names.
 */
export type NodeInterest = 'leaf' | 'whole' | 'deep' | readonly string[];

const CONDITIONAL = ['if', 'dependencies', 'dependentSchemas', 'dependentRequired', 'oneOf', 'anyOf', 'patternProperties'];
const MAX_DEPTH = 20;
const known = new WeakMap<object, NodeInterest>();

/** See `NodeInterest`. */
export function interestOf(schema: RJSFSchema, root: RJSFSchema): NodeInterest {
  const before = known.get(schema);
  if (before) return before;
  const kind = judge(schema, root, 0);
  const found = kind === 'deep' && schema.properties ? (decisiveMembers(schema) ?? kind) : kind;
  known.set(schema, found);
  return found;
}

function isSchema(part: unknown): part is RJSFSchema {
  return typeof part === 'object' && part !== null;
}

function judge(schema: RJSFSchema, root: RJSFSchema, depth: number): 'leaf' | 'whole' | 'deep' {
  if (depth > MAX_DEPTH || CONDITIONAL.some((key) => key in schema)) return 'deep';
  if (schema.$ref !== undefined) {
    try {
      return judge(findSchemaDefinition(schema.$ref, root), root, depth + 1);
    } catch {
      return 'deep';
    }
  }
  const parts = new Set((schema.allOf ?? []).map((part) => (isSchema(part) ? judge(part, root, depth + 1) : 'leaf')));
  const types = new Set([schema.type].flat());
  if (parts.has('deep') || types.has('array') || schema.items !== undefined) return 'deep';
  if (!types.has('object') && !schema.properties && !parts.has('whole')) return schema.type === undefined && !schema.enum ? 'deep' : 'leaf';
  return schema.additionalProperties === undefined || schema.additionalProperties === false ? 'whole' : 'deep';
}

/** The members of an object that decide what else it has, when only `if` and `dependencies` do; `undefined` when anything may. */
function decisiveMembers(schema: RJSFSchema): string[] | undefined {
  if (['oneOf', 'anyOf', '$ref', 'patternProperties', 'not', 'contains'].some((key) => key in schema)) return undefined;
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return undefined;
  const names = new Set<string>();
  const addAll = (found: readonly string[] | undefined): boolean => {
    for (const name of found ?? []) names.add(name);
    return found !== undefined;
  };
  if (isSchema(schema.if) && !addAll(membersOf(schema.if))) return undefined;
  for (const [name, then] of Object.entries({ ...schema.dependencies, ...schema['dependentSchemas'], ...schema['dependentRequired'] })) {
    names.add(name);
    // Each choice of a dependency is known by the values of members that it names.
    if (isSchema(then) && !Array.isArray(then))
      for (const choice of then.oneOf ?? []) if (isSchema(choice)) addAll(Object.keys(choice.properties ?? {}));
  }
  for (const part of [...(schema.allOf ?? []), schema.then, schema.else])
    if (isSchema(part) && !addAll(decisiveMembers(part))) return undefined;
  return [...names];
}

/** The members that a condition asks about; `undefined` when it asks about none by name. */
function membersOf(condition: RJSFSchema): string[] | undefined {
  const names = new Set([...Object.keys(condition.properties ?? {}), ...(condition.required ?? [])]);
  for (const part of [...(condition.allOf ?? []), ...(condition.anyOf ?? []), ...(condition.oneOf ?? []), condition.not])
    if (isSchema(part)) for (const name of membersOf(part) ?? []) names.add(name);
  return names.size > 0 ? [...names] : undefined;
}

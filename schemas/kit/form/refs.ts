import { innerSchemas, isSchema, partsOf } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** A part of a schema with its references (`#/definitions/…`) led to the schema that goes by another name. Pure. */
export function withRefsTo<T>(part: T, root: string): T {
  if (Array.isArray(part)) return part.map((inner: unknown) => withRefsTo(inner, root)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? [key, root + value] : [key, withRefsTo(value, root)],
  );
  return Object.fromEntries(entries) as T;
}

/** The schema that a reference within a file (`#/definitions/node`, `#`) leads to; `undefined` when it leads nowhere or goes by an `$id`. */
export function targetOf(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (!ref.startsWith('#')) return undefined;
  let here: unknown = root;
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = Reflect.get(here, name);
  }
  return isSchema(here) ? here : undefined;
}

/** Whether a schema unfolds for ever: a reference leads to something that leads to it again. One by `$id` counts as such, as it is not followed. */
export function isRecursive(root: JsonSchema): boolean {
  const done = new Set<string>();
  function leadsBack(schema: JsonSchema, trail: readonly string[]): boolean {
    for (const { schema: part } of partsOf({ ...schema, definitions: {}, $defs: {} })) {
      const { $ref: ref } = part;
      if (ref === undefined || done.has(ref)) continue;
      const target = targetOf(ref, root);
      if (!target || trail.includes(ref) || leadsBack(target, [...trail, ref])) return true;
      done.add(ref);
    }
    return false;
  }
  return leadsBack(root, ['#']);
}

/** Keywords whose schemas are asked about the same value, not about a part of it. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies', 'dependentSchemas']);

/** The references of a file that lead to themselves without going into a member or an item: judging any value by them would never end. */
export function endlessRefs(root: JsonSchema): Set<JsonSchema> {
  const endless = new Set<JsonSchema>();
  const done = new Set<JsonSchema>();
  const trail = new Set<JsonSchema>();
  function follow(schema: JsonSchema, from: JsonSchema): void {
    if (trail.has(schema)) endless.add(from);
    if (trail.has(schema) || done.has(schema)) return;
    trail.add(schema);
    for (const { schema: inner, keyword } of innerSchemas(schema)) if (IN_PLACE.has(keyword)) follow(inner, schema);
    const target = schema.$ref === undefined ? undefined : targetOf(schema.$ref, root);
    if (target) follow(target, schema);
    trail.delete(schema);
    done.add(schema);
  }
  for (const { schema } of partsOf(root)) follow(schema, schema);
  return endless;
}

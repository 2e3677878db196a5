import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';

/** The schemas of `components` by name; `source` is the definition as its file has it. */
export type Components = Map<string, { source: unknown; schema: unknown }>;

const PLACE = '#/components/schemas/';

/** `call` → `Call`; characters that names of components may not have become `_`. */
export function toComponentName(text: string): string {
  const name = text.replace(/[^\w.-]+/g, '_');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function mapReferences(part: unknown, toTarget: (ref: string) => string): unknown {
  if (Array.isArray(part)) return part.map((inner) => mapReferences(inner, toTarget));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]: [string, unknown]) => [
      key,
      key === '$ref' && typeof value === 'string' ? toTarget(value) : mapReferences(value, toTarget),
    ]),
  );
}

/** The short name, or the one with its owner where another schema has the short name. */
function freeName(components: Components, name: string, owner: string, source: unknown): string {
  const taken = components.get(toComponentName(name));
  return taken === undefined || isDeepStrictEqual(taken.source, source) ? toComponentName(name) : toComponentName(`${owner}_${name}`);
}

/**
 * A schema with its definitions moved to the components of the description. References of JSON Schema begin at the root of their own schema
 * (`#/definitions/call`, `#`); within a description the root is the whole document. A schema that refers to itself becomes a component called `owner`.
 */
export function liftDefinitions(schema: JsonSchema, owner: string, components: Components): unknown {
  const { definitions = {}, $defs = {}, ...root } = schema;
  const parts = Object.entries({ definitions, $defs }).flatMap(([list, entries]) =>
    Object.entries(entries).map(([name, source]) => ({
      ref: `#/${list}/${name}`,
      name: freeName(components, name, owner, source),
      source,
    })),
  );
  for (const { name, source } of parts) components.set(name, { source, schema: undefined });
  const self = toComponentName(owner);
  let refersToItself = false;
  const toTarget = (ref: string): string => {
    const part = parts.find((entry) => ref === entry.ref || ref.startsWith(`${entry.ref}/`));
    if (part) return `${PLACE}${part.name}${ref.slice(part.ref.length)}`;
    if (!ref.startsWith('#')) return ref;
    refersToItself = true;
    return `${PLACE}${self}${ref.slice(1)}`;
  };
  for (const { name, source } of parts) components.set(name, { source, schema: mapReferences(source, toTarget) });
  const mapped = mapReferences(root, toTarget);
  if (!refersToItself) return mapped;
  components.set(self, { source: schema, schema: mapped });
  return { $ref: `${PLACE}${self}` };
}

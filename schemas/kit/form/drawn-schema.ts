import { innerSchemas, withInner } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

const drawn = new WeakMap<JsonSchema, JsonSchema>();

/**
 * A schema as rjsf can draw it: a member that may be anything is `{}`, as rjsf cannot merge `true` with what a condition says of the same member. The same
 * answer for the same schema.
 */
export function drawnSchema(schema: JsonSchema): JsonSchema {
  const known = drawn.get(schema);
  if (known) return known;
  const inner = innerSchemas(schema).reduce((outer, { schema: part, at }) => {
    const next = drawnSchema(part);
    return next === part ? outer : withInner(outer, at, next);
  }, schema);
  const members: [string, unknown][] = Object.entries(inner.properties ?? {});
  const next = members.some(([, member]) => member === true)
    ? {
        ...inner,
        properties: Object.fromEntries(members.map(([name, member]) => [name, member === true ? {} : member])) as JsonSchema['properties'],
      }
    : inner;
  drawn.set(schema, next);
  return next;
}

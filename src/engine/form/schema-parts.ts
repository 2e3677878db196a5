import type { JsonSchema } from '../../../schemas/kit/form/types.ts';

/** What makes members come, go or be filled by the value of others. */
const MOVING = new Set(['$ref', 'if', 'dependencies', 'dependentSchemas', 'oneOf', 'anyOf', 'allOf', 'patternProperties', 'const']);

function partsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** Whether what a schema draws can depend on data, so that rjsf has to fill in and clear values as they change. */
export function isMoving(schema: JsonSchema): boolean {
  const seek = (part: unknown): boolean =>
    typeof part === 'object' && part !== null && (Object.keys(part).some((key) => MOVING.has(key)) || partsOf(part).some(seek));
  return seek(schema);
}

function own(part: object, key: string): unknown {
  return Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined;
}

/** The names of members whose values decide what a schema draws. */
export function decisiveNames(schema: JsonSchema): Set<string> {
  const names = new Set<string>();
  function addAll(part: unknown): void {
    if (typeof part !== 'object' || part === null) return;
    for (const name of Object.keys(own(part, 'properties') ?? {})) names.add(name);
    for (const name of partsOf(own(part, 'required'))) names.add(String(name));
    for (const value of Object.values(part)) addAll(value);
  }
  function seek(part: unknown): void {
    if (typeof part !== 'object' || part === null) return;
    addAll(own(part, 'if'));
    for (const key of ['dependencies', 'dependentSchemas']) {
      for (const [name, value] of Object.entries(own(part, key) ?? {})) {
        names.add(name);
        addAll(value);
      }
    }
    for (const key of ['oneOf', 'anyOf']) for (const value of partsOf(own(part, key))) addAll(value);
    for (const value of Object.values(part)) seek(value);
  }
  seek(schema);
  return names;
}

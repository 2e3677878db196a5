import { targetOf } from './refs.ts';
import { isSchema, partsOf } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** What is read of an Ajv error. */
interface PlacedError {
  keyword: string;
  instancePath: string;
  schemaPath: string;
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** The beginnings of the schema paths that errors inside a choice have: the choice's own, and those of the definitions that it refers to. */
function schemaPathsOf(schemaPath: string, root: JsonSchema): string[] {
  const refs = new Set<string>();
  const seek = (schema: JsonSchema): void => {
    for (const { schema: part } of partsOf(schema)) {
      if (part.$ref === undefined || refs.has(part.$ref)) continue;
      refs.add(part.$ref);
      const target = targetOf(part.$ref, root);
      if (target && target !== root) seek(target);
    }
  };
  const options = targetOf(schemaPath.slice(0, schemaPath.lastIndexOf('/')), root);
  for (const option of [...(options?.oneOf ?? []), ...(options?.anyOf ?? [])]) if (isSchema(option)) seek(option);
  return [`${schemaPath}/`, ...[...refs].map((ref) => `${ref}/`)];
}

/** A path in the data and all those above it. */
function* pathsTo(instancePath: string): Generator<string> {
  for (let end = instancePath.length; end > 0; end = instancePath.lastIndexOf('/', end - 1)) yield instancePath.slice(0, end);
  yield '';
}

/**
 * Answers a function that says whether an error lies inside a failed choice (`anyOf`, `oneOf`): such an error only explains why one alternative does not
 * match. There may be a hundred thousand errors and choices, so each error is looked up by its path in the data.
 */
export function insideChoices(errors: readonly PlacedError[], root: JsonSchema): (error: PlacedError) => boolean {
  const places = new Map<string, string[]>();
  const choices = new Map<string, Set<string>>();
  for (const { keyword, instancePath, schemaPath } of errors) {
    if (!CHOICES.has(keyword)) continue;
    const here = choices.get(instancePath);
    if (here) here.add(schemaPath);
    else choices.set(instancePath, new Set([schemaPath]));
    if (!places.has(schemaPath)) places.set(schemaPath, schemaPathsOf(schemaPath, root));
  }
  return ({ instancePath, schemaPath }) => {
    for (const path of pathsTo(instancePath))
      for (const choice of choices.get(path) ?? []) if (places.get(choice)?.some((place) => schemaPath.startsWith(place))) return true;
    return false;
  };
}

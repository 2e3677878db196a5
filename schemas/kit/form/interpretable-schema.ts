import { Check } from 'typebox/schema';
import { storedPattern } from '../patterns/compile-pattern.ts';
import { isMembers } from './form-fields.ts';
import { innerSchemas, isSchema, withInner } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

/** What the interpreter takes for an expression, on the engine without backtracking. */
class InterpretedPattern extends RegExp {
  readonly #source: string;

  constructor(source: string) {
    super('');
    this.#source = source;
  }

  override test(text: string): boolean {
    return storedPattern(this.#source).test(text);
  }
}

type Fits = (part: JsonSchema, value: unknown) => boolean;

/** The members that a schema does not name, judged by the patterns that their names match, else by `additionalProperties`. */
function membersCheck(
  { properties = {}, patternProperties = {}, additionalProperties }: JsonSchema,
  fits: Fits,
): (value: unknown) => boolean {
  const fitsMember = ([name, value]: [string, unknown]): boolean => {
    const matching = Object.entries(patternProperties).filter(([source]) => storedPattern(source).test(name));
    if (matching.length > 0) return matching.every(([, part]) => fits(part, value));
    if (Object.hasOwn(properties, name)) return true;
    return isSchema(additionalProperties) ? fits(additionalProperties, value) : additionalProperties !== false;
  };
  return (value) => !isMembers(value) || Object.entries(value).every(fitsMember);
}

/** A schema as the interpreter takes it, whose patterns run on the engine without backtracking. `fits` judges the values of members by pattern. */
export function interpretable(schema: JsonSchema, fits: Fits = Check): JsonSchema {
  const whole = innerSchemas(schema).reduce((outer, { schema: inner, at }) => withInner(outer, at, interpretable(inner, fits)), schema);
  const { pattern, patternProperties, ...rest } = whole;
  const own = patternProperties ? { ...rest, additionalProperties: true } : rest;
  return {
    ...own,
    ...(pattern === undefined ? {} : { pattern: new InterpretedPattern(pattern) }),
    ...(patternProperties ? { '~refine': [{ check: membersCheck(schema, fits), error: () => 'patternProperties' }] } : {}),
  } as JsonSchema;
}

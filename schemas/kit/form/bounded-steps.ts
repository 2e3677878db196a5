import type { Ajv } from 'ajv';
import { englishText } from './messages.ts';
import { partsOf } from './schema-parts.ts';
import type { ErrorItem, JsonSchema } from './types.ts';

/** The most references that are followed while one value is validated. A list of a thousand rows with ten references each follows 10,000. */
const MAX_STEPS = 50_000;
const STEP = 'canopyStep';
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Thrown where a value leads through more references than anybody's form needs. */
export class TooMuchToCheck extends Error {
  override name = 'TooMuchToCheck';
}

let steps = 0;

/**
 * A copy of a schema that counts each reference that is followed, for an Ajv with `addStepKeyword`. A choice between schemas that lead to the choice again
 * doubles its work with each level of the value, and so do references to schemas with two references: 30 levels are a thousand million steps.
 */
export function withSteps(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema);
  for (const { schema: part } of partsOf(copy)) if (REFERENCES.some((name) => Object.hasOwn(part, name))) Reflect.set(part, STEP, true);
  return copy;
}

/** Lets an Ajv count what `withSteps` marked. Its validators throw TooMuchToCheck. */
export function addStepKeyword(ajv: Ajv): Ajv {
  return ajv.addKeyword({
    keyword: STEP,
    errors: false,
    validate() {
      steps += 1;
      if (steps > MAX_STEPS) throw new TooMuchToCheck();
      return true;
    },
  });
}

/** Runs a validation and counts its references from zero; `undefined` when it follows more than MAX_STEPS. */
export function countingSteps<T>(validate: () => T): T | undefined {
  steps = 0;
  try {
    return validate();
  } catch (error) {
    // RangeError: a reference that leads to itself about the same value fills the stack. The linter refuses it, and judges examples before.
    if (error instanceof TooMuchToCheck || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The error item of a value that leads through more references than MAX_STEPS. */
export function tooMuchItem(): ErrorItem {
  const key = 'validation.tooMuch';
  return { code: 'INVALID_FIELD', message: englishText(key), params: { key } };
}

import { Ajv } from 'ajv';
import type { Options } from 'ajv';
import { formats } from './formats.ts';
import { longestSafeText } from './risky-pattern.ts';
import type { ErrorItem, JsonSchema } from './types.ts';
import { itemsFromErrors } from './validation-items.ts';

/**
 * An Ajv with the contract's rules, the same wherever a schema is compiled: all errors are found, nothing is coerced, removed or filled in,
 * only the contract's formats exist, and decimals are compared to six places (plain Ajv refuses 1.15 for a step of 0.01).
 */
export function makeAjv(options: Options = {}): Ajv {
  return new Ajv({
    allErrors: true,
    messages: false,
    multipleOfPrecision: 6,
    ownProperties: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    formats,
    ...options,
  });
}

/** A pattern that is not tried on texts so long that it could take very long; such a text does not match. Ajv tries patterns also beyond `maxLength`. */
function boundedPattern(pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } {
  const expression = new RegExp(pattern, flags);
  const longest = longestSafeText(pattern);
  // Ajv tells patterns apart by their text.
  return { test: (text) => text.length <= longest && expression.test(text), toString: () => String(expression) };
}

const shared = makeAjv({ code: { regExp: Object.assign(boundedPattern, { code: 'new RegExp' }) } });
const compiled = new WeakMap<JsonSchema, (data: unknown) => ErrorItem[]>();

/**
 * Compiles a schema for the server. The function answers the error items of a value, none when it passes.
 * Throws when the schema itself is wrong. The same schema object is compiled once.
 */
export function compileBody(schema: JsonSchema): (data: unknown) => ErrorItem[] {
  const known = compiled.get(schema);
  if (known) return known;
  const validate = shared.compile(schema);
  // Ajv would keep every schema for ever; ours go when their owner lets them go.
  shared.removeSchema(schema);
  const check = (data: unknown): ErrorItem[] => (validate(data) ? [] : itemsFromErrors(validate.errors, schema, data));
  compiled.set(schema, check);
  return check;
}

import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import type { Options } from 'ajv';
import { allFormats } from './all-formats.ts';
import { longestSafeText } from '../lint/risky-pattern.ts';
import type { ErrorItem, JsonSchema } from './types.ts';
import { itemsFromErrors } from './validation-items.ts';

/**
 * An Ajv with the contract's rules, the same wherever a schema is compiled: all errors are found, nothing is coerced, removed or filled in,
 * only the contract's formats exist, and decimals are compared to six places (plain Ajv refuses 1.15 for a step of 0.01).
 */
export function makeAjv(options: Options = {}): Ajv {
  return new Ajv({ ...RULES, ...options });
}

const RULES: Options = {
  allErrors: true,
  messages: false,
  multipleOfPrecision: 6,
  ownProperties: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
  formats: { ...allFormats },
};

const require = createRequire(import.meta.url);

/** The drafts after 7 are files that few forms need. */
function draftOf({ $schema = '' }: JsonSchema): typeof Ajv {
  if ($schema.includes('2020-12')) return (require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv }).Ajv2020;
  return $schema.includes('2019-09') ? (require('ajv/dist/2019.js') as { Ajv2019: typeof Ajv }).Ajv2019 : Ajv;
}

/** What Ajv would only warn of, such as a format that it does not know, is a fault. */
function refuse(message: unknown): never {
  throw new Error(String(message));
}

/**
 * An Ajv with the contract's rules for the schema of a form, which may be anybody's: of the draft that its `$schema` names (draft 7 without one), and
 * without complaints about keywords that have nothing to say. What may be in it is checked by the linter.
 */
export function makeFormAjv(schema: JsonSchema, options: Options = {}): Ajv {
  const Draft = draftOf(schema);
  return new Draft({
    ...RULES,
    strict: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: { ...console, warn: refuse },
    ...options,
  });
}

/** The schema without the name of its draft, which `makeFormAjv` has read. */
export function withoutDraft({ $schema: _draft, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A pattern that is not tried on texts so long that it could take very long; such a text does not match. Ajv tries patterns also beyond `maxLength`. */
function boundedPattern(pattern: string, flags: string): { test: (text: string) => boolean; toString: () => string } {
  const expression = new RegExp(pattern, flags);
  const longest = longestSafeText(pattern);
  // Ajv distinguishes patterns by their text.
  return { test: (text) => text.length <= longest && expression.test(text), toString: () => String(expression) };
}

const code = { regExp: Object.assign(boundedPattern, { code: 'new RegExp' }) };
const shared = makeAjv({ code });
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

const sharedByDraft = new Map<typeof Ajv, Ajv>();
const compiledForms = new WeakMap<JsonSchema, (data: unknown) => ErrorItem[]>();

/** `compileBody` for the schema of a form: see `makeFormAjv`. */
export function compileFormBody(schema: JsonSchema): (data: unknown) => ErrorItem[] {
  const known = compiledForms.get(schema);
  if (known) return known;
  const Draft = draftOf(schema);
  const ajv = sharedByDraft.get(Draft) ?? makeFormAjv(schema, { code });
  sharedByDraft.set(Draft, ajv);
  const rules = withoutDraft(schema);
  const validate = ajv.compile(rules);
  ajv.removeSchema(rules);
  const check = (data: unknown): ErrorItem[] => (validate(data) ? [] : itemsFromErrors(validate.errors, schema, data));
  compiledForms.set(schema, check);
  return check;
}

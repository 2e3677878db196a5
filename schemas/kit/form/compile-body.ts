import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import type { Options, ValidateFunction } from 'ajv';
import { allFormats } from './all-formats.ts';
import { addStepKeyword, countingSteps, tooMuchItem, withSteps } from './bounded-steps.ts';
import { withExactSteps, withUniqueItems } from './own-keywords.ts';
import { storedPattern } from '../patterns/compile-pattern.ts';
import type { ErrorItem, JsonSchema } from './types.ts';
import { itemsFromErrors, type RawError } from './validation-items.ts';

/**
 * An Ajv with the contract's rules, the same wherever a schema is compiled: all errors are found, nothing is coerced, removed or filled in,
 * only the contract's formats exist, and steps are compared digit by digit (plain Ajv refuses 1.15 for a step of 0.01).
 */
export function makeAjv(options: Options = {}): Ajv {
  return withExactSteps(new Ajv({ ...RULES, ...options }));
}

const RULES: Options = {
  allErrors: true,
  messages: false,
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
  const ajv = withExactSteps(
    new Draft({
      ...RULES,
      strict: false,
      // `1e400` is read as Infinity, which is no number of JSON.
      strictNumbers: true,
      validateSchema: false,
      addUsedSchema: false,
      logger: { ...console, warn: refuse },
      ...options,
    }),
  );
  return withUniqueItems(ajv);
}

/** The schema without the name of its draft, which `makeFormAjv` has read. */
export function withoutDraft({ $schema: _draft, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** What the patterns of one body may cost together: characters times the size of the expression. Nothing matches beyond that. */
const MAX_PATTERN_COST = 20_000_000;
let spent = 0;

function boundedPattern(source: string): { test: (text: string) => boolean; toString: () => string } {
  const test = (text: string): boolean => {
    const pattern = storedPattern(source);
    spent += text.length * pattern.size;
    return spent <= MAX_PATTERN_COST && pattern.test(text);
  };
  // Ajv distinguishes patterns by their text.
  return { test, toString: () => source };
}

const code = { regExp: Object.assign(boundedPattern, { code: 'boundedPattern' }) };
const shared = makeAjv({ code });

/** A function that answers the error items of a value; what its patterns cost is counted again each time. */
function checkBy(validate: ValidateFunction, schema: JsonSchema): (data: unknown) => ErrorItem[] {
  return (data) => {
    spent = 0;
    const isRight = countingSteps(() => validate(data));
    if (isRight === undefined) return [tooMuchItem()];
    return isRight ? [] : itemsFromErrors(validate.errors, schema, data);
  };
}
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
  const check = checkBy(validate, schema);
  compiled.set(schema, check);
  return check;
}

const WHOLE = 'canopy:body';
const sharedByDraft = new Map<typeof Ajv, Ajv>();
const compiledForms = new WeakMap<JsonSchema, (data: unknown) => ErrorItem[]>();

/** `compileBody` for the schema of a form: see `makeFormAjv`. */
export function compileFormBody(schema: JsonSchema): (data: unknown) => ErrorItem[] {
  const known = compiledForms.get(schema);
  if (known) return known;
  const Draft = draftOf(schema);
  const ajv = sharedByDraft.get(Draft) ?? addStepKeyword(makeFormAjv(schema, { code }));
  sharedByDraft.set(Draft, ajv);
  // Without a name of the whole, Ajv does not find what a reference to all of it (`#`) leads to.
  const rules = { $id: WHOLE, ...withoutDraft(withSteps(schema)) };
  const validate = ajv.compile(rules);
  ajv.removeSchema(rules);
  const check = checkBy(validate, schema);
  compiledForms.set(schema, check);
  return check;
}

/** A function that answers Ajv's own errors by a schema of a form, in an Ajv of its own with other keywords; none for more than is checked. */
export function compileWithKeywords(schema: JsonSchema, addKeywords: (ajv: Ajv) => void): (data: unknown) => RawError[] {
  const ajv = addStepKeyword(makeFormAjv(schema, { code }));
  addKeywords(ajv);
  const validate = ajv.compile({ $id: WHOLE, ...withoutDraft(withSteps(schema)) });
  return (data) => {
    spent = 0;
    return countingSteps(() => validate(data)) === false ? (validate.errors ?? []) : [];
  };
}

import { createRequire } from 'node:module';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { makeAjv } from './compile-body.ts';
import { fieldsSchema } from './enforced-schema.ts';
import type { FormFile } from './types.ts';

/** A form made ready for the browser. */
export interface CompiledForm {
  /** The form file as JSON text. */
  json: string;
  /** A self-contained ES module without imports and without eval: exports `schema` and `validate`. */
  code: string;
}

const require = createRequire(import.meta.url);

/** Ajv's compiled code asks for these by `require`; each is one function without imports, so its own source goes into the module instead. */
const HELPERS = ['ajv/dist/runtime/ucs2length', 'ajv/dist/runtime/equal'];

function sourceOf(helper: string): string {
  return String((require(helper) as { default: unknown }).default);
}

function inlineHelpers(code: string): string {
  const inlined = HELPERS.reduce((text, helper) => text.replaceAll(`require("${helper}").default`, () => `(${sourceOf(helper)})`), code);
  const left = /\brequire\(|\bnew Function\b|\beval\(/.exec(inlined);
  if (left) throw new Error(`The compiled validator still needs ${left[0]}, which cannot run in the browser.`);
  return inlined;
}

/**
 * Compiles a form's rules ahead of time. In the module, `schema` is `fieldsSchema(form)` and `validate` its validator (`validate.errors` as in Ajv).
 * Throws when the form's schema is wrong; the linter says so first and better. Runs in Node only; no part of Ajv reaches the browser.
 */
export function compileValidator(form: FormFile): CompiledForm {
  const schema = fieldsSchema(form);
  // The linter has judged the schema, and compiling the rules for schemas anew for each form takes longer than the form itself.
  const ajv = makeAjv({ code: { source: true, esm: true }, validateSchema: false });
  ajv.addSchema(schema, 'form');
  const code = inlineHelpers(standaloneCode(ajv, { validate: 'form' }));
  return { json: JSON.stringify(form), code: `${code}\nexport const schema = ${JSON.stringify(schema)};\n` };
}

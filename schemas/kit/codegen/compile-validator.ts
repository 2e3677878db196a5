import { createRequire } from 'node:module';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { makeFormAjv, withoutDraft } from '../form/compile-body.ts';
import { addParts } from '../form/compile-parts.ts';
import { fieldsSchema } from '../form/enforced-schema.ts';
import type { FormFile } from '../form/types.ts';

/** A form made ready for the browser. */
export interface CompiledForm {
  /** The form file as JSON text. */
  json: string;
  /** A self-contained ES module without imports and without eval: exports what `FormModule` has, but for the form. */
  code: string;
}

const require = createRequire(import.meta.url);

/** Ajv's compiled code asks for these by `require`; each is one function without imports, so its own source goes into the module instead. */
const HELPERS = ['ajv/dist/runtime/ucs2length', 'ajv/dist/runtime/equal'];

function sourceOf(helper: string): string {
  return String((require(helper) as { default: unknown }).default);
}

/** The engine comes when the form is drawn. */
const PATTERN_CODE = `let compilePattern;
const laterPattern = (source) => ({ test: (text) => compilePattern(source).test(text) });
export const usePatterns = (compile) => { compilePattern = compile; };
`;
// Ajv distinguishes patterns by their text.
const laterPattern = (source: string) => ({ test: () => false, toString: () => source });
const patterns = { regExp: Object.assign(laterPattern, { code: 'laterPattern' }) };

function inlineHelpers(code: string): string {
  const inlined = HELPERS.reduce((text, helper) => text.replaceAll(`require("${helper}").default`, () => `(${sourceOf(helper)})`), code);
  const left = /\brequire\(|\bnew Function\b|\beval\(/.exec(inlined);
  if (left) throw new Error(`The compiled validator still needs ${left[0]}, which cannot run in the browser.`);
  return inlined.includes('laterPattern') ? PATTERN_CODE + inlined : inlined;
}

const WHOLE = 'canopy:form';

/**
 * Compiles a form's rules ahead of time, and the parts that rjsf asks about. In the module, `schema` is `fieldsSchema(form)` and `validate` its validator (`validate.errors` as in Ajv).
 * Throws when the form's schema is wrong; the linter says so first and better. Runs in Node only; no part of Ajv reaches the browser. `isAdded`: people
 * wrote it, so its patterns run on the engine without backtracking, as they do on the server; those of a form that ships are ours.
 */
export function compileValidator(form: FormFile, { isAdded = false }: { isAdded?: boolean } = {}): CompiledForm {
  const schema = fieldsSchema(form);
  const ajv = makeFormAjv(schema, { code: { source: true, esm: true, ...(isAdded ? patterns : {}) } });
  ajv.addSchema(withoutDraft(schema), WHOLE);
  const { names, isOpen } = addParts(ajv, form.schema, WHOLE);
  const exported = Object.entries(names).map(([hash, name], index) => ({ hash, name, as: `part${index}` }));
  const list = Object.fromEntries([['validate', WHOLE], ...exported.map(({ as, name }) => [as, name])]);
  const code = inlineHelpers(standaloneCode(ajv, list));
  const parts = exported.map(({ hash, as }) => `${JSON.stringify(hash)}: ${as}`).join(', ');
  const lines = [
    code,
    `export const schema = JSON.parse(${JSON.stringify(JSON.stringify(schema))});`,
    `export const parts = { ${parts} };`,
    `export const hasOpenParts = ${isOpen};`,
  ];
  return { json: JSON.stringify(form), code: `${lines.join('\n')}\n` };
}

import { _, type Ajv, type KeywordCxt } from 'ajv';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { isMultipleOf } from './decimals.ts';
import { findRepeatedItem } from './repeated-items.ts';

/** Lets an Ajv compare steps (`multipleOf`) digit by digit: divided as binary fractions, 1000000000.06 is no multiple of 0.01. */
export function withExactSteps<T extends Ajv>(ajv: T): T {
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: 'must be multiple of the step', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    code(cxt: KeywordCxt) {
      const { gen, data, schemaCode } = cxt;
      // Compiled validators of the browser have no imports: the function itself goes into them.
      const isMultiple = gen.scopeValue('func', { ref: isMultipleOf, code: new _Code(`(${String(isMultipleOf)})`) });
      cxt.fail(_`!${isMultiple}(${data}, ${schemaCode})`);
    },
  });
  return ajv;
}

/** Lets an Ajv look at each item of a list once where all have to differ (`uniqueItems`). */
export function withUniqueItems<T extends Ajv>(ajv: T): T {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have equal items', params: ({ params }) => _`{i: ${params['pair']}.i, j: ${params['pair']}.j}` },
    code(cxt: KeywordCxt) {
      const { gen, data, schema } = cxt;
      if (schema !== true) return;
      const find = gen.scopeValue('func', { ref: findRepeatedItem, code: new _Code(`(${String(findRepeatedItem)})`) });
      const pair = gen.const('pair', _`${find}(${data})`);
      cxt.setParams({ pair });
      cxt.fail(_`${pair} !== undefined`);
    },
  });
  return ajv;
}

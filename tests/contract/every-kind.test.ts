import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import { compileValidator } from '../../schemas/kit/codegen/compile-validator.ts';
import { checkForm } from '../../schemas/kit/form/form-validator.ts';
import type { FormModule } from '../../schemas/kit/form/form-validator.ts';
import { formatProblem, lintFiles } from '../../schemas/kit/lint/lint.ts';
import { loadContract, loadMeta } from '../../schemas/kit/codegen/load.ts';
import type { ErrorItem, JsonValue } from '../../schemas/kit/form/types.ts';
import { visibleSchema } from '../../schemas/kit/form/visible-schema.ts';
import { anyDataOf } from './arbitrary-data.ts';
import { everyKindForm as form } from '../../schemas/kit/form/every-kind-form.ts';

const check = compileForm(form);
const said = (items: ErrorItem[]): string[] => items.map(({ source, message }) => `${source ?? ''} ${message}`).toSorted();
let module: FormModule;

beforeAll(async () => {
  const { code } = compileValidator(form);
  module = { form, ...(await import(`data:text/javascript,${encodeURIComponent(code)}`)) };
});

test('a form with every kind of field passes the linter', () => {
  const file = { path: `forms/${form.id}.form.json`, text: JSON.stringify(form, null, 2) };
  const known = { lookups: new Set(Object.keys(loadContract().lookups.lookups)) };
  expect(lintFiles([file], { meta: loadMeta(), known }).map(formatProblem)).toEqual([]);
});

test('accepts its examples on both sides', () => {
  for (const example of form.examples) {
    expect(check(example)).toEqual([]);
    expect(checkForm(module, example, Object.keys(example))).toEqual([]);
  }
});

test('is judged alike on both sides, to the words, whatever is entered', () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(anyDataOf(form.schema, form.ui), (data: Record<string, JsonValue>) => {
      const visible = visibleSchema(form, data);
      const items = check(visible.data);
      for (const { params } of items) met.add(String(params?.['key']));
      expect(said(checkForm(module, visible.data, visible.fields))).toEqual(said(items));
    }),
    { numRuns: 500 },
  );
  const beyondSchemas = ['validation.mask.rest', 'validation.mask.incomplete', 'validation.timeRange.order', 'validation.json.at'];
  expect(beyondSchemas.filter((key) => !met.has(key))).toEqual([]);
});

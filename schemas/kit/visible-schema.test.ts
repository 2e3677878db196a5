import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileBody } from './compile-body.ts';
import { enforcedSchema } from './enforced-schema.ts';
import { exampleForm } from './example-form.ts';
import type { FieldRule, FormFile, JsonPrimitive } from './types.ts';
import { visibleSchema } from './visible-schema.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const value = fc.constantFrom<JsonPrimitive[]>(0, 1, 'x', true, false);
const rule: fc.Arbitrary<FieldRule> = fc.record(
  {
    depends: fc.dictionary(fc.constantFrom(...names), fc.uniqueArray(value, { minLength: 1, maxLength: 3 }), { minKeys: 1, maxKeys: 2 }),
    required: fc.boolean(),
    permission: fc.constantFrom('p', 'q'),
  },
  { requiredKeys: [] },
);
/** Any form over five fields, wrong ones too: fields that depend on themselves or in circles. */
const anyForm = fc
  .record({ fields: fc.dictionary(fc.constantFrom(...names), rule), required: fc.subarray(names) })
  .map(({ fields, required }): FormFile => ({
    ...exampleForm,
    fields,
    schema: {
      type: 'object',
      additionalProperties: false,
      required,
      properties: Object.fromEntries(names.map((name) => [name, { enum: [0, 1, 'x', true, false] }])),
    },
  }));
const anyData = fc.dictionary(fc.constantFrom(...names, 'unknown'), value);
const anyRights = fc.subarray(['p', 'q']).map((held) => (permission: string) => held.includes(permission));

describe('what the console draws of a form', () => {
  test('whatever is drawn is judged alike by what is drawn and by what the server enforces', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const visible = visibleSchema(form, data, can);
        const drawn = compileBody(visible.schema)(visible.data).map(({ source }) => source);
        const enforced = compileBody(enforcedSchema(form, can))(visible.data).map(({ source }) => source);
        expect(enforced.toSorted()).toEqual(drawn.toSorted());
      }),
      { numRuns: 300 },
    );
  });

  test('IN10: the server refuses every value that the console has cleared', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const visible = visibleSchema(form, data, can);
        const check = compileBody(enforcedSchema(form, can));
        for (const name of Object.keys(data).filter((field) => !visible.fields.includes(field))) {
          const refused = check({ ...visible.data, [name]: data[name] }).map(({ source }) => source);
          expect(refused).toContain(name);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('clearing once is enough', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, (form, data, can) => {
        const once = visibleSchema(form, data, can);
        expect(visibleSchema(form, once.data, can)).toEqual(once);
      }),
    );
  });

  test('hiding a field hides those that depend on it, and clears all', () => {
    const shown = { credit_type_id: 2, credit_count: 1, credit_price: 0, pro_form_nr: 'P-1' };
    expect(visibleSchema(exampleForm, shown).fields).toContain('pro_form_nr');
    expect(visibleSchema(exampleForm, { ...shown, credit_type_id: 1 }).data).toEqual({ credit_type_id: 1, credit_count: 1 });
  });

  test('fields come in the order of the file, the rest after them', () => {
    const form = { ...exampleForm, order: ['comment', 'credit_count'] };
    expect(visibleSchema(form, {}).fields).toEqual(['comment', 'credit_count', 'credit_type_id']);
  });

  test('a record that was loaded is cut down to the fields of the form', () => {
    const record = { id: 7, credit_type_id: 1, credit_count: 2, created_at: '2026-11-21 03:15:00' };
    expect(visibleSchema(exampleForm, record).data).toEqual({ credit_type_id: 1, credit_count: 2 });
  });
});

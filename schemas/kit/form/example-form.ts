import type { FormFile } from './types.ts';

/** A form for the kit's own tests: the resource form of docs/behaviour.md section 5, with a field for which a permission is needed. */
export const exampleForm: FormFile = {
  $schema: '../../meta/form.meta.json',
  id: 'credits/add',
  title: 'forms.credits.add.title',
  surface: 'dialog',
  permission: 'move_devices_credits',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['credit_type_id', 'credit_count'],
    properties: {
      credit_type_id: { type: 'integer', minimum: 1, maximum: 20 },
      credit_count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      credit_price: { type: 'number', minimum: 0, maximum: 1_000_000, multipleOf: 0.01 },
      pro_form_nr: { type: 'string', minLength: 1, maxLength: 64 },
      comment: { type: 'string', maxLength: 200 },
    },
  },
  fields: {
    credit_price: { depends: { credit_type_id: [2, 4, 6] }, required: true },
    pro_form_nr: { depends: { credit_type_id: [2, 4, 6], credit_price: [0] } },
    comment: { permission: 'super_admin', required: true },
  },
  submit: { method: 'POST', path: '/credits', success: { then: 'close' }, errors: { fields: { price: 'credit_price' } } },
  examples: [{ credit_type_id: 1, credit_count: 5, comment: 'x' }],
};

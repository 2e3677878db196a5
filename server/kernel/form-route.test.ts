import { describe, expect, test } from 'vitest';
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import { compileBody } from '../../schemas/kit/form/compile-body.ts';
import { compileForm } from '../../schemas/kit/codegen/compile-form.ts';
import type { FormFile } from '../../schemas/kit/form/types.ts';
import { validatorCompiler } from './body-rules.ts';
import { AppError } from './errors.ts';
import { bodySchemaOf, fieldRights } from './form-route.ts';

const form: FormFile = {
  $schema: '',
  id: 'radio/limits',
  title: { en: 'Limits' },
  surface: 'dialog',
  permission: 'update_devices',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 20 },
      billing: {
        type: 'object',
        additionalProperties: false,
        required: ['price'],
        properties: { price: { type: 'integer' }, note: { type: 'string', maxLength: 20 } },
      },
    },
  },
  fields: {
    'billing.price': { permission: 'update_companies' },
    'billing.note': { depends: { 'billing.price': [7] } },
  },
  submit: { method: 'POST', path: '/radio/limits', success: {} },
  examples: [],
};

/** What the route says to this body from somebody with these permissions. */
function refusal(permissions: PermissionName[], body: object): string[] {
  const items = compileBody(bodySchemaOf(form) as object)(body);
  if (items.length > 0) return items.map(({ code, source }) => `${code} ${source ?? ''}`);
  try {
    fieldRights(form)({ permissions: new Set(permissions) }, body);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.items.map(({ code, source }) => `${code} ${source ?? ''}`);
  }
}

describe('fields that need a permission [IN10]', () => {
  test('are unknown to others, also inside a group, and so is what depends on them', () => {
    expect(refusal([], { name: 'a', billing: { price: 7 } })).toEqual(['UNKNOWN_FIELD billing.price']);
    expect(refusal([], { name: 'a', billing: { price: 7, note: 'x' } })).toEqual(['UNKNOWN_FIELD billing.price']);
    expect(refusal(['update_companies'], { name: 'a', billing: { price: 7, note: 'x' } })).toEqual([]);
  });

  test('are asked of those who hold it, and of nobody else', () => {
    expect(refusal([], { name: 'a', billing: {} })).toEqual([]);
    expect(refusal(['update_companies'], { name: 'a', billing: {} })).toEqual(['INVALID_FIELD billing.price']);
  });

  test('a member that is hidden is refused', () => {
    expect(refusal(['update_companies'], { name: 'a', billing: { price: 6, note: 'x' } })).toEqual(['INVALID_FIELD billing.note']);
  });
});

test('the body of a form is also checked against rules that its schema cannot express [IN10]', () => {
  const masked: FormFile = { ...form, ui: { name: { 'ui:mask': 'AA-##' } } };
  const judge = validatorCompiler(compileForm(masked, bodySchemaOf(masked)))({ schema: bodySchemaOf(masked), httpPart: 'body' });
  expect(judge({ name: 'NO-4x' })).toMatchObject({ error: { items: [{ code: 'INVALID_FIELD', source: 'name' }] } });
  expect(judge({ name: 'NO-47' })).toEqual({ value: { name: 'NO-47' } });
});

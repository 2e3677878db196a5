import { describe, expect, test } from 'vitest';
import { compileBody } from './compile-body.ts';
import { enforcedSchema } from './enforced-schema.ts';
import { exampleForm } from './example-form.ts';
import type { FormFile } from './types.ts';

const noPermission = (): boolean => false;

function sourcesOf(form: FormFile, data: unknown, can?: (permission: string) => boolean): (string | undefined)[] {
  return compileBody(enforcedSchema(form, can))(data).map(({ source }) => source);
}

describe('what the server accepts for a form', () => {
  test('a hidden field that is sent is refused, at the field [IN10]', () => {
    expect(sourcesOf(exampleForm, { credit_type_id: 1, credit_count: 1, comment: '', credit_price: 1 })).toEqual(['credit_price']);
  });

  test('a field that exists now and is required must be sent', () => {
    expect(sourcesOf(exampleForm, { credit_type_id: 2, credit_count: 1, comment: '' })).toEqual(['credit_price']);
    expect(sourcesOf(exampleForm, { credit_type_id: 2, credit_count: 1, comment: '', credit_price: 1.15 })).toEqual([]);
  });

  test('a field exists only while all its conditions hold', () => {
    const base = { credit_type_id: 2, credit_count: 1, comment: '', pro_form_nr: 'P-1' };
    expect(sourcesOf(exampleForm, { ...base, credit_price: 5 })).toEqual(['pro_form_nr']);
    expect(sourcesOf(exampleForm, { ...base, credit_price: 0 })).toEqual([]);
  });

  test('a field with a permission cannot be sent without it, nor is it asked for [IN10]', () => {
    const base = { credit_type_id: 1, credit_count: 1 };
    expect(sourcesOf(exampleForm, base, noPermission)).toEqual([]);
    expect(sourcesOf(exampleForm, { ...base, comment: 'x' }, noPermission)).toEqual(['comment']);
    expect(sourcesOf(exampleForm, base, (name) => name === 'super_admin')).toEqual(['comment']);
  });

  test('a field that depends on one out of reach is out of reach', () => {
    const fields = { credit_type_id: { permission: 'x' }, credit_price: { depends: { credit_type_id: [2] } } };
    const schema = enforcedSchema({ ...exampleForm, fields }, noPermission);
    expect(Object.keys(schema.properties ?? {})).toEqual(['credit_count', 'pro_form_nr', 'comment']);
  });

  test('names of the prototype are unknown fields like any other [IN10]', () => {
    const body: unknown = JSON.parse('{"credit_type_id":1,"credit_count":1,"comment":"","__proto__":{"admin":true},"constructor":1}');
    expect(sourcesOf(exampleForm, body)).toEqual(['__proto__', 'constructor']);
  });

  test('a form on devices takes ids or a query, one of them', () => {
    const form: FormFile = { ...exampleForm, fields: {}, submit: { ...exampleForm.submit, payload: 'devices' } };
    const base = { credit_type_id: 1, credit_count: 1 };
    const selection = { query: { status: 'online' }, count: 3 };
    expect(sourcesOf(form, base)).toEqual(['device_id']);
    expect(sourcesOf(form, { ...base, device_id: [1, 2] })).toEqual([]);
    expect(sourcesOf(form, { ...base, selection, dry_run: true })).toEqual([]);
    expect(sourcesOf(form, { ...base, selection, device_id: [1] })).toEqual(['device_id']);
    expect(sourcesOf(form, { ...base, device_id: [] })).toEqual(['device_id']);
    expect(sourcesOf(form, { ...base, device_id: ['1'] })).toEqual(['device_id.0']);
  });
});

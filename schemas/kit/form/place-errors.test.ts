import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyData, anyForm, anyRights } from './arbitrary-form.ts';
import { exampleForm } from './example-form.ts';
import { fieldAt } from './form-fields.ts';
import { placeErrors } from './place-errors.ts';
import type { ErrorItem, FormFile } from './types.ts';
import { visibleSchema } from './visible-schema.ts';

const item = (source?: string, code = 'INVALID_FIELD'): ErrorItem => ({
  code,
  message: 'Check this.',
  ...(source === undefined ? {} : { source }),
});
const anySource = fc
  .array(fc.constantFrom('a', 'b', 'g', 'h', '0', 'data', 'constructor'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('.'));
const passwordForm: FormFile = {
  ...exampleForm,
  schema: { type: 'object', properties: { password: { type: 'string' }, password_confirmation: { type: 'string' } } },
};

describe('where the errors of the server are shown', () => {
  test('at the field that the source names', () => {
    expect(placeErrors([item('credit_count')], exampleForm)).toEqual({
      fields: { credit_count: [item('credit_count')] },
      rest: [],
      blank: [],
    });
  });

  test('for bulk payloads, at the third part of the source', () => {
    const { fields, rest } = placeErrors([item('data.3.credit_count'), item('data.x.credit_count')], exampleForm);
    expect(Object.keys(fields)).toEqual(['credit_count']);
    expect(rest).toEqual([item('data.x.credit_count')]);
  });

  test('inside a list that is a field itself, with the whole path', () => {
    const form: FormFile = { ...exampleForm, schema: { type: 'object', properties: { data: { type: 'array' } } } };
    expect(Object.keys(placeErrors([item('data.3.name')], form).fields)).toEqual(['data.3.name']);
  });

  test('"id" is never shown at a field, not even in bulk', () => {
    const form: FormFile = { ...exampleForm, schema: { type: 'object', properties: { id: { type: 'integer' } } } };
    expect(placeErrors([item('id'), item('data.0.id')], form)).toEqual({ fields: {}, rest: [item('id'), item('data.0.id')], blank: [] });
  });

  test('UNAUTHORIZED is left to the session', () => {
    expect(placeErrors([item('credit_count', 'UNAUTHORIZED'), item(undefined, 'UNAUTHORIZED')], exampleForm)).toEqual({
      fields: {},
      rest: [],
      blank: [],
    });
  });

  test('under another name when the form says so', () => {
    const { fields } = placeErrors([item('price'), item('data.0.price')], exampleForm);
    expect(fields['credit_price']).toHaveLength(2);
  });

  test('an error without a field, of an unknown field or of one that is not drawn is not lost', () => {
    const items = [item(), item('nothing'), item('__proto__'), item('comment')];
    expect(placeErrors(items, exampleForm, ['credit_count']).rest).toEqual(items);
  });

  test('a password that is refused empties its confirmation and marks it without a second text', () => {
    const { fields, blank } = placeErrors([item('password'), item('password_confirmation')], passwordForm);
    expect(blank).toEqual(['password_confirmation']);
    expect(fields['password_confirmation']).toEqual([{ code: 'INVALID_FIELD', message: '', source: 'password_confirmation' }]);
  });

  test('nothing that the server says is lost or shown twice, and nothing is shown at a field that is not drawn', () => {
    const part = fc.constantFrom('data', 'id', 'price', 'credit_count', 'comment', '0', '12', '__proto__', 'constructor', '');
    const anyItem = fc.record({ path: fc.array(part, { maxLength: 4 }), code: fc.constantFrom('INVALID_FIELD', 'UNAUTHORIZED') });
    const anyVisible = fc.subarray(['credit_count', 'credit_price', 'comment']);
    fc.assert(
      fc.property(fc.array(anyItem), anyVisible, (raw, visible) => {
        const items = raw.map(({ path, code }) => item(path.length === 0 ? undefined : path.join('.'), code));
        const { fields, rest } = placeErrors(items, exampleForm, visible);
        expect(new Set([...Object.values(fields).flat(), ...rest])).toEqual(new Set(items.filter(({ code }) => code !== 'UNAUTHORIZED')));
        expect(Object.values(fields).flat().length + rest.length).toBe(items.filter(({ code }) => code !== 'UNAUTHORIZED').length);
        for (const path of Object.keys(fields)) expect(visible).toContain(path.split('.')[0]);
      }),
      { numRuns: 300 },
    );
  });

  test('at a group only what is wrong with the group itself, inside a list with the path into it', () => {
    const group = { type: 'object', properties: { city: { type: 'string' }, rows: { type: 'array' } } } as const;
    const form: FormFile = { ...exampleForm, schema: { type: 'object', properties: { address: group } } };
    const items = ['address', 'address.city', 'address.rows.2.port', 'address.planet', 'data.0.address.city'].map((source) => item(source));
    const { fields, rest } = placeErrors(items, form);
    expect(Object.entries(fields).map(([path, found]) => [path, found.length])).toEqual([
      ['address', 1],
      ['address.city', 2],
      ['address.rows.2.port', 1],
    ]);
    expect(rest).toEqual([item('address.planet')]);
  });

  test('in a form with groups, at the member that the path names; what no member shows is not lost', () => {
    fc.assert(
      fc.property(anyForm, anyData, anyRights, fc.array(anySource), (form, data, can, sources) => {
        const visible = visibleSchema(form, data, can).fields;
        const items = sources.map((source) => item(source));
        const { fields, rest } = placeErrors(items, form, visible);
        expect(Object.values(fields).flat().length + rest.length).toBe(items.length);
        for (const path of Object.keys(fields)) expect(visible).toContain(fieldAt(form, path)?.path);
        const placed = items.filter(({ source = '' }) => visible.includes(source));
        expect(Object.values(fields).flat()).toEqual(expect.arrayContaining(placed));
      }),
      { numRuns: 300 },
    );
  });
});

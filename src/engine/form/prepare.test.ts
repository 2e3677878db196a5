import { describe, expect, test } from 'vitest';
import { widgetOf } from '../../../schemas/kit/form/widget-of.ts';
import { isSameData, prepareData, startData } from './prepare.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';

const form: FormFile = {
  $schema: '',
  id: 'devices/edit',
  title: 'x',
  surface: 'dialog',
  permission: 'update_devices',
  schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1 },
      description: { type: 'string', maxLength: 500 },
      prefix: { type: 'string', minLength: 1 },
      uses: { type: 'integer', default: 1 },
      tag_id: { type: 'array', items: { type: 'integer' } },
      password: { type: 'string' },
      company_id: { type: ['integer', 'null'] },
    },
  },
  ui: { password: { 'ui:widget': 'password' } },
  submit: { method: 'PUT', path: '/devices/{id}', success: {} },
  examples: [],
};

describe('what a form starts with', () => {
  test('the record fills the fields, defaults fill the rest, other members of the record are left out', () => {
    expect(startData(form, { name: 'quay', id: 7, description: null })).toEqual({ name: 'quay', uses: 1 });
  });
  test('what the caller gives wins over the record', () => {
    expect(startData(form, { name: 'quay' }, { name: 'ferry' })).toEqual({ name: 'ferry', uses: 1 });
  });
  test('null stays where the field can hold it', () => {
    expect(startData(form, { company_id: null })).toEqual({ company_id: null, uses: 1 });
  });
});

describe('what a form sends', () => {
  test('text is trimmed, a password is not [F1]', () => {
    expect(prepareData(form, { name: '  quay ', password: ' a b ' }, { start: {} })).toEqual({ name: 'quay', password: ' a b ' });
  });
  test('an empty field is left out', () => {
    expect(prepareData(form, { name: '', description: ' ', tag_id: [], prefix: '' }, { start: {} })).toEqual({});
  });
  test('an emptied optional text is sent as empty, so that it can be cleared', () => {
    expect(prepareData(form, { description: '', tag_id: [] }, { start: { description: 'old', tag_id: [3] } })).toEqual({
      description: '',
      tag_id: [],
    });
  });
  test('an emptied optional field without an empty text of its own is sent as null [CK1]', () => {
    const start = { name: 'quay', company_id: 7 };
    expect(prepareData(form, { name: 'quay' }, { start })).toEqual({ name: 'quay', company_id: null });
    expect(prepareData(form, { name: 'quay', company_id: '' }, { start })).toEqual({ name: 'quay', company_id: null });
    expect(prepareData(form, { name: 'quay' }, { start, shown: ['name'] })).toEqual({ name: 'quay' });
  });
  test('a text that was empty when it was loaded stays so, where it may be [CK1]', () => {
    expect(prepareData(form, { description: '', prefix: '' }, { start: { description: '', prefix: '' } })).toEqual({ description: '' });
  });
  test('an emptied required field is left out, so that it is asked for', () => {
    expect(prepareData(form, { name: '' }, { start: { name: 'old' } })).toEqual({});
  });
  test('what may not be empty is left out when emptied', () => {
    expect(prepareData(form, { prefix: '' }, { start: { prefix: 'old' } })).toEqual({});
  });
});

test('a property without a widget gets the one that fits its type', () => {
  expect(widgetOf({ type: 'boolean' }, undefined)).toBe('checkbox');
  expect(widgetOf({ type: 'string', enum: ['a'] }, undefined)).toBe('select');
  expect(widgetOf({ type: ['integer', 'null'] }, undefined)).toBe('number');
  expect(widgetOf({ type: 'array' }, undefined)).toBe('multi-select');
  expect(widgetOf({ type: 'string' }, { 'ui:widget': 'color' })).toBe('color');
});

test('data is compared by value, whatever the order of members', () => {
  expect(isSameData({ a: [1, { b: 2 }], c: null }, { c: null, a: [1, { b: 2 }] })).toBe(true);
  expect(isSameData({ a: [1] }, { a: [1, 2] })).toBe(false);
  expect(isSameData({ a: 1 }, { a: 1, b: undefined as never })).toBe(true);
  expect(isSameData([1], { 0: 1 })).toBe(false);
});

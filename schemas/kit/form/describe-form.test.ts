import { expect, test } from 'vitest';
import { describeForm } from './describe-form.ts';
import { makeForm } from './test-form.ts';
import type { JsonSchema } from './types.ts';

const described = (schema: JsonSchema): unknown[] =>
  describeForm(makeForm({ schema })).fields.map(({ name, type, required, rules }) => [name, type, required, rules.map(({ key }) => key)]);

test('references are followed: to the type and the rules of a field, and to the fields of the whole [CD7]', () => {
  const label: JsonSchema = { type: 'string', maxLength: 9 };
  const node: JsonSchema = {
    type: 'object',
    required: ['name'],
    properties: { name: { $ref: '#/definitions/label' }, inner: { type: 'array', items: { $ref: '#/definitions/node' } } },
  };
  const fields = [
    ['name', 'string', true, ['form_docs.rules.maxLength']],
    ['inner', 'array of object', false, []],
  ];
  expect(described({ definitions: { label, node }, $ref: '#/definitions/node' })).toEqual(fields);
  expect(described({ definitions: { label, node }, ...node })).toEqual(fields);
  expect(described({ type: 'object', properties: { place: { type: 'object', required: ['at'], properties: { at: label } } } })).toEqual([
    ['place', 'object', false, []],
    ['place.at', 'string', true, ['form_docs.rules.maxLength']],
  ]);
});

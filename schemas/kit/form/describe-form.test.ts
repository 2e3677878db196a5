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

test('what a reference leads to is described with its members, a type that holds itself once [CD7]', () => {
  const place: JsonSchema = {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string', maxLength: 9 }, kind: { enum: ['quay', 'pier'] }, inner: { $ref: '#/definitions/place' } },
  };
  const reference: JsonSchema = { $ref: '#/definitions/place' };
  const schema: JsonSchema = {
    type: 'object',
    definitions: { place },
    properties: { at: reference, all: { type: 'array', items: reference }, own: place },
  };
  const members = [
    { name: 'city', type: 'string', required: true, rules: [{ key: 'form_docs.rules.maxLength', params: { value: 9 } }], members: [] },
    { name: 'kind', type: 'string', required: false, members: [] },
    { name: 'inner', type: 'object', required: false, rules: [], members: [] },
  ];
  const fields = describeForm(makeForm({ schema })).fields;
  expect(fields.find(({ name }) => name === 'at')?.members).toMatchObject(members);
  expect(fields.find(({ name }) => name === 'all')?.members).toMatchObject(members);
  // Its members are fields of their own.
  expect(fields.find(({ name }) => name === 'own')?.members).toEqual([]);
  expect(fields.map(({ name }) => name)).toContain('own.city');
});

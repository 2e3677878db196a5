import { expect, test } from 'vitest';
import { compileForm } from '../codegen/compile-form.ts';
import { makeForm } from './test-form.ts';
import type { JsonSchema } from './types.ts';

const firm: JsonSchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: 'firm' }, vat: { type: 'string', readOnly: true } },
};
const person: JsonSchema = { type: 'object', required: ['kind'], properties: { kind: { const: 'person' }, vat: { type: 'string' } } };
const schema: JsonSchema = {
  type: 'object',
  definitions: {
    place: { type: 'object', properties: { code: { type: 'string', readOnly: true, default: 'quay' }, note: { type: 'string' } } },
  },
  properties: {
    id: { type: 'string', readOnly: true, default: 'A-1' },
    tags: { type: 'array', readOnly: true, items: { type: 'string' } },
    places: { type: 'array', items: { $ref: '#/definitions/place' } },
    owner: { oneOf: [person, firm] },
  },
};

const faultsOf = (data: object): string[] =>
  compileForm(makeForm({ schema }))(data).map(({ source, params }) => `${source} ${String(params?.['key'])}`);

test('what a form only shows may come back as it was, and with nothing else in it [CD9]', () => {
  expect(faultsOf({ id: 'A-1', places: [{ code: 'quay', note: 'x' }, {}], owner: { kind: 'person', vat: '1' } })).toEqual([]);
  expect(faultsOf({ id: 'A-77', tags: [], places: [{}, { code: 'yard' }] })).toEqual([
    'id validation.readOnly',
    'tags validation.readOnly',
    'places.1.code validation.readOnly',
  ]);
  expect(faultsOf({ owner: { kind: 'firm', vat: '1' } })).toEqual(['owner.vat validation.readOnly']);
});

import { expect, test } from 'vitest';
import { compileFormBody, makeFormAjv } from './compile-body.ts';
import type { JsonSchema } from './types.ts';

test('a number that JSON has no room for is none in the schema of an added form, and none in a whole number either', () => {
  for (const type of ['number', 'integer'] as const) {
    const validate = makeFormAjv({ type }).compile({ type });
    expect([JSON.parse('1e400'), JSON.parse('-1e400'), 7].map((value) => validate(value))).toEqual([false, false, true]);
  }
});

const deep = (levels: number): unknown => (levels === 0 ? { a: 1 } : { a: deep(levels - 1) });

test.each<[string, JsonSchema]>([
  ['a choice in itself', { anyOf: [1, 2].map(() => ({ type: 'object', properties: { a: { $ref: '#' } }, required: ['b'] })) }],
  ['everything of two in itself', { type: 'object', properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }],
  [
    'thirty definitions of which each leads twice to the next',
    {
      $ref: '#/definitions/d0',
      definitions: Object.fromEntries(
        Array.from({ length: 30 }, (_one, index) => [
          `d${index}`,
          index === 29 ? { type: 'string' } : { allOf: [1, 2].map(() => ({ $ref: `#/definitions/d${index + 1}` })) },
        ]),
      ),
    },
  ],
])('%s is not followed for ever: what would take too long is refused in words [HP3]', (_kind, schema) => {
  expect(compileFormBody(schema)(deep(30)).map(({ params }) => params?.['key'])).toEqual(['validation.tooMuch']);
});

test('a choice in itself says what is wrong as long as it can be checked, and a long list of references is checked whole [HP3]', () => {
  const choice: JsonSchema = {
    definitions: {
      leaf: { type: 'integer' },
      node: { anyOf: [{ $ref: '#/definitions/leaf' }, { type: 'array', items: { $ref: '#/definitions/node' } }] },
    },
    $ref: '#/definitions/node',
  };
  expect(compileFormBody(choice)([1, [2, [3]]])).toEqual([]);
  expect(compileFormBody(choice)([1, ['x']]).map(({ params }) => params?.['key'])).not.toContain('validation.tooMuch');
  expect(compileFormBody(choice)([1, ['x']])).not.toEqual([]);
  expect(compileFormBody(choice)(Array.from({ length: 20_000 }, () => 1))).toEqual([]);
});

test('a hundred thousand items that fit no choice are told in no more than a moment [HP3]', () => {
  const schema: JsonSchema = { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] } };
  expect(compileFormBody(schema)(Array.from({ length: 100_000 }, () => 'x'))).toHaveLength(100);
});

import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFormAjv } from './compile-body.ts';

const schema = { type: 'array', uniqueItems: true } as const;

test('items that are equal are found as Ajv finds them, whatever they are', () => {
  const [ours, plain] = [makeFormAjv(schema).compile(schema), new Ajv().compile(schema)];
  const item = fc.oneof(
    fc.constantFrom('1', 1, true, null, -0, 0, 'a,b'),
    fc.array(fc.constantFrom(1, 'a', '[1]'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '"'), fc.constantFrom(1, 'a', null), { maxKeys: 2 }),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (made) => {
      const items: unknown = JSON.parse(JSON.stringify(made));
      expect([ours(items), ours.errors?.[0]?.params]).toEqual([plain(items), plain.errors?.[0]?.params]);
    }),
  );
});

test('a hundred thousand groups are compared in no more than a moment', () => {
  const validate = makeFormAjv(schema).compile(schema);
  expect(validate(Array.from({ length: 100_000 }, (_item, index) => ({ id: index })))).toBe(true);
});

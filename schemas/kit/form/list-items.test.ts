import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkItem } from './check-item.ts';
import { compileBody } from './compile-body.ts';
import { addItems, repeatedPositions, splitItems } from './list-items.ts';
import type { JsonSchema } from './types.ts';

const text: JsonSchema = { type: 'string', minLength: 2, maxLength: 10 };

describe('the items of a list [F10]', () => {
  test.each([
    ['a,b', ['a', 'b']],
    ['a\nb\r\nc', ['a', 'b', 'c']],
    [' a , , b ,', ['a', 'b']],
    ['a\tb', ['a', 'b']],
    ['a;b c', ['a;b c']],
    [' \n ', []],
  ])('%j are %j', (pasted, items) => expect(splitItems(pasted)).toEqual(items));

  test('end with the keys that the form names, and with lines always', () => {
    expect(splitItems('a b;c,d\ne', ['space', 'semicolon'])).toEqual(['a', 'b', 'c,d', 'e']);
  });

  test('become numbers where numbers are wanted; what is none is refused with a reason', () => {
    const { items, refused } = addItems([1], ['2', ' 3.5 ', 'x', '-4'], { items: { type: 'number' } });
    expect(items).toEqual([1, 2, 3.5, -4]);
    expect(refused.map(({ text, fault }) => [text, fault.message])).toEqual([['x', 'Enter a number.']]);
  });

  test('stop at the maximum length of the list, and the rest is reported', () => {
    expect(addItems(['aa'], ['bb', 'cc', 'dd'], { items: text, maxItems: 2 })).toMatchObject({
      items: ['aa', 'bb'],
      added: 1,
      left: ['cc', 'dd'],
    });
  });

  test('that repeat are left out and reported with noDupes, and added to be named otherwise', () => {
    expect(addItems(['aa'], ['aa', 'bb', 'bb'], { items: text, noDupes: true })).toMatchObject({
      items: ['aa', 'bb'],
      repeated: ['aa', 'bb'],
    });
    const { items } = addItems(['aa'], ['aa', 'bb'], { items: text });
    expect(items).toEqual(['aa', 'aa', 'bb']);
    expect([...repeatedPositions(items)]).toEqual([1]);
  });

  test('of a format come in one spelling', () => {
    expect(addItems([], ['AA-BB-CC-DD-EE-FF', 'nope'], { items: { type: 'string', format: 'mac' } })).toMatchObject({
      items: ['AA:BB:CC:DD:EE:FF'],
      refused: [{ text: 'nope' }],
    });
  });
});

const rules = fc.record(
  {
    items: fc.constantFrom<JsonSchema>(text, { type: 'integer', minimum: 1 }, { type: 'string', pattern: '^[a-f]+$' }, {}),
    maxItems: fc.nat(6),
    noDupes: fc.boolean(),
  },
  { requiredKeys: ['items'] },
);
const texts = fc.array(
  fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', ' ', '-'), maxLength: 5 }), fc.string({ maxLength: 12 })),
  {
    maxLength: 12,
  },
);

describe('whatever is entered into a list, [F10]', () => {
  test('every text that is not blank is added, or reported as repeated, refused or left', () => {
    fc.assert(
      fc.property(texts, rules, (entered, rule) => {
        const { added, repeated, refused, left, items } = addItems([], entered, rule);
        expect(added + repeated.length + refused.length + left.length).toBe(entered.filter((one) => one.trim() !== '').length);
        expect(items.length).toBeLessThanOrEqual(rule.maxItems ?? Infinity);
        if (rule.noDupes) expect(repeatedPositions(items).size).toBe(0);
      }),
    );
  });

  test('adding one by one gives what adding at once gives', () => {
    fc.assert(
      fc.property(texts, rules, (entered, rule) => {
        const oneByOne = entered.reduce((list, one) => addItems(list, [one], rule).items, addItems([], [], rule).items);
        expect(oneByOne).toEqual(addItems([], entered, rule).items);
      }),
    );
  });

  test('what was added passes the compiled rules, and what was refused does not', () => {
    fc.assert(
      fc.property(texts, rules, (entered, { items: schema }) => {
        const check = compileBody(schema);
        const { items, refused } = addItems([], entered, { items: schema });
        for (const item of items) expect(check(item)).toEqual([]);
        for (const { text } of refused) expect(check(text)).not.toEqual([]);
      }),
    );
  });
});

test('one value is judged as the compiled rules judge it', () => {
  const schemas: JsonSchema[] = [
    { type: 'string', minLength: 2, maxLength: 4 },
    { type: 'string', format: 'ipv4' },
    { type: 'string', enum: ['a', 'b'] },
    { type: 'integer', minimum: 1, maximum: 10 },
    { type: 'number', multipleOf: 0.01 },
    { type: ['string', 'null'], pattern: '^x' },
  ];
  const values = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('10.0.0.1', 'a', '😀😀', null, true, 1.15, 1.155),
    fc.integer({ min: -2, max: 12 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...schemas), values, (schema, value) => {
      expect(checkItem(schema, value).map(({ message }) => message)).toEqual(compileBody(schema)(value).map(({ message }) => message));
    }),
  );
});

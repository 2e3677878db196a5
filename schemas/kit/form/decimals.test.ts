import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileBody } from './compile-body.ts';
import { inexactNumberAt, isExactNumber, isMultipleOf, plainDigits } from './decimals.ts';

test('a number is exact when each digit that was typed is kept [CD6]', () => {
  const kept = ['0', '-0.50', '1000000000.06', '59.9138688000001', '0.00000000000004', '1e3', '9007199254740992'];
  expect(kept.filter((text) => !isExactNumber(text))).toEqual([]);
  const lost = ['9007199254740993', '89470800123456789012', '0.12345678901234567890', `1${'0'.repeat(400)}`];
  expect(lost.filter(isExactNumber)).toEqual([]);
});

test('every number is exact as it is written, and without a power of ten [CD6]', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isExactNumber(String(value)) || Object.is(value, -0)).toBe(true);
      expect(Number(plainDigits(value)) === value).toBe(true);
    }),
    { seed: 32 },
  );
});

test('steps are compared digit by digit [CD6]', () => {
  const check = compileBody({ type: 'number', multipleOf: 0.01 });
  expect([1000000000.06, 1.15, 0, -0.07, 1e21].map((value) => check(value).length)).toEqual([0, 0, 0, 0, 0]);
  expect([1.151, 1000000000.065, 1e-9].map((value) => check(value).length)).toEqual([1, 1, 1]);
  expect(isMultipleOf(3, 0)).toBe(false);
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 6 }), (count, places) => {
      const step = 10 ** -places;
      expect(isMultipleOf(Number(`${count}e-${places}`), step)).toBe(true);
    }),
    { seed: 32 },
  );
});

test('a number in a JSON text that would lose digits is found, one in a text is not [CD6]', () => {
  expect(inexactNumberAt('{"a": "89470800123456789012", "b": [1, 2.5]}')).toBeUndefined();
  expect(inexactNumberAt('{"a\\"": 1, "b": 89470800123456789012}')).toBe(16);
});

test('a number beyond all bounds is no multiple of anything', () => {
  expect([isMultipleOf(Number.POSITIVE_INFINITY, 0.01), isMultipleOf(-1e308, 1e-300)]).toEqual([false, true]);
});

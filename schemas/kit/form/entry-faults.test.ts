import { expect, test } from 'vitest';
import { jsonFault, maskFault, timeRangeFault } from './entry-faults.ts';
import { englishText } from './messages.ts';
import type { Explanation } from './explain-format.ts';

const words = (fault: Explanation | undefined): string | undefined => fault && englishText(fault.key, fault.params);

test('a masked text says what does not fit, and that something is missing [F8]', () => {
  expect(words(maskFault('FF:FF', 'AA:GG'))).toBe('"GG" does not fit. Use the form FF:FF.');
  expect(words(maskFault('FF:FF', 'AA'))).toBe('Incomplete. Use the form FF:FF.');
  expect(maskFault('FF:FF', 'AA:BB')).toBeUndefined();
  expect(maskFault('FF:FF', '')).toBeUndefined();
  expect(words(maskFault('F', 'x'.repeat(500)))).toHaveLength(52);
});

test('a time range ends after it starts', () => {
  const order = 'The end must be later than the start.';
  expect(words(timeRangeFault({ from: '2026-11-21 10:00:00', to: '2026-11-21 09:00:00' }))).toBe(order);
  expect(words(timeRangeFault({ from: '2026-11-21 10:00:00', to: '2026-11-21 10:00:00' }))).toBe(order);
  expect(timeRangeFault({ from: '2026-11-21 10:00:00', to: '2026-11-21 10:00:01' })).toBeUndefined();
  expect([timeRangeFault({ from: '2026-11-21 10:00:00' }), timeRangeFault('x'), timeRangeFault(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a text that is no JSON says the line and the column', () => {
  expect(words(jsonFault('{\n  "a": 1,\n}'))).toBe('Invalid JSON: line 3, column 1.');
  expect(words(jsonFault('nope'))).toBe('Invalid JSON: line 1, column 1.');
  expect(words(jsonFault('{ // no\n}'))).toContain('line 1, column 3');
  expect([jsonFault('{"a":[1,2]}'), jsonFault(' '), jsonFault('7')]).toEqual([undefined, undefined, undefined]);
});

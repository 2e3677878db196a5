import { expect, test } from 'vitest';
import { aloneAt, bandsOf, rangeOf } from './plot-options.ts';

test('a value alone between gaps is a dot, because no line goes through it', () => {
  expect(aloneAt([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(aloneAt([null, undefined])).toEqual([]);
});

test('each upper edge makes a band with the next lower one', () => {
  const of = (kind: 'line' | 'high' | 'low') => ({ label: kind, values: [], color: 'accent' as const, kind });
  expect(bandsOf([of('high'), of('line'), of('low'), of('high'), of('low')])).toEqual([
    [1, 3],
    [4, 5],
  ]);
});

test('a chart of a single time shows it in the middle of an hour, and other times as they are', () => {
  expect(rangeOf(7200, 7200)).toEqual([5400, 9000]);
  expect(rangeOf(0, 3600)).toEqual([0, 3600]);
});

import { expect, test } from 'vitest';
import { didYouMean, editDistance } from './nearest.ts';

test('the distance counts inserted, lost, changed and swapped characters', () => {
  expect([editDistance('tags', 'tag'), editDistance('tag', 'tug'), editDistance('form', 'from'), editDistance('', 'abc')]).toEqual([
    1, 1, 1, 3,
  ]);
});

test('a name close enough is offered, another is not', () => {
  const known = ['tag-list', 'device-status', 'code'];
  expect(didYouMean('tag-lst', known)).toBe(' Did you mean "tag-list"?');
  expect(didYouMean('Device_Status', known)).toBe(' Did you mean "device-status"?');
  expect(didYouMean('temperature', known)).toBe('');
});

import { expect, test } from 'vitest';
import { didYouMean, editDistance } from './nearest.ts';
import { findRisk } from './risky-pattern.ts';

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

test.each([
  '(a+)+',
  '(a*)*$',
  '((ab)+c?)*',
  '(?:a|a)+',
  '(a|ab)*',
  '([a-z]|\\w){40}',
  '(\\d{2,})*',
  '(a)\\1',
  '(?<x>a)\\k<x>',
  '^(?:.*)+$',
])('the pattern %s is called risky', (pattern) => expect(findRisk(pattern)).toBeTypeOf('string'));

test.each([
  '^[a-z][a-z0-9_]*$',
  '^\\d{4}-\\d{2}$',
  '^(?:a|b)*$',
  '^(?:[a-z]{1,10}\\.){1,5}[a-z]+$',
  '[(+*)]+',
  '\\(a+\\)+',
  '^(?=.*a)b+$',
  'a{2,5}',
  '\\p{L}+',
])('the pattern %s is not', (pattern) => expect(findRisk(pattern)).toBeUndefined());

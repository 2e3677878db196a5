import { expect, test } from 'vitest';
import { compileBody } from '../form/compile-body.ts';
import { findRisk, longestSafeText } from './risky-pattern.ts';

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
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '([a-z]+)*$',
  '(.*a){20}',
  '^(a?){30}$',
  '(aa?){30}',
  '(?:a{0,30}){0,30}',
  `${'a?'.repeat(40)}${'a'.repeat(40)}`,
])('the pattern %s is called risky', (pattern) => expect(findRisk(pattern)).toBeTypeOf('string'));

test.each([
  '^[a-z][a-z0-9_]*$',
  '^\\d{4}-\\d{2}$',
  '^(?:a|b)*$',
  '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
  '^[0-9A-F]{2}(?::[0-9A-F]{2}){5}$',
  '^(?:[a-z]{1,10}\\.){1,5}[a-z]+$',
  '[(+*)]+',
  '\\(a+\\)+',
  '^(?=.*a)b+$',
  'a{2,5}',
  '\\p{L}+',
])('the pattern %s is not', (pattern) => expect(findRisk(pattern)).toBeUndefined());

test.each([
  ['\\s+$', 3162],
  ['x.*y', 3162],
  ['^.*a.*b$', 3162],
  ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 215],
  ['a*a*a*a*b', 25],
  ['^\\s+$', Infinity],
  ['^[a-z]+-[0-9]+\\.[a-z]+$', Infinity],
  ['^\\w+@\\w+\\.\\w+$', Infinity],
])('the pattern %s may be tried on texts of %d characters', (pattern, longest) => {
  expect(longestSafeText(pattern)).toBe(longest);
  expect(findRisk(pattern, 25)).toBeUndefined();
  expect(findRisk(pattern, 1_000_000) === undefined).toBe(longest === Infinity);
});

test('a text too long for its pattern is refused without being tried', () => {
  const check = compileBody({ type: 'string', maxLength: 200, pattern: '\\s+$' });
  expect(check('a ')).toEqual([]);
  // A million spaces before the last letter would keep this pattern busy for many minutes.
  expect(check(`${' '.repeat(1_000_000)}a`).map(({ params }) => params?.['keyword'])).toEqual(['maxLength', 'pattern']);
});

test('each pattern is tried by itself, however many there are', () => {
  const texts = ['a', '1', '-'];
  const schemas = ['^[a-z]$', '^[0-9]$', '^-$'].map((pattern) => compileBody({ type: 'string', maxLength: 5, pattern }));
  expect(schemas.map((check) => texts.filter((text) => check(text).length === 0))).toEqual([['a'], ['1'], ['-']]);
});

import { expect, test } from 'vitest';
import { changeLanguage, startI18n, translate } from './index.ts';
import { chooseLanguage, findLanguage } from './languages.ts';

test.each([
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['nn', 'nb'],
  ['ja-JP', 'ja'],
  ['uk_UA', 'uk'],
  ['en-GB', 'en'],
  ['de', undefined],
  [undefined, undefined],
])('the tag %s means %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

test('the first requested language that we have wins, English is the default', () => {
  expect(chooseLanguage([undefined, 'de', 'uk', 'ja'])).toBe('uk');
  expect(chooseLanguage(['de', 'fr'])).toBe('en');
});

test('plurals, numbers and the page language follow the language [I1 I3]', async () => {
  await startI18n('en');
  expect(translate('search.found', { count: 1204 })).toBe('1,204 results');
  await changeLanguage('uk');
  expect([1, 2, 5, 21].map((count) => translate('search.found', { count }))).toEqual([
    '1 результат',
    '2 результати',
    '5 результатів',
    '21 результат',
  ]);
  expect(document.documentElement.lang).toBe('uk');
  await changeLanguage('ja');
  expect(translate('search.found', { count: 1 })).toBe('1件の結果');
});

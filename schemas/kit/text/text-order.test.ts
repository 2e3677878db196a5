import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, foldText, includesText } from './text-order.ts';

const NAMES = [
  'ap-2',
  'ap-10',
  'AP-1',
  'Zeta',
  'alpha',
  'Ærø',
  'Ålesund',
  'Ærø 2',
  'Østfold',
  'Ålesund nord',
  'İzmir',
  'straße 4',
  'ｷｬﾉﾋﾟｰ',
  'Depot, north',
];
const UKRAINIAN = [...'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя'];

test('names are in the order that a Norwegian reader expects, numbers by their value [CC1]', () => {
  expect(NAMES.toSorted(compareTexts)).toEqual(NAMES.toSorted(new Intl.Collator('nb', { numeric: true }).compare));
});

test('Ukrainian letters are in the order of their alphabet, kana in theirs whatever their width [CC1]', () => {
  expect(UKRAINIAN.toReversed().toSorted(compareTexts)).toEqual(UKRAINIAN);
  expect(['ルータ', 'ｷｬﾉﾋﾟｰ', 'アンテナ', 'きた', 'さくら'].toSorted(compareTexts)).toEqual([
    'アンテナ',
    'きた',
    'ｷｬﾉﾋﾟｰ',
    'さくら',
    'ルータ',
  ]);
});

test.each([
  ['Ålesund nord', 'a\u030alesund'],
  ['A\u030alesund', 'ÅLESUND'],
  ['İzmir', 'izmir'],
  ['straße 4', 'STRASSE'],
  ['ｷｬﾉﾋﾟｰ', 'キャノピー'],
  ['Ｄｅｐｏｔ', 'depot'],
  ['Tromsø', 'tromso'],
  ['Київ', 'КИЇВ'],
  ['ΟΔΟΣ', 'οδός'],
])('%s is found by %s [CC1]', (text, term) => {
  expect(includesText(text, term)).toBe(true);
});

test('a voiced kana is another letter [CC1]', () => {
  expect(includesText('はし', 'ばし')).toBe(false);
});

test('numbers of any length are in order by their value [CC1]', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }), (left, right) => {
      const order = compareTexts(`ap-${left}`, `ap-${right}`);
      if (left === right) return order === 0;
      // Beyond 20 digits they are in the order of their digits.
      return left >= 10n ** 20n || right >= 10n ** 20n || order === (left < right ? -1 : 1);
    }),
  );
});

test('folding a folded text changes nothing [CC1]', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldText(foldText(text)) === foldText(text)));
});

import { expect, test } from 'vitest';
import { findLiteralTexts, findMissingTexts, findUnknownKeys, findWrongPlaceholders, type LanguageTexts } from './i18n-rules.ts';

const language = (code: string, texts: Record<string, string>): [string, LanguageTexts] => [
  code,
  new Map(Object.entries(texts).map(([key, text]) => [key, { text, file: `src/locales/${code}/x.json` }])),
];

test('a key that one language lacks is named with its file [I1]', () => {
  const all = new Map([language('en', { 'a.b': 'x', 'a.c': 'y' }), language('nb', { 'a.b': 'x' })]);
  expect(findMissingTexts(all)).toEqual(['src/locales/nb/x.json: "a.c" is missing']);
});

test('plurals need the categories of their own language, no more and no fewer [I1]', () => {
  const all = new Map([
    language('en', { n_one: '{count} row', n_other: '{count} rows' }),
    language('ja', { n_one: '{count}行', n_other: '{count}行' }),
    language('uk', { n_one: '{count} рядок', n_few: '{count} рядки', n_other: '{count} рядка' }),
  ]);
  expect(findMissingTexts(all)).toEqual([
    'src/locales/ja/x.json: "n_one" is not a plural form of this language',
    'src/locales/uk/x.json: "n_many" is missing',
  ]);
});

test('other placeholders than in English, and two braces, are found', () => {
  const all = new Map([language('en', { a: '{name} moved' }), language('nb', { a: '{navn} flyttet' }), language('ja', { a: '{{name}}' })]);
  expect(findWrongPlaceholders(all)).toHaveLength(2);
});

test('words in a component are found, code and keys are not [I1]', () => {
  const code = [
    '<p>Some words</p>',
    '<input aria-label="Search all" />',
    "<p>{t('a.b')}</p>",
    '// <p>Words</p>',
    'const f = (a: Array<string>) => a;',
    '<code>{x}</code>',
  ];
  expect(findLiteralTexts({ path: 'x.tsx', code: code.join('\n') })).toEqual([
    'x.tsx:1: "Some words" is written in the code; give it a key',
    'x.tsx:2: "Search all" is written in the code; give it a key',
  ]);
});

test('a key that no text has is found', () => {
  const [, english] = language('en', { 'a.b': 'x', 'n.rows_one': 'x', 'n.rows_other': 'x' });
  const code = "t('a.b'); t('n.rows', { count }); t('a.gone'); at('a.other');";
  expect(findUnknownKeys({ path: 'x.ts', code }, english)).toEqual(['x.ts:1: there is no text "a.gone"']);
});

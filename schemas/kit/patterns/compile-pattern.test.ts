import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from './compile-pattern.ts';
import { PatternFault } from './pattern-fault.ts';
import { HOSTILE_PATTERNS, hostilePattern, hostileText } from './hostile-patterns.ts';

const reasonOf = (source: string): string => {
  try {
    compilePattern(source);
    return 'usable';
  } catch (error) {
    return error instanceof PatternFault ? error.reason : String(error);
  }
};

test.each([
  ['(', 'syntax'],
  ['a{2', 'syntax'],
  ['\\Aa', 'syntax'],
  ['(?i)a', 'syntax'],
  ['[[:alpha:]', 'usable'],
  ['(?=.*\\d)a', 'look-around'],
  ['a(?!b)', 'look-around'],
  ['(?<=a)b', 'look-around'],
  ['(?<!a)b', 'look-around'],
  ['(a)\\1', 'back-reference'],
  ['(?<x>a)\\k<x>', 'back-reference'],
  ['[\\1]', 'syntax'],
  ['(?i:a)', 'flags'],
  ['\\p{Script_Extensions=Greek}', 'property'],
  ['\\p{ID_Start}', 'property'],
  ['(a{1000}){1000}', 'size'],
  ['a{1001}', 'size'],
  ['a{99999999999999999999}', 'size'],
  ['(?:(?:){100}){100}', 'size'],
  ['((((a{10}){10}){10}){10}){10}', 'size'],
  ['a'.repeat(1001), 'size'],
  ['(a{1000})'.repeat(100), 'size'],
  [`${'('.repeat(499)}${')'.repeat(499)}`, 'usable'],
  ['^.{1,900}$', 'usable'],
])('the expression %s is %s [HN1]', (source, reason) => expect(reasonOf(source)).toBe(reason));

test('what an expression cannot say is named in words [HN1]', () => {
  expect(() => compilePattern('^(?=.*\\d)')).toThrow('An expression cannot look ahead or behind: "(?=". Write what is matched itself.');
  expect(() => compilePattern('\\p{ID_Start}')).toThrow(/The property \\p\{ID_Start\} of characters is not known/);
});

const TEXTS = [
  '', 'a', 'A', 'b\n', 'a\nb', 'a\r', '\u2028', '\u00a0', '\ufeff', ' ', '\t', '\v', '_', '-', ']', '[:alpha:]', '0', '٣', 'é', 'ж', 'Ж', 'ſ', '\u212a', 'あ', '😀', '\ud83d', '\ude00', '\0', '\b', '/', '\\', '^', '$', 'a-z', 'α', 'ab12_', '\u{10ffff}', 'aaaa',
]; // prettier-ignore

test.each([
  '.', '^.$', '^a$', 'a|b|', '\\s', '\\S', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '\\d', '\\D', '\\w', '\\W', '[\\w-]', '[^\\W_]', '\\b', '\\B', '[\\b]', '\\ba', '[a-z-]', '[-a]', '[^-a]', '[a\\-z]', '[[:alpha:]', '[.$^(]', '[]', '[^]', '\\0', '\\cA', '\\t', '\\x41', '\\u0436', '\\u{1F600}', '\\ud83d\\ude00', '\\ud83d', '[\\ud83d\\ude00]', '[\\u{0}-\\u{FFFF}]', '😀', '[😀]', '^[^😀]$', '\\/', '\\^', '\\$', '\\p{L}', '\\P{L}', '[\\p{Lu}\\d]', '[^\\p{L}]', '\\p{Script=Cyrillic}', '\\p{sc=Greek}', '\\p{gc=Nd}', '\\p{Emoji}', '\\p{Alphabetic}', '(?<year>a+)', '(a)(b)?', 'a*?', 'a{2,}?', '^a{0}$', '^(?:)$', '', '(?:a|b){2,3}', '^\\n$', '\\xa0', 'a+b|^$',
])('the expression %s means what it means to JavaScript [HN1]', (source) => {
  const native = new RegExp(source, 'u');
  const pattern = compilePattern(source);
  expect(TEXTS.filter((text) => pattern.test(text))).toEqual(TEXTS.filter((text) => native.test(text)));
}); // prettier-ignore

test('every character is in the same class on both engines [HN1]', () => {
  const sources = ['\\s', '\\S', '.', '\\d', '\\w', '[^\\s\\d]', '\\b.', '[\\S\\n]'];
  const every = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCodePoint(code));
  for (const source of sources) {
    const native = new RegExp(`^${source}$`, 'u');
    const pattern = compilePattern(`^${source}$`);
    expect(
      every.filter((text) => pattern.test(text) !== native.test(text)),
      source,
    ).toEqual([]);
  }
});

test('small expressions match what they match in JavaScript [HN1]', () => {
  const atom = fc.constantFrom('a', 'b', 'ж', '😀', '.', '\\w', '\\s', '[ab]', '[^aж]', '\\b', '^', '$', '(?:)', '[^]', '\\S');
  const { source } = fc.letrec<{ source: string; term: string }>((tie) => ({
    source: fc.array(tie('term'), { maxLength: 3 }).map((terms) => terms.join('')),
    term: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      atom,
      fc.tuple(tie('source'), tie('source')).map(([left, right]) => `(?:${left}|${right})`),
      fc.tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '*?')).map(([inner, times]) => `(${inner})${times}`),
    ),
  }));
  const text = fc.array(fc.constantFrom('a', 'b', 'ж', '😀', ' ', '\n', '_'), { maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(source, text, (written, tried) => {
      expect(compilePattern(written).test(tried)).toBe(new RegExp(written, 'u').test(tried));
    }),
    { numRuns: 2000 },
  );
});

test('no expression keeps a text busy: those that did, and 10,000 made ones [HN1]', { timeout: 300_000 }, () => {
  for (const source of HOSTILE_PATTERNS)
    for (const letter of ['a', 'ж', 'Ā', ' ', '0']) expect([true, false]).toContain(compilePattern(source).test(`${letter.repeat(5000)}!`));
  let usable = 0;
  fc.assert(
    fc.property(hostilePattern, hostileText, (source, text) => {
      const reason = reasonOf(source);
      expect(['usable', 'size', 'syntax', 'look-around', 'back-reference']).toContain(reason);
      if (reason !== 'usable') return;
      usable += 1;
      compilePattern(source).test(text);
    }),
    { numRuns: 10_000 },
  );
  expect(usable).toBeGreaterThan(3000);
});

import { expect, test } from 'vitest';
import { SHIPPED_LANGUAGES } from '../../kernel/i18n/index.ts';
import { formatPlain } from './format-plain.ts';

test('a number to type in has the decimal mark of its language and no groups; a short cut writes what the language writes [CD6]', () => {
  expect(['en', 'nb', 'uk', 'ja'].map((language) => formatPlain(12_345.678, language))).toEqual([
    '12345.678',
    '12345,678',
    '12345,678',
    '12345.678',
  ]);
  for (const { code } of SHIPPED_LANGUAGES) {
    const whole = new Intl.NumberFormat(code, { useGrouping: false, maximumFractionDigits: 12 });
    for (const value of [0, 7, 65_535, Number.MAX_SAFE_INTEGER]) expect(formatPlain(value, code)).toBe(whole.format(value));
  }
  expect(formatPlain(-3, 'nb')).toBe('−3');
  expect(formatPlain(-0.00000000000004, 'nb')).toBe('−0,00000000000004');
});

import { expect, test } from 'vitest';
import { makePassword } from './make-password.ts';
import { passwordBits, strengthOf } from './password-strength.ts';

const word = (password: string) => strengthOf(passwordBits(password));

test('what guessers try first is weak, however it is dressed up [F7]', () => {
  for (const password of [
    'password',
    'P@ssw0rd1',
    'qwertyuiop',
    'aaaaaaaaaaaaaaaa',
    'abcdefghijklmnop',
    '1234567890',
    'Teltonika1!',
    'a',
    '',
  ]) {
    expect(word(password), password).toBe('weak');
  }
});

test('length alone makes a password strong: no kind of character is required [F7]', () => {
  expect(word('fjord lantern biscuit ember')).toBe('strong');
  expect(word('tractor-gale')).toBe('good');
  expect(word(makePassword())).toBe('strong');
});

test('a longer password is never weaker', () => {
  const password = 'Kraft-2026-øst!x9';
  let before = 0;
  for (let length = 1; length <= password.length; length += 1) {
    const bits = passwordBits(password.slice(0, length));
    expect(bits).toBeGreaterThanOrEqual(before);
    before = bits;
  }
});

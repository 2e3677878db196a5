import { expect, test } from 'vitest';
import { publicKeyOf } from './tunnel-carrier.ts';

test.each(['A', '9', '+', '/'])('a key of a device that ends in %s is taken, with a comment or without', (last) => {
  const key = `${'AAAAC3NzaC1lZDI1NTE5AAAAI'.padEnd(67, 'x')}${last}`;
  expect(publicKeyOf(`ssh-ed25519 ${key}\n`)).toBe(key);
  expect(publicKeyOf(`ssh-ed25519 ${key} router`)).toBe(key);
});

test('a longer text is no key', () => {
  expect(publicKeyOf(`ssh-ed25519 ${'A'.repeat(69)}`)).toBeUndefined();
});

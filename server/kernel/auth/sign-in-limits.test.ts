import { expect, test } from 'vitest';
import { testClock } from '../../../tests/helpers/test-clock.ts';
import { MINUTE } from '../clock.ts';
import { createSignInLimits } from './sign-in-limits.ts';

const guess = (number: number) => ({
  email: `person-${number}@example.org`,
  ip: `198.51.${number >> 8}.${number & 255}`,
  isKnownAddress: false,
});

test('guesses spread over many accounts and addresses are slowed together, without those who sign in from where they always do [SE3]', async () => {
  const clock = testClock();
  const limits = createSignInLimits(clock);
  for (let number = 0; number < 2000; number += 1) limits.begin(guess(number));
  expect(() => limits.begin(guess(2001))).toThrow('Too many requests');
  limits.begin({ ...guess(2002), isKnownAddress: true });
  await clock.advance(5 * MINUTE);
  limits.begin(guess(2003));
});

test('who signs in leaves no trace in the count, and nobody lowers it by signing in from where they always do [SE3]', () => {
  const limits = createSignInLimits(testClock());
  const known = { email: 'kari@example.org', ip: '203.0.113.9', isKnownAddress: true };
  for (let number = 0; number < 5000; number += 1) {
    limits.begin(guess(number));
    limits.succeed(guess(number));
  }
  for (let number = 0; number < 2000; number += 1) limits.begin(guess(number + 5000));
  limits.begin(known);
  limits.succeed(known);
  expect(() => limits.begin(guess(9000))).toThrow('Too many requests');
});

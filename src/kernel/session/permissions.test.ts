import { expect, test } from 'vitest';
import { holdsPermission } from './permissions.ts';

const held = ['view_devices', 'view_tags'];

test.each([
  [undefined, undefined, true],
  ['view_devices', undefined, true],
  ['view_users', undefined, false],
  [['view_users', 'view_tags'], 'some', true],
  [['view_users', 'view_tags'], undefined, true],
  [['view_users', 'view_tags'], 'every', false],
  [['view_devices', 'view_tags'], 'every', true],
  [[], 'some', false],
  [[], 'every', true],
] as const)('a check of %j by %s is %s', (check, mode, expected) => {
  expect(holdsPermission(held, check, mode)).toBe(expected);
});

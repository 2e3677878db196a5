import { expect, test } from 'vitest';
import { createAnswerCache } from './answer-cache.ts';

test('an answer is kept for five minutes', () => {
  let at = 0;
  const cache = createAnswerCache<string>({ now: () => at });
  cache.keep('roles', 'a', ['roles']);
  at = 299_999;
  expect(cache.find('roles')).toBe('a');
  at = 300_000;
  expect(cache.find('roles')).toBeUndefined();
});

test('of more than a hundred the one that was asked for longest ago goes', () => {
  const cache = createAnswerCache<number>();
  for (let number = 0; number < 100; number += 1) cache.keep(String(number), number, []);
  expect(cache.find('0')).toBe(0);
  cache.keep('100', 100, []);
  expect([cache.find('0'), cache.find('1'), cache.find('2'), cache.find('100')]).toEqual([0, undefined, 2, 100]);
});

test('what tells of a resource is dropped, the rest stays', () => {
  const cache = createAnswerCache<number>();
  cache.keep('summary', 1, ['credits', 'devices']);
  cache.keep('zones', 2, ['timezones']);
  cache.forget('devices');
  expect([cache.find('summary'), cache.find('zones')]).toEqual([undefined, 2]);
  cache.clear();
  expect(cache.find('zones')).toBeUndefined();
});

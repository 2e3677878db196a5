import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test('only lists and objects are shown as trees; a number, a broken text and an overlong one stay text', () => {
  expect(readJson(' {"a":[1]}\n')).toEqual({ a: [1] });
  expect(readJson('[]')).toEqual([]);
  for (const text of ['12', '"a"', 'null', '{"a":', '{a: 1}', 'up 3 days', `[${'1,'.repeat(200_000)}1]`])
    expect(readJson(text)).toBeUndefined();
});

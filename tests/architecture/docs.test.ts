import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every file that the tour of the code names is there', () => {
  const named = [...readFileSync('docs/tour.md', 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

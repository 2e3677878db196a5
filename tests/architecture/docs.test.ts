import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { updateChecks } from '../../scripts/checks.ts';

test('every file that the tour of the code names is there', () => {
  const named = [...readFileSync('docs/tour.md', 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('docs/checks.md names the tests that check each id: run `node scripts/checks.ts` when this fails', () => {
  const checks = readFileSync('docs/checks.md', 'utf8');
  const now = updateChecks(checks);
  expect(now.unknown).toEqual([]);
  expect(now.text).toBe(checks);
  expect(now.text).not.toMatch(/\|\s*\|$/m);
});

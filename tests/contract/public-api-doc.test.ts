import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unknownFields } from '../../server/features/devices/documented.ts';
import { makeWorld } from '../helpers/world.ts';

const page = readFileSync(new URL('../../docs/public-api.md', import.meta.url), 'utf8');

/** The text of a section of the page. */
function section(title: string): string {
  const [, text = ''] = page.split(`## ${title}\n`);
  return text.split('\n## ')[0] ?? '';
}

const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

test('the page about the public API names every member of a device that is always null', () => {
  const named = codesIn(section('Members of a device that are always null'));
  expect(named.toSorted()).toEqual(unknownFields.toSorted());
});

test('what the page about the public API calls missing is no call of the server', async () => {
  await using world = await makeWorld();
  const calls = new Set(world.app.routes.map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`));
  expect(calls).toContain('GET /tags');
  const missing = codesIn(section('Not here')).filter((code) => /^[A-Z]+ /.test(code));
  expect(section('Not here')).not.toBe('');
  expect(missing.filter((call) => calls.has(call))).toEqual([]);
});

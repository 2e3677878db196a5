import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingsTable } from '../../server/settings-table.ts';
import { updateChecks } from '../../scripts/checks.ts';

test('every file that the tour of the code names is there', () => {
  const named = [...readFileSync('docs/tour.md', 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('the README fits on 200 lines, and every file that it names is there', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  const named = [...readme.matchAll(/`((?:agent|resources|schemas|scripts|server|src|tests)(?:\/[\w.-]+)+)`/g)].map(
    ([, path = '']) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('docs/checks.md names the tests that check each id: run `node scripts/checks.ts` when this fails', () => {
  const checks = readFileSync('docs/checks.md', 'utf8');
  const now = updateChecks(checks);
  expect(now.unknown).toEqual([]);
  expect(now.text).toBe(checks);
  expect(now.text).not.toMatch(/\|\s*\|$/m);
});

test('every setting is explained', () => {
  const docs = ['README.md', 'docs/operations.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(settingsTable.map(({ name }) => name).filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('no type has a name that the glossary leaves out', () => {
  const [, words = ''] = /name no type: ([\s\S]*?)\. `Draft`/.exec(readFileSync('docs/glossary.md', 'utf8')) ?? [];
  const names = [...words.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  const declared = new RegExp(`^(?:export )?(?:interface|type|class) (?:${names.join('|')})\\b`, 'm');
  const draft = /^export (?:interface|type|class) Draft\b/m;
  const files = globSync('{server,src,schemas,resources,agent}/**/*.{ts,tsx}').map((path) => [path, readFileSync(path, 'utf8')] as const);
  expect(files.filter(([, text]) => declared.test(text)).map(([path]) => path)).toEqual([]);
  expect(files.filter(([, text]) => draft.test(text)).map(([path]) => path)).toEqual(['src/engine/form/drafts.ts']);
});

test('words that puzzle a newcomer do not come back: the glossary has the words to use instead', () => {
  const [, list = ''] = /## Words not to use([\s\S]*)/.exec(readFileSync('docs/glossary.md', 'utf8')) ?? [];
  const words = [...list.matchAll(/^\| ([a-z ]+) \|/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(3);
  const used = new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');
  const files = globSync('{server,src,schemas,resources,scripts,agent,tests,bench,docs}/**/*.{ts,tsx,css,json,md,sql,sh}');
  const others = files.filter((path) => path !== 'docs/glossary.md' && !/(?:^|[/\\])(?:node_modules|nb|ja|uk)[/\\]/.test(path));
  expect(others.filter((path) => used.test(readFileSync(path, 'utf8')))).toEqual([]);
});

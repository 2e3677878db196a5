import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A row of a table in docs/checks.md: an id, what it asks for, and the tests that check it. */
const ROW = /^\| ([A-Z]{1,4}\d+) *\| (.*?) *\| [^|]*\|$/gm;
/** The ids at the end of a test's title. */
const IDS = /\[((?:[A-Z]{1,4}\d+ ?)+)\](?=['`"])/g;

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'docs/checks.md');

/** Test files by the id in their titles. */
function readTests(): Map<string, string[]> {
  const tests = new Map<string, string[]>();
  const paths = globSync('{src,server,schemas,tests,scripts,agent}/**/*.test.{ts,tsx}', { cwd: root }).sort();
  for (const path of paths)
    for (const [, ids = ''] of readFileSync(join(root, path), 'utf8').matchAll(IDS))
      for (const id of ids.split(' ')) tests.set(id, [...(tests.get(id) ?? []), path]);
  return tests;
}

/** Paths in words: grouped by folder, without `.test`. */
function printPaths(paths: readonly string[]): string {
  const folders = Map.groupBy(new Set(paths), dirname);
  return [...folders]
    .map(([folder, names]) => `\`${folder}/\`: ${names.map((name) => basename(name).replace(/\.test\.tsx?$/, '')).join(', ')}`)
    .join(' · ');
}

/** docs/checks.md with the tests of now, and the ids of titles that it does not have. */
export function updateChecks(text: string): { text: string; unknown: string[] } {
  const tests = readTests();
  const known = new Set([...text.matchAll(ROW)].map(([, id = '']) => id));
  return {
    text: text.replace(ROW, (_, id: string, asks: string) => `| ${id} | ${asks} | ${printPaths(tests.get(id) ?? [])} |`),
    unknown: [...tests.keys()].filter((id) => !known.has(id)),
  };
}

if (import.meta.filename === process.argv[1]) {
  const { text, unknown } = updateChecks(readFileSync(file, 'utf8'));
  writeFileSync(file, text);
  if (unknown.length > 0) console.log(`docs/checks.md does not say what these ask for: ${unknown.join(', ')}`);
}

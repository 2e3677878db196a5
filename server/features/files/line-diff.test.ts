import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unifiedDiff } from './line-diff.ts';

const MOST = { maxEdits: 500 };

test.each([
  ['', '', ''],
  ['a\n', 'a\n', ''],
  ['', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b'],
  ['a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b'],
  ['a\nb\nc\n', 'a\nx\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c'],
])('%j to %j', (before, after, diff) => expect(unifiedDiff(before, after, MOST)).toBe(diff));

test('patch makes the second text of the first one, for any two texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-diff-'));
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 20; round += 1) {
    const before = Array.from({ length: next(60) }, () => `line ${next(9)}`);
    const after = before.flatMap((line) => (next(5) === 0 ? [] : next(5) === 0 ? [line, `new ${next(9)}`] : [line]));
    const [first, second] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join(''));
    const diff = unifiedDiff(first ?? '', second ?? '', MOST);
    if (diff === '') continue;
    writeFileSync(join(folder, 'text'), first ?? '');
    execFileSync('git', ['apply', '--unsafe-paths', '--unidiff-zero', '-p0', '--directory', folder, '-'], {
      cwd: folder,
      input: `--- text\n+++ text\n${diff ?? ''}\n`,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const patched = execFileSync('cat', [join(folder, 'text')]).toString();
    expect(patched).toBe(second);
  }
  rmSync(folder, { recursive: true });
});

test('texts that differ in more lines than asked for are not compared line by line', () => {
  const many = (word: string): string => Array.from({ length: 400 }, (_, index) => `${word} ${index}\n`).join('');
  expect(unifiedDiff(many('a'), many('b'), MOST)).toBeUndefined();
});

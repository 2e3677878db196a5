import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openBlockCache } from './block-cache.ts';

const CONTENT = randomBytes(3 * 64 * 1024 + 100);
let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canopy-blocks-'));
  path = join(folder, 'content');
  writeFileSync(path, CONTENT);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  undefined,
  { start: 0, end: 0 },
  { start: 65_535, end: 65_536 },
  { start: 65_536, end: 131_071 },
  { start: 70_000, end: CONTENT.length - 1 },
])('the bytes of the range %j are those of the file, for many readers at once', async (range) => {
  const cache = openBlockCache();
  const wanted = CONTENT.subarray(range?.start ?? 0, (range?.end ?? CONTENT.length - 1) + 1);
  const all = await Promise.all(Array.from({ length: 20 }, async () => buffer(await cache.stream('a', await open(path), range))));
  for (const one of all) expect(one.equals(wanted)).toBe(true);
});

test('readers of the same content share what was read, and those of another do not', async () => {
  const cache = openBlockCache();
  const other = join(folder, 'other');
  writeFileSync(other, 'something else');
  await using first = await open(path);
  const slow = await cache.stream('a', first);
  slow.read();
  const handle = await open(path);
  const read = vi.spyOn(handle, 'read');
  expect((await buffer(await cache.stream('a', handle, { start: 0, end: 99 }))).equals(CONTENT.subarray(0, 100))).toBe(true);
  expect(read).not.toHaveBeenCalled();
  expect((await buffer(await cache.stream('b', await open(other)))).toString()).toBe('something else');
  slow.destroy();
});

test('a reader that goes away closes its file, and one of a file that became shorter fails', async () => {
  const cache = openBlockCache();
  const handle = await open(path);
  const gone = await cache.stream('a', handle);
  gone.destroy();
  await finished(gone).catch(() => undefined);
  expect(handle.fd).toBe(-1);
  const short = join(folder, 'short');
  writeFileSync(short, CONTENT);
  const stream = await cache.stream('c', await open(short));
  truncateSync(short, 70_000);
  await expect(buffer(stream)).rejects.toThrow(/shorter than it was/);
});

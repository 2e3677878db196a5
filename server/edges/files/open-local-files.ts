import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openBlockCache } from './block-cache.ts';
import type { FileStore } from './types.ts';

// 3f0c0b5e-8f0e-4d7a-9d55-0c7b1f3f2a10
const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Writes a file's bytes, or a folder's names, through to the disk. */
async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Keeps contents in a folder of this machine, which must be on the same disk as what it takes over: 256 folders by the first two characters of the key. */
export function openLocalFiles(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error('not a key of the file store');
    return join(folder, key.slice(0, 2), key);
  };
  const blocks = openBlockCache();
  return {
    async keep(path) {
      const key = randomUUID();
      const place = pathOf(key);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await sync(path);
      await rename(path, place);
      await sync(dirname(place));
      return key;
    },
    async read(key, range) {
      try {
        return await blocks.stream(key, await open(pathOf(key), 'r'), range);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async *keysBefore(at) {
      for (const part of await namesIn(folder)) {
        for (const key of await namesIn(join(folder, part))) {
          if (KEY.test(key) && (await stat(pathOf(key))).mtimeMs < at) yield key;
        }
      }
    },
  };
}

import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileStore } from './types.ts';

// 3f0c0b5e-8f0e-4d7a-9d55-0c7b1f3f2a10
const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Bytes that are read ahead for each of a few readers, and for each of many: a thousand devices that fetch an image must not fill the memory. */
const CHUNK_BYTES = { few: 64 * 1024, many: 16 * 1024 };
const MANY_READERS = 64;

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
  let readers = 0;
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
        const handle = await open(pathOf(key), 'r');
        readers += 1;
        const stream = handle.createReadStream({ ...range, highWaterMark: CHUNK_BYTES[readers > MANY_READERS ? 'many' : 'few'] });
        return stream.once('close', () => (readers -= 1));
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

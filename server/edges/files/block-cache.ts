import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const BLOCK_BYTES = 64 * 1024;
/** 32 MiB: an image, or the same few pieces of a larger one, for a thousand devices that fetch it at the same time. */
const MOST_BLOCKS = 512;

export interface BlockCache {
  /** The bytes from `start` to `end` (both included; everything by default) of an open file, which is closed in the end. */
  stream(key: string, handle: FileHandle, range?: { start: number; end: number }): Promise<Readable>;
}

async function closeFile(handle: FileHandle, error: Error | null, done: (error: Error | null) => void): Promise<void> {
  let failure = error;
  try {
    await handle.close();
  } catch (fault) {
    failure ??= fault instanceof Error ? fault : new Error(String(fault));
  }
  done(failure);
}

/**
 * Reads files in blocks that all who read the same content share, so that the memory does not grow with their number. Contents never change under
 * their key. What is read is not to be written to.
 */
export function openBlockCache(): BlockCache {
  const blocks = new Map<string, Promise<Buffer>>();
  let readers = 0;

  async function readBlock(handle: FileHandle, index: number): Promise<Buffer> {
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await handle.read(block, filled, BLOCK_BYTES - filled, index * BLOCK_BYTES + filled);
      filled += bytesRead;
      if (bytesRead === 0 || filled === BLOCK_BYTES) return block.subarray(0, filled);
    }
  }

  /** The one that was used longest ago gives way. */
  function blockOf(key: string, handle: FileHandle, index: number): Promise<Buffer> {
    const name = `${key} ${index}`;
    const block = blocks.get(name) ?? readBlock(handle, index);
    blocks.delete(name);
    blocks.set(name, block);
    block.catch(() => blocks.delete(name));
    const [oldest = ''] = blocks.keys();
    if (blocks.size > MOST_BLOCKS) blocks.delete(oldest);
    return block;
  }

  return {
    async stream(key, handle, range) {
      let at = range?.start ?? 0;
      const end = range?.end ?? (await handle.stat()).size - 1;
      readers += 1;
      return new Readable({
        // One block is asked for when the one before has been sent.
        highWaterMark: 1,
        read() {
          if (at > end) return void this.push(null);
          const index = Math.floor(at / BLOCK_BYTES);
          const from = index * BLOCK_BYTES;
          blockOf(key, handle, index).then(
            (block) => {
              const piece = block.subarray(at - from, end - from + 1);
              if (piece.length === 0) return this.destroy(new Error('a file of the store is shorter than it was'));
              at += piece.length;
              return this.push(piece);
            },
            (error: Error) => this.destroy(error),
          );
        },
        destroy(error, done) {
          readers -= 1;
          if (readers === 0) blocks.clear();
          void closeFile(handle, error, done);
        },
      });
    },
  };
}

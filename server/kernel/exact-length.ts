import { Readable } from 'node:stream';

async function* cutAt(source: Readable, length: number): AsyncGenerator<Buffer> {
  let received = 0;
  if (length === 0) return;
  for await (const chunk of source) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    received += bytes.length;
    if (received > length) throw new Error(`The body is longer than the ${length} bytes that were announced`);
    yield bytes;
    // Whatever the source does from here on, nobody waits for it.
    if (received === length) return;
  }
  throw new Error(`The body ended after ${received} of ${length} bytes`);
}

/**
 * The same bytes, exactly as many as announced. It ends with the last of them, and fails when more comes with them or when the source ends
 * before: bytes beyond a `content-length` would be read as the answer to the next request, which may be somebody else's.
 * Throws Error for a length that is none.
 */
export function exactLength(source: Readable, length: number): Readable {
  // The reader hears of it; it may not have begun to read.
  source.on('error', () => undefined);
  if (!Number.isSafeInteger(length) || length < 0) {
    source.destroy();
    throw new Error(`A body cannot be ${length} bytes long`);
  }
  const cut = Readable.from(cutAt(source, length), { objectMode: false });
  cut.on('close', () => source.destroy());
  return cut;
}

import { PassThrough, type Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page is compressed for each answer. */
const BROTLI_QUALITY = 4;

function createEncoder(encoding: Encoding) {
  if (encoding === 'br') return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return encoding === 'gzip' ? createGzip() : new PassThrough();
}

/** A text whose first part goes out at once, before the second is known. When that fails, the answer breaks off. */
export function inTwoParts(encoding: Encoding, first: string, second: Promise<string>): Readable {
  const stream = createEncoder(encoding);
  stream.write(first);
  if (!(stream instanceof PassThrough)) stream.flush();
  second.then(
    (text) => stream.end(text),
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return stream;
}

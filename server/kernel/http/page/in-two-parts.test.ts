import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { inTwoParts, type Encoding } from './in-two-parts.ts';

const decoders = { br: createBrotliDecompress, gzip: createGunzip, identity: () => new PassThrough() };

async function firstOf(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => stream.once('data', (chunk) => resolve(String(chunk))));
}

test.each<Encoding>(['br', 'gzip', 'identity'])('the first part is there before the second is known, as %s', async (encoding) => {
  const second = Promise.withResolvers<string>();
  const read = inTwoParts(encoding, '<head>', second.promise).pipe(decoders[encoding]());
  expect(await firstOf(read)).toBe('<head>');
  second.resolve('</head>');
  expect(await text(read)).toBe('</head>');
});

test('a second part that fails breaks the answer off', async () => {
  const stream = inTwoParts('br', '<head>', Promise.reject(new Error('No rows')));
  await expect(text(stream)).rejects.toThrow('No rows');
});

import { expect, test } from 'vitest';
import { parseFramebufferStream } from './framebuffer-stream.ts';

/** A block as it is in the file. */
function block(text: string, milliseconds: number): Buffer {
  const filled = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  filled.write(text);
  const [length, time] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(text.length);
  time.writeUInt32BE(milliseconds);
  return Buffer.concat([length, filled, time]);
}

const read = (...parts: Buffer[]) => {
  const stream = parseFramebufferStream(new Uint8Array(Buffer.concat([Buffer.from('FBS 001.000\n'), ...parts])).buffer);
  return stream && { ...stream, blocks: stream.blocks.map(({ at, bytes }) => [at, new TextDecoder().decode(bytes)]) };
};

test('a recording of a desktop is read with its times; a last block that was cut off is left out', () => {
  const cut = block('lost', 9000).subarray(0, 9);
  expect(read(block('hello', 0), block('abcd', 1500), cut)).toEqual({
    blocks: [
      [0, 'hello'],
      [1.5, 'abcd'],
    ],
    seconds: 1.5,
    isFull: false,
  });
  expect(read(block('hello', 20), block('', 30))).toMatchObject({ seconds: 0.02, isFull: true });
  expect(parseFramebufferStream(new TextEncoder().encode('{"version": 2}\n').buffer)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { formatBytes } from './format.ts';

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [1024 * 1024 - 1, '1 MB'],
  [45_204_267_991, '42.1 GB'],
  [5 * 1024 ** 5, '5,120 TB'],
])('%d bytes are written %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

import { expect, test } from 'vitest';
import { scannedLine } from './scanned-line.ts';

test.each([
  ['SN:1106433012;I:356938035643809;M:001E42ABCDEF;U:admin;PW:secret', '1106433012, 001E42ABCDEF, , , 356938035643809'],
  ['SN:1106433012;M:00:1E:42:AB:CD:EF', '1106433012, 00:1E:42:AB:CD:EF'],
  ['1106433012', '1106433012'],
  [' a,b\nc;d ', 'a b c d'],
])('a scanned %j becomes %j', (code, line) => {
  expect(scannedLine(code)).toBe(line);
});

import { expect, test } from 'vitest';
import { withoutClipboard } from './rfb-filter.ts';

const u32 = (value: number): number[] => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const FORMAT = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0];
const INIT = [0, 2, 0, 2, ...FORMAT, ...u32(4), ...Buffer.from('desk')];
const cutText = (type: number, text: string): number[] => [type, 0, 0, 0, ...u32(text.length), ...Buffer.from(text)];
const rectangle = (encoding: number, body: number[], [width, height] = [2, 2]): number[] => [
  ...[0, 0, 0, 0, 0, width ?? 0, 0, height ?? 0],
  ...u32(encoding),
  ...body,
];
const PICTURE = [
  ...[0, 0, 0xff, 0xff],
  ...rectangle(0, Array<number>(16).fill(3)),
  ...rectangle(16, [...u32(5), 3, 3, 3, 3, 3]),
  ...rectangle(1, [0, 1, 0, 1]),
  ...rectangle(-239, Array<number>(18).fill(6)),
  ...rectangle(-308, [1, 0, 0, 0, ...Array<number>(16).fill(3)]),
  ...rectangle(-307, [...u32(3), 3, 3, 3]),
  ...rectangle(-224, []),
];

/** In pieces of every size, so that no message comes whole. */
function inPieces(push: (bytes: Buffer) => Buffer, bytes: number[], size: number): number[] {
  const given: number[] = [];
  for (let at = 0; at < bytes.length; at += size) given.push(...push(Buffer.from(bytes.slice(at, at + size))));
  return given;
}

test.each([1, 2, 7, 64, 4096])('what a desktop copies is left out and everything else goes through, in pieces of %i bytes', (size) => {
  const copied = cutText(3, 'secret of the desktop');
  const extended = [3, 0, 0, 0, ...u32(-6 >>> 0), 1, 2, 3, 4, 5, 6];
  const rest = [2, 1, 0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 3, 150, 248, 0, 0, 0, 0, 0, 0, 0, 2, 3, 3, 250, 0, 1, 1];
  const sent = [...INIT, ...copied, ...PICTURE, ...extended, ...PICTURE, ...copied, ...rest];
  const given = inPieces(withoutClipboard().fromDesktop, sent, size);
  expect(given).toEqual([...INIT, ...PICTURE, ...PICTURE, ...rest]);
});

test.each([1, 3, 4096])(
  'what a browser pastes is left out, and only pictures that can be measured are asked for, in pieces of %i bytes',
  (size) => {
    const keys = [4, 1, 0, 0, 0, 0, 0, 65, 5, 0, 0, 6, 0, 6, 3, 0, 0, 0, 0, 0, 0, 2, 0, 2, 150, 1, 0, 0, 0, 0, 0, 2, 0, 2];
    const more = [
      255,
      0,
      0,
      1,
      ...u32(6),
      ...u32(6),
      251,
      0,
      0,
      6,
      0,
      6,
      1,
      0,
      ...Array<number>(16).fill(6),
      248,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      6,
      250,
      0,
      1,
      2,
    ];
    const encodings = [2, 0, 0, 4, ...u32(7), ...u32(16), ...u32(0xc0a1e5ce), ...u32(-224 >>> 0)];
    const sent = [
      1,
      0,
      0,
      0,
      0,
      ...FORMAT,
      ...cutText(6, 'pasted'),
      ...encodings,
      ...keys,
      ...cutText(6, ''),
      ...more,
      ...cutText(6, 'again'),
      ...keys,
    ];
    const kept = [2, 0, 0, 2, ...u32(16), ...u32(-224 >>> 0)];
    expect(inPieces(withoutClipboard().fromBrowser, sent, size)).toEqual([1, 0, 0, 0, 0, ...FORMAT, ...kept, ...keys, ...more, ...keys]);
  },
);

test('a message or a picture that is not known ends it, and so does a change of the pixel format after the first picture', () => {
  expect(() => withoutClipboard().fromBrowser(Buffer.from([1, 99]))).toThrow('message 99');
  expect(() => withoutClipboard().fromDesktop(Buffer.from([...INIT, 0, 0, 0, 1, ...rectangle(7, [])]))).toThrow('encoding 7');
  const filter = withoutClipboard();
  filter.fromDesktop(Buffer.from([...INIT, ...PICTURE]));
  expect(() => filter.fromBrowser(Buffer.from([1, 0, 0, 0, 0, ...FORMAT]))).toThrow('change of pixels');
});

test('a desktop or a browser whose pixels are no whole bytes ends the session: their pictures have no length', () => {
  for (const bits of [0, 7, 12, 24, 255]) {
    const init = INIT.with(4, bits);
    expect(() => withoutClipboard().fromDesktop(Buffer.from(init))).toThrow('pixel');
    expect(() => withoutClipboard().fromBrowser(Buffer.from([1, 0, 0, 0, 0, ...FORMAT.with(0, bits)]))).toThrow('pixel');
  }
});

import { describe, expect, test } from 'vitest';
import { attachmentOf, namesTag, readRange } from './content-headers.ts';

describe('the name of a download', () => {
  test.each([
    ['RUT9XX_R_00.06.00_WEBUI.bin', `attachment; filename="RUT9XX_R_00.06.00_WEBUI.bin"; filename*=UTF-8''RUT9XX_R_00.06.00_WEBUI.bin`],
    ['Ålesund (1).cfg', `attachment; filename="Alesund (1).cfg"; filename*=UTF-8''%C3%85lesund%20%281%29.cfg`],
    ['設定.json', `attachment; filename="download.json"; filename*=UTF-8''%E8%A8%AD%E5%AE%9A.json`],
    [
      'a"; x=b%20\r\nset-cookie: a',
      `attachment; filename="a__ x=b_20set-cookie: a"; filename*=UTF-8''a%22%3B%20x%3Db%2520%0D%0Aset-cookie%3A%20a`,
    ],
  ])('%j stays inside its header [IN4]', (name, header) => expect(attachmentOf(name)).toBe(header));
});

describe('the part that a range asks for', () => {
  test.each([
    [undefined, undefined],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-400', { start: 90, end: 99 }],
    ['bytes=-30', { start: 70, end: 99 }],
    ['bytes=-400', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=-', undefined],
    ['lines=1-2', undefined],
    ['bytes=1-99999999999999999999', undefined],
  ])('%j of 100 bytes', (header, range) => expect(readRange(header, 100)).toEqual(range));

  test('of an empty file there is none', () => expect(readRange('bytes=0-', 0)).toBe('unsatisfiable'));
});

test('a tag is found among several, and only as a whole', () => {
  expect(['"a"', '"b", "a"', '*', '"ab"', undefined].map((header) => namesTag(header, '"a"'))).toEqual([true, true, true, false, false]);
});

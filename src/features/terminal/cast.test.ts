import { expect, test } from 'vitest';
import { parseCast, parseSize } from './asciicast.ts';

test('a recording is read with its sizes and times; a last line that was cut off is left out', () => {
  const text =
    '{"version":2,"width":100,"height":30,"title":"Quay: shell"}\n[0.1,"r","120x40"]\n[0.5,"o","hi"]\n[1.5,"i","secret"]\n[2,"o","by';
  expect(parseCast(text)).toEqual({
    cols: 100,
    rows: 30,
    title: 'Quay: shell',
    events: [
      { at: 0.1, kind: 'r', text: '120x40' },
      { at: 0.5, kind: 'o', text: 'hi' },
    ],
    seconds: 0.5,
  });
  expect(parseCast('<html>')).toBeUndefined();
});

test('a size is two numbers', () => {
  expect(parseSize('120x40')).toEqual({ cols: 120, rows: 40 });
  expect(parseSize('120x')).toBeUndefined();
});

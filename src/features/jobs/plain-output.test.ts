import { expect, test } from 'vitest';
import { plainOutput } from './plain-output.ts';

test('what a device prints cannot colour, move, rename or turn anything around [B3]', () => {
  expect(plainOutput('\u001B[31mred\u001B[0m \u001B]0;title\u0007plain\u001B[2J\u001B[1;1H')).toBe('red plain');
  expect(plainOutput('a\u202Egnp.exe\u2066b\u0000c\u0008')).toBe('agnp.exebc');
  expect(plainOutput('one\r\ntwo\rthree\tfour')).toBe('one\ntwo\nthree\tfour');
  expect(plainOutput('\u009B31mnew\u001BMline')).toBe('newline');
});

test('text in any script stays as it is [B3]', () => {
  expect(plainOutput('札幌 店舗 · Львів · Ålesund 🚢')).toBe('札幌 店舗 · Львів · Ålesund 🚢');
});

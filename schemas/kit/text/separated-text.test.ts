import { expect, test } from 'vitest';
import { decodeText, isRoundedNumber, separatorOf, sheetColumnOf, withoutApostrophe } from './separated-text.ts';

test.each([
  ['serial;tag;tag\n1106433012;ferry;north\n1106433013;"quay; inner";north', ';'],
  ['1106433012,ferry;north\n1106433013,quay', ','],
  ['serial;limit\n1;1,5\n2;2,25', ';'],
  ['serial\tname\n1\ta, b', '\t'],
  ['serial|name\n1|a; b', '|'],
  ['1106433012', ','],
])('%j is separated by %j [CC3]', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});

test('UTF-8 and marked UTF-16 are read, another encoding and binary content are told apart [CC3]', () => {
  expect(decodeText(Buffer.from('\uFEFFTromsø'))).toEqual({ text: 'Tromsø' });
  expect(decodeText(Buffer.from('\uFEFFТромсе', 'utf16le'))).toEqual({ text: 'Тромсе' });
  expect(decodeText(Buffer.from('Tromsø', 'latin1'))).toEqual({ fault: 'encoding' });
  expect(decodeText(Buffer.from([1, 0, 2]))).toEqual({ fault: 'binary' });
});

test('a number that was rounded is known, and one that only looks odd is not [CC6]', () => {
  expect(['3.56938E+14', '1,10643E+09', '1E+15'].map(isRoundedNumber)).toEqual([true, true, true]);
  expect(['356938035643809', '1E14', 'RUT-1E+2', '00:1E:42'].map(isRoundedNumber)).toEqual([false, false, false, false]);
  expect(withoutApostrophe("'0011064333")).toBe('0011064333');
});

test('headings are known in each language, whatever their case, width and punctuation [CC5]', () => {
  expect(['Serie-nummer', 'ＳＥＲＩＡＬ', 'シリアル番号', 'Серійний номер', 'Numéro'].map(sheetColumnOf)).toEqual([
    'serial',
    'serial',
    'serial',
    'serial',
    undefined,
  ]);
});

import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

const fileOf = (content: string | Uint8Array<ArrayBuffer>): File => new File([content], 'list.csv', { type: 'text/csv' });

test.each([',', ';', '\t', '|'])(
  'a file with %j between its cells is read, without the empty columns at its end [CC3]',
  async (separator) => {
    const text = '\uFEFFserial,name,\r\n1,"a\nb",\r\n,,\r\n2,c,\r\n'.replaceAll(',', separator);
    expect(await readCsv(fileOf(text))).toEqual({
      lines: [
        { line: 1, cells: ['serial', 'name'] },
        { line: 2, cells: ['1', 'a\nb'] },
        { line: 5, cells: ['2', 'c'] },
      ],
      isCut: false,
    });
  },
);

test('a file in another encoding is refused as such, one that is no text as well [CC3]', async () => {
  expect(await readCsv(fileOf(new Uint8Array([0x54, 0xf8, 0x0a])))).toEqual({ fault: 'not-unicode' });
  expect(await readCsv(fileOf(new Uint8Array([1, 0, 2])))).toEqual({ fault: 'not-csv' });
});

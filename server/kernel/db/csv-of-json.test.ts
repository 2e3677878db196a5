import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOfJson } from './csv-of-json.ts';
import { csvLine, type CsvColumn } from './csv.ts';

const KINDS = ['text', 'number', 'time', 'flag'] as const;
const SPACES = ['\u00A0', '\u1680', '\u2003', '\u2028', '\u202F', '\u205F', '\u3000', '\uFEFF'];
const SIGNS = [
  ' ',
  '\t',
  '\n',
  '\r',
  '"',
  "'",
  '=',
  '+',
  '-',
  '@',
  ',',
  '\\',
  '\0',
  '\u001F',
  '\uFF0B',
  '\uFF0D',
  '\uFF1D',
  '\uFF20',
  ...SPACES,
];
const HARMLESS = ['a', 'Z', '0', '.', '/', '[', ']', 'null', 'é', 'Ø', 'Å', 'ї', 'あ', '日', '🚀', '€', '…'];

const text = fc.array(fc.constantFrom(...SIGNS, ...HARMLESS), { maxLength: 5 }).map((parts) => parts.join(''));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 2, -50, 1.55, 1e21));
const value = fc.oneof(text, fc.string({ unit: 'grapheme' }), number, fc.constantFrom(null, 0, 1));
const time = fc.oneof(fc.integer({ min: -8e12, max: 8e12 }), fc.constant(null));

function written(row: readonly unknown[], columns: readonly CsvColumn[]): string {
  const csv = csvOfJson(columns);
  const json = JSON.stringify(row);
  const out = Buffer.alloc(csv.room(json) + 3);
  const end = csv.write(json, out, 3);
  return out.toString('utf8', 3, end);
}

const columnsOf = (kinds: readonly CsvColumn['kind'][]): CsvColumn[] => kinds.map((kind) => ({ header: kind, kind }));

test('IN3 a row that comes as JSON is written as its values are, whatever they hold and however they end', () => {
  const table = fc
    .array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 6 })
    .chain((kinds) => fc.tuple(fc.constant(columnsOf(kinds)), fc.tuple(...kinds.map((kind) => (kind === 'time' ? time : value)))));
  fc.assert(
    fc.property(table, ([columns, row]) => {
      const values = JSON.parse(JSON.stringify(row)) as unknown[];
      expect(written(row, columns)).toBe(csvLine(values, columns));
    }),
    { numRuns: 5000 },
  );
});

test.each(HARMLESS.map((sign) => [sign]))('a text that ends with %s is copied as it is', (sign) => {
  expect(written([`${sign}b${sign}`], columnsOf(['text']))).toBe(`${sign}b${sign}\r\n`);
});

test('numbers of a database that writes 2 as 2.0 come as 2', () => {
  const csv = csvOfJson(columnsOf(['number', 'number']));
  const out = Buffer.alloc(200);
  const lineOf = (json: string): string => out.toString('utf8', 0, csv.write(json, out, 0));
  expect([lineOf('[2.0,1.55]'), lineOf('[1.0e-07,20.0]')]).toEqual(['2,1.55\r\n', '1e-7,20\r\n']);
});

test('a column that the database makes of JSON is its text', () => {
  const columns = columnsOf(['text', 'number']);
  expect(written([{ port: [1, 2] }, 5], columns)).toBe(csvLine(['{"port":[1,2]}', 5], columns));
});

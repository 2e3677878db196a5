import { expect, test } from 'vitest';
import { isBlankRow, pasteCells, rowOfCells, withCell } from './table-rows.ts';
import { itemOf } from './schema-parts.ts';
import type { JsonSchema } from './types.ts';

const table: JsonSchema = {
  type: 'array',
  maxItems: 3,
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 5 }, port: { type: 'integer', minimum: 1 }, open: { type: 'boolean' } },
  },
};

test('an emptied cell leaves its row, and a row without anything is blank', () => {
  expect(withCell([{ name: 'a', port: 1 }], 0, 'port', undefined)).toEqual([{ name: 'a' }]);
  expect(withCell([{}], 0, 'name', 'b')).toEqual([{ name: 'b' }]);
  expect([isBlankRow({}), isBlankRow({ name: '' }), isBlankRow({ open: false }), isBlankRow({ port: 0 })]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('cells of a spreadsheet fill the table from one cell on; what has no place is counted', () => {
  expect(pasteCells([{ name: 'a' }], 'b\t22\tyes\nc\tx\tno\n', { row: 0, column: 0 }, table)).toEqual({
    rows: [
      { name: 'b', port: 22, open: true },
      { name: 'c', port: 'x', open: false },
    ],
    left: 0,
  });
  expect(pasteCells([], 'a\tb\tc\td', { row: 2, column: 1 }, table)).toEqual({ rows: [{}, {}, { port: 'a', open: 'b' }], left: 2 });
  expect(pasteCells([], 'x\ny', { row: 2, column: 0 }, table)).toEqual({ rows: [{}, {}, { name: 'x' }], left: 1 });
});

test('a line of a file becomes a row, with what is wrong at its column', () => {
  const { row, faults, left } = rowOfCells(itemOf(table) ?? {}, ['port', 'name'], ['0', 'too long', 'more']);
  expect(row).toEqual({ port: 0, name: 'too long' });
  expect(faults.map(({ column, fault }) => [column, fault === 'missing' ? fault : fault.message])).toEqual([
    ['port', 'Enter 1 or more.'],
    ['name', 'Use at most 5 characters.'],
  ]);
  expect(left).toEqual(['more']);
  expect(rowOfCells(itemOf(table) ?? {}, ['port'], ['1']).faults).toEqual([{ column: 'name', fault: 'missing' }]);
});

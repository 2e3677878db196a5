import { expect, test } from 'vitest';
import { layOutColumns } from './column-widths.ts';

const columns = [{ key: 'status', width: 100 }, { key: 'name', primary: true }, { key: 'company' }, { key: 'tags' }];

test('columns without a width share what is left, the name with the largest part', () => {
  expect(layOutColumns(columns, 1120)).toEqual({ widths: [100, 420, 300, 300], total: 1120 });
});

test('in a narrow window columns keep what they need, so that the table scrolls instead of shrinking', () => {
  expect(layOutColumns(columns, 300)).toEqual({ widths: [100, 180, 116, 116], total: 512 });
});

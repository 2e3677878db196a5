import { describe, expect, test } from 'vitest';
import type { Row } from '../resources/resource.ts';
import {
  dropFromSelection,
  EMPTY_SELECTION,
  refreshSelection,
  rowSelectionOf,
  selectAllMatching,
  selectionCount,
  selectionInput,
  selectionOf,
  selectRows,
} from './selection.ts';

const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id, name: `row ${id}` }));
const page = rows(1, 2, 3, 4, 5);

describe('selection [T5]', () => {
  test('rows of other pages stay chosen when the table changes those of this one', () => {
    const before = selectRows(rows(9, 2));
    const after = selectionOf({ ...rowSelectionOf(before, page), 3: true }, before, page);
    expect(selectionInput(after)).toEqual({ device_id: [9, 2, 3] });
    const { 2: _, ...rest } = rowSelectionOf(after, page);
    expect(selectionInput(selectionOf(rest, after, page))).toEqual({ device_id: [9, 3] });
  });

  test('"all that match" is a query with the count seen, never ids, and every row of the page is ticked', () => {
    const all = selectAllMatching({ status: '1', q: 'quay' }, 4312);
    expect(selectionInput(all)).toEqual({ selection: { query: { status: '1', q: 'quay' }, count: 4312 } });
    expect(selectionCount(all)).toBe(4312);
    expect(Object.keys(rowSelectionOf(all, page))).toEqual(['1', '2', '3', '4', '5']);
  });

  test('unticking one row out of "all that match" leaves the rest of the page', () => {
    const all = selectAllMatching({}, 4312);
    const { 2: _, ...rest } = rowSelectionOf(all, page);
    expect(selectionInput(selectionOf(rest, all, page))).toEqual({ device_id: [1, 3, 4, 5] });
  });

  test('a newer version of a chosen row replaces the older, and nothing else makes a new object', () => {
    const chosen = selectRows(page);
    const newer = { id: 2, name: 'renamed' };
    const after = refreshSelection(chosen, [newer, { id: 77 }]);
    expect(after.mode === 'rows' && after.rows.get(2)).toBe(newer);
    expect(selectionCount(after)).toBe(5);
    expect(refreshSelection(after, [newer])).toBe(after);
  });

  test('a removed row leaves the selection', () => {
    const chosen = selectRows(page);
    expect(selectionInput(dropFromSelection(chosen, [2, 99]))).toEqual({ device_id: [1, 3, 4, 5] });
    expect(dropFromSelection(chosen, [99])).toBe(chosen);
    expect(selectionCount(EMPTY_SELECTION)).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import type { Row } from '../resources/resource.ts';
import {
  deselectPage,
  dropFromSelection,
  EMPTY_SELECTION,
  isSelected,
  pageState,
  refreshSelection,
  selectAllMatching,
  selectionCount,
  selectionInput,
  selectPage,
  toggleRow,
} from './selection.ts';
import type { Selection } from './selection.ts';

const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id, name: `row ${id}` }));
const page = rows(1, 2, 3, 4, 5);
const tick = (selection: Selection, id: number, range = false) => toggleRow(selection, page, id, range);

describe('T5 selection', () => {
  test('rows stay chosen when another page comes', () => {
    const both = selectPage(selectPage(EMPTY_SELECTION, page), rows(6, 7));
    expect(selectionCount(both)).toBe(7);
    expect(pageState(both, rows(6, 7, 8))).toBe('some');
    expect(pageState(both, page)).toBe('all');
  });

  test('the header checkbox takes away this page only', () => {
    expect(selectionInput(deselectPage(selectPage(selectPage(EMPTY_SELECTION, page), rows(6)), page))).toEqual({ device_id: [6] });
  });

  test('a shift-click takes the rows between, in both directions', () => {
    expect(selectionInput(tick(tick(EMPTY_SELECTION, 2), 4, true))).toEqual({ device_id: [2, 3, 4] });
    expect(selectionCount(tick(tick(EMPTY_SELECTION, 5), 3, true))).toBe(3);
  });

  test('a shift-click on a ticked row unticks the range', () => {
    const all = selectPage(EMPTY_SELECTION, page);
    expect(selectionInput(tick(tick(all, 2), 4, true))).toEqual({ device_id: [1, 5] });
  });

  test('a shift-click whose start is on another page ticks one row', () => {
    const elsewhere = toggleRow(EMPTY_SELECTION, rows(9), 9, false);
    expect(selectionInput(tick(elsewhere, 3, true))).toEqual({ device_id: [9, 3] });
  });

  test('"all that match" is a query with the count seen, never ids', () => {
    const all = selectAllMatching({ status: '1', q: 'quay' }, 4312);
    expect(selectionInput(all)).toEqual({ selection: { query: { status: '1', q: 'quay' }, count: 4312 } });
    expect([selectionCount(all), isSelected(all, 999), pageState(all, page)]).toEqual([4312, true, 'all']);
  });

  test('unticking one row out of "all that match" leaves the rest of the page', () => {
    expect(selectionInput(tick(selectAllMatching({}, 4312), 2))).toEqual({ device_id: [1, 3, 4, 5] });
  });

  test('a newer version of a chosen row replaces the older, and nothing else makes a new object', () => {
    const chosen = selectPage(EMPTY_SELECTION, page);
    const newer = { id: 2, name: 'renamed' };
    const after = refreshSelection(chosen, [newer, { id: 77 }]);
    expect(after.mode === 'rows' && after.rows.get(2)).toBe(newer);
    expect(selectionCount(after)).toBe(5);
    expect(refreshSelection(after, [newer])).toBe(after);
  });

  test('a removed row leaves the selection', () => {
    const chosen = selectPage(EMPTY_SELECTION, page);
    expect(selectionInput(dropFromSelection(chosen, [2, 99]))).toEqual({ device_id: [1, 3, 4, 5] });
    expect(dropFromSelection(chosen, [99])).toBe(chosen);
  });
});

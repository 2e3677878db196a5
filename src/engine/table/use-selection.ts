import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Row } from '../resources/resource.ts';
import type { RowMark } from '../live/live-rows.ts';
import {
  deselectPage,
  dropFromSelection,
  EMPTY_SELECTION,
  pageState,
  refreshSelection,
  selectAllMatching,
  selectPage,
  toggleRow,
} from './selection.ts';
import type { Selection } from './selection.ts';

export interface SelectionControl {
  selection: Selection;
  /** What the header checkbox shows. */
  page: 'none' | 'some' | 'all';
  toggle: (id: number, range: boolean) => void;
  togglePage: () => void;
  selectAll: () => void;
  clear: () => void;
}

interface UseSelection {
  rows: readonly Row[];
  marks: ReadonlyMap<number, RowMark>;
  query: Readonly<Record<string, string>>;
  total: number;
}

/** The chosen rows of a list: they survive paging, ordering and live changes, and end when the filter changes. */
export function useSelection({ rows, marks, query, total }: UseSelection): SelectionControl {
  const filterKey = JSON.stringify(query);
  const [held, setHeld] = useState({ filterKey, selection: EMPTY_SELECTION });
  const stored = held.filterKey === filterKey ? held.selection : EMPTY_SELECTION;
  const present = useMemo(() => rows.filter((row) => marks.get(row.id) !== 'removed'), [rows, marks]);
  const selection = useMemo(() => refreshSelection(dropFromSelection(stored, [...removedIds(marks)]), present), [stored, marks, present]);
  const change = useCallback((next: Selection) => setHeld({ filterKey, selection: next }), [filterKey]);
  // Kept, because rows of other pages are known from here only, and the marks go with the next load.
  useEffect(() => {
    if (selection !== stored) change(selection);
  }, [selection, stored, change]);

  return {
    selection,
    page: pageState(selection, present),
    toggle: useCallback((id, range) => change(toggleRow(selection, present, id, range)), [change, selection, present]),
    togglePage: useCallback(
      () => change(pageState(selection, present) === 'all' ? deselectPage(selection, present) : selectPage(selection, present)),
      [change, selection, present],
    ),
    selectAll: useCallback(() => change(selectAllMatching(query, total)), [change, query, total]),
    clear: useCallback(() => change(EMPTY_SELECTION), [change]),
  };
}

function* removedIds(marks: ReadonlyMap<number, RowMark>): Generator<number> {
  for (const [id, mark] of marks) if (mark === 'removed') yield id;
}

import type { RowSelectionState } from '@tanstack/react-table';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '../resources/resource.ts';
import type { RowMark } from '../live/live-rows.ts';
import { dropFromSelection, EMPTY_SELECTION, refreshSelection, rowSelectionOf, selectAllMatching, selectionOf } from './selection.ts';
import type { Selection } from './selection.ts';

export interface SelectionControl {
  selection: Selection;
  /** The same in the table's state. */
  rowSelection: RowSelectionState;
  change: (next: RowSelectionState) => void;
  selectAll: () => void;
  clear: () => void;
}

interface UseSelection {
  rows: readonly Row[];
  marks: ReadonlyMap<number, RowMark>;
  query: Readonly<Record<string, string>>;
  total: number;
}

/** The chosen rows of a list: they survive paging, ordering and live changes, and end when the filter changes. The functions never change. */
export function useSelection({ rows, marks, query, total }: UseSelection): SelectionControl {
  const filterKey = JSON.stringify(query);
  const [held, setHeld] = useState({ filterKey, selection: EMPTY_SELECTION });
  const stored = held.filterKey === filterKey ? held.selection : EMPTY_SELECTION;
  const present = useMemo(() => rows.filter((row) => marks.get(row.id) !== 'removed'), [rows, marks]);
  const selection = useMemo(() => refreshSelection(dropFromSelection(stored, removedIds(marks)), present), [stored, marks, present]);
  // Kept, because rows of other pages are known from here only, and the marks go with the next load.
  if (selection !== stored) setHeld({ filterKey, selection });

  const latest = useRef({ selection, present, query, total, filterKey });
  useLayoutEffect(() => void (latest.current = { selection, present, query, total, filterKey }));
  const hold = useCallback((next: Selection) => setHeld({ filterKey: latest.current.filterKey, selection: next }), []);
  const actions = useMemo(
    () => ({
      change: (next: RowSelectionState) => hold(selectionOf(next, latest.current.selection, latest.current.present)),
      selectAll: () => hold(selectAllMatching(latest.current.query, latest.current.total)),
      clear: () => hold(EMPTY_SELECTION),
    }),
    [hold],
  );
  const rowSelection = useMemo(() => rowSelectionOf(selection, present), [selection, present]);
  return useMemo(() => ({ selection, rowSelection, ...actions }), [selection, rowSelection, actions]);
}

function removedIds(marks: ReadonlyMap<number, RowMark>): number[] {
  return [...marks].flatMap(([id, mark]) => (mark === 'removed' ? [id] : []));
}

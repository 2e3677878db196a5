import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
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

/**
 * The chosen rows of a list: they survive paging, ordering and live changes, and end when the filter changes.
 * The functions never change, so that ticking one row draws that row only.
 */
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
  const change = useCallback((next: (now: typeof latest.current) => Selection) => {
    setHeld({ filterKey: latest.current.filterKey, selection: next(latest.current) });
  }, []);
  const actions = useMemo(
    () => ({
      toggle: (id: number, range: boolean) => change((now) => toggleRow(now.selection, now.present, id, range)),
      togglePage: () =>
        change((now) =>
          pageState(now.selection, now.present) === 'all'
            ? deselectPage(now.selection, now.present)
            : selectPage(now.selection, now.present),
        ),
      selectAll: () => change((now) => selectAllMatching(now.query, now.total)),
      clear: () => change(() => EMPTY_SELECTION),
    }),
    [change],
  );
  const page = pageState(selection, present);
  return useMemo(() => ({ selection, page, ...actions }), [selection, page, actions]);
}

function removedIds(marks: ReadonlyMap<number, RowMark>): number[] {
  return [...marks].flatMap(([id, mark]) => (mark === 'removed' ? [id] : []));
}
